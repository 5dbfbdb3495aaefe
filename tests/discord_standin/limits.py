"""The numbers of the platform: lengths, counts, rates and bits that the stand-in holds everybody to."""

from collections.abc import Mapping
from typing import Final

CONTENT: Final = 2000
NONCE: Final = 25
ALT_TEXT: Final = 1024
ATTACHMENTS: Final = 10
UPLOAD: Final = 10 * 1024 * 1024
"""Bytes of one file, in a guild without boosts."""
REQUEST: Final = 25 * 1024 * 1024
"""Bytes of a whole request."""
EMBEDS: Final = 10
EMBED_TOTAL: Final = 6000
"""Characters of all embeds of one message together."""
REACTIONS: Final = 20
"""Different reactions on one message."""

ROWS: Final = 5
BUTTONS_IN_ROW: Final = 5
SELECT_OPTIONS: Final = 25
CUSTOM_ID: Final = 100
BUTTON_LABEL: Final = 80
V2_COMPONENTS: Final = 40
V2_TEXT: Final = 4000
GALLERY: Final = 10

MODAL_TITLE: Final = 45
MODAL_COMPONENTS: Final = 5
MODAL_LABEL: Final = 45

COMMAND_NAME: Final = 32
COMMAND_DESCRIPTION: Final = 100
COMMAND_OPTIONS: Final = 25
CHOICES: Final = 25
CHOICE: Final = 100
COMMAND_SIZE: Final = 8000
"""Names, descriptions and choice values of one command together."""
COMMANDS: Final[Mapping[int, int]] = {1: 100, 2: 5, 3: 5}
"""How many commands of each type; the description of the API would let 15 context menus pass, the guide says 5."""
COMMAND_CREATES: Final = 200
"""New commands a day and guild."""

THREAD_NAME: Final = 100
ARCHIVE_MINUTES: Final = (60, 1440, 4320, 10080)
HISTORY: Final = 100

FIRST_RESPONSE: Final = 3.0
"""Seconds until an interaction must have been answered."""
TOKEN_LIFE: Final = 15 * 60.0
FOREIGN_FOLLOWUPS: Final = 5
"""Follow-ups to one interaction in a guild that only its user has installed the bot for."""
NONCE_WINDOW: Final = 180.0
"""Seconds for which an enforced nonce is remembered ("a few minutes", says the guide)."""
INVALID: Final = (10_000, 600.0)
"""401, 403 and 429 answers in so many seconds, after which the doors are shut."""
GATEWAY_SENDS: Final = (120, 60.0)

RATES: Final[Mapping[tuple[str, str], tuple[int, float]]] = {
    ("POST", "/channels/{channel}/messages"): (5, 5.0),
    ("PATCH", "/channels/{channel}/messages/{message}"): (5, 5.0),
    ("DELETE", "/channels/{channel}/messages/{message}"): (5, 1.0),
    ("PUT", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"): (1, 0.25),
    ("DELETE", "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"): (1, 0.25),
    ("POST", "/webhooks/{application}/{token}"): (5, 2.0),
    ("PATCH", "/webhooks/{application}/{token}/messages/{message}"): (5, 2.0),
    ("POST", "/users/@me/channels"): (10, 10.0),
}
"""Requests, and in how many seconds, of one bucket: a route and its channel, guild or webhook."""
OTHER_RATE: Final = (50, 1.0)
RENAMES: Final = (2, 600.0)
"""New names of one channel or thread: a limit inside the bucket of its route, told by nothing but a 429."""

PERMISSIONS: Final[Mapping[str, int]] = {
    "create_instant_invite": 1 << 0,
    "add_reactions": 1 << 6,
    "view_channel": 1 << 10,
    "send_messages": 1 << 11,
    "manage_messages": 1 << 13,
    "embed_links": 1 << 14,
    "attach_files": 1 << 15,
    "read_message_history": 1 << 16,
    "mention_everyone": 1 << 17,
    "use_external_emojis": 1 << 18,
    "use_application_commands": 1 << 31,
    "manage_channels": 1 << 4,
    "manage_threads": 1 << 34,
    "create_public_threads": 1 << 35,
    "create_private_threads": 1 << 36,
    "send_messages_in_threads": 1 << 38,
}
INVITED_WITH: Final = (
    "add_reactions",
    "view_channel",
    "send_messages",
    "embed_links",
    "attach_files",
    "read_message_history",
    "use_application_commands",
    "create_public_threads",
    "create_private_threads",
    "send_messages_in_threads",
)
"""What the bot may do in a guild unless a test says otherwise."""
EVERYONE: Final = sum(PERMISSIONS[name] for name in (*INVITED_WITH, "create_instant_invite", "use_external_emojis"))

INTENTS: Final[Mapping[str, int]] = {
    "guilds": 1 << 0,
    "members": 1 << 1,
    "presences": 1 << 8,
    "guild_messages": 1 << 9,
    "guild_reactions": 1 << 10,
    "dm_messages": 1 << 12,
    "dm_reactions": 1 << 13,
    "message_content": 1 << 15,
}
PRIVILEGED: Final = ("members", "presences", "message_content")
KNOWN_INTENTS: Final = (1 << 26) - 1

SUPPRESS_EMBEDS: Final = 1 << 2
HAS_THREAD: Final = 1 << 5
EPHEMERAL: Final = 1 << 6
LOADING: Final = 1 << 7
SILENT: Final = 1 << 12
V2: Final = 1 << 15
FLAGS_IN_CHANNEL: Final = SUPPRESS_EMBEDS | SILENT | V2
FLAGS_IN_ANSWER: Final = FLAGS_IN_CHANNEL | EPHEMERAL
