"""What belongs to one person: `account`, `token`, `theme`, `language`."""

import hashlib
from dataclasses import replace

from bot.commands.context import Context, Effect, hosts_only, language_code, whisper, whisper_lines
from bot.commands.languages import find_language, language_name, unknown_language
from bot.commands.spec import BY_NAME, CONFIRMATIONS, DEFAULT
from bot.messages.model import Person
from bot.messages.serialization import channel_address
from bot.repository import Repository
from engine.match.commands import Player
from engine.match.state import spoils
from engine.text import Code, Listing, Term, Text, Value, plural
from render.theme import THEMES
