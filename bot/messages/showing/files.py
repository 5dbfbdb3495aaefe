"""What goes out as a file, on platforms that have files."""

from dataclasses import replace
from typing import Final

from bot.messages.catalogue import language
from bot.messages.model import OutgoingMessage
from engine.text import Code, Text

AS_FILE: Final = Text("Here it is, as a file.")


def as_file(message: OutgoingMessage) -> tuple[OutgoingMessage, str]:
    """Returns a message whose block of code is a file with a sentence in its place, and the file's text; "" = none."""
    block = next((one for one in message.text if isinstance(one, Code)), None) if message.file else None
    if block is None:
        return message, ""
    return replace(message, text=language(message.language).lines(((AS_FILE,),))), block.text
