"""Why what is stored cannot be used, in sentences for whoever asks."""

import errno

from engine.text import Text


def unreadable(error: OSError, number: str) -> tuple[Text, ...]:
    """Returns why what is stored cannot be used; nothing for an error that may pass."""
    reasons = UNREADABLE.get(error.errno or 0, ())
    if reasons and not number:
        return DAMAGED
    return tuple(Text(reason.template, match=number) for reason in reasons)


DAMAGED = (
    Text("The database is damaged here."),
    Text("Whoever runs Riposte can restore it from a backup; what is not damaged can be played on."),
)


UNREADABLE = {
    errno.EBADMSG: (
        Text("Match {match} is damaged: what is stored is not what was written."),
        Text("Whoever runs Riposte can restore it from a backup; all other matches can be played."),
    ),
    errno.EPROTO: (
        Text("Match {match} cannot be replayed as it was written: its game is missing, or its rules have changed."),
        Text("Whoever runs Riposte can start the version that it was played with; all other matches can be played."),
    ),
}
