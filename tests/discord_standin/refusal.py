"""How Discord says no: status, code and words of every refusal, and the tree that shows what is wrong in a form."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

JSON: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str | int, ...]

REFUSALS: Final[Mapping[str, tuple[int, int, str]]] = {
    "unauthorized": (401, 0, "401: Unauthorized"),
    "not found": (404, 0, "404: Not Found"),
    "method": (405, 0, "405: Method Not Allowed"),
    "unknown application": (404, 10002, "Unknown Application"),
    "unknown channel": (404, 10003, "Unknown Channel"),
    "unknown guild": (404, 10004, "Unknown Guild"),
    "unknown member": (404, 10007, "Unknown Member"),
    "unknown message": (404, 10008, "Unknown Message"),
    "unknown user": (404, 10013, "Unknown User"),
    "unknown emoji": (400, 10014, "Unknown Emoji"),
    "unknown webhook": (404, 10015, "Unknown Webhook"),
    "unknown interaction": (404, 10062, "Unknown interaction"),
    "unknown command": (404, 10063, "Unknown application command"),
    "too many reactions": (400, 30010, "Maximum number of reactions reached (20)"),
    "too many commands": (400, 30032, "Maximum number of application commands reached (100)."),
    "too many creates": (400, 30034, "Max number of daily application command creates has been reached (200)"),
    "too large": (413, 40005, "Request entity too large"),
    "acknowledged": (400, 40060, "Interaction has already been acknowledged."),
    "too many followups": (400, 40094, "This interaction has reached the maximum number of follow ups."),
    "missing access": (403, 50001, "Missing Access"),
    "other author": (403, 50005, "Cannot edit a message authored by another user"),
    "empty message": (400, 50006, "Cannot send an empty message"),
    "closed door": (403, 50007, "Cannot send messages to this user"),
    "missing permissions": (403, 50013, "Missing Permissions"),
    "system message": (403, 50021, "Cannot execute action on a system message"),
    "channel type": (400, 50024, "Cannot execute action on this channel type"),
    "webhook token": (401, 50027, "Invalid Webhook Token"),
    "recipient": (400, 50033, "Invalid Recipient(s)"),
    "archived": (400, 50083, "Thread is archived"),
    "json": (400, 50109, "The request body contains invalid JSON."),
    "flagged": (403, 20026, "Your bot has been flagged by our anti-spam system for abusive behavior."),
    "newer than us": (403, 59_999, "Cannot do that for a reason that nobody has heard of yet"),
    "reply unread": (400, 160002, "Cannot reply without permission to read message history"),
    "second thread": (400, 160004, "A thread has already been created for this message"),
    "locked": (400, 160005, "This thread is locked"),
    "too many threads": (400, 160006, "Maximum number of active threads reached"),
    "filtered": (400, 200000, "Message was blocked by automatic moderation"),
}


class Refusal(Exception):  # noqa: N818  (it is an answer, not an error of ours)
    """The stand-in does not do it, and says so as Discord would."""

    def __init__(self, what: str):
        self.status, self.code, self.message = REFUSALS[what]
        super().__init__(f"{self.status} {self.code}: {self.message}")

    def body(self) -> JSON:
        """What the client is told."""
        return {"message": self.message, "code": self.code}


class InvalidForm(Refusal):
    """A payload that does not fit: each fault stands at its place in a tree shaped like the payload."""

    def __init__(self, faults: list[tuple[Path, str, str]]):
        Exception.__init__(self, "; ".join(f"{'.'.join(map(str, path))}: {words}" for path, _, words in faults))
        self.status, self.code, self.message = 400, 50035, "Invalid Form Body"
        self.faults = faults

    def body(self) -> JSON:
        """The tree of faults, as Discord nests it."""
        errors: JSON = {}
        for path, code, message in self.faults:
            branch = errors
            for step in path:
                branch = branch.setdefault(str(step), {})
            branch.setdefault("_errors", []).append({"code": code, "message": message})
        return {**super().body(), "errors": errors}
