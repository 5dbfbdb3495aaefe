"""Routes of interactions: the first answer, and the token that speaks for fifteen minutes after it."""

from tests.discord_standin.call import Call
from tests.discord_standin.interactions import Interaction
from tests.discord_standin.refusal import JSON, Refusal


def callback(call: Call) -> JSON | None:
    """The first answer."""
    interaction = call.interactions.get(call.ids["token"])
    if interaction is None or str(interaction.id) != call.ids["interaction"]:
        raise Refusal("unknown interaction")
    told = interaction.respond(call.body(), call.files)
    return told if call.query.get("with_response", "0").lower() in ("1", "true") else None


def follow_up(call: Call) -> JSON:
    """A later message."""
    return _interaction(call).follow_up(call.body(), call.files).json()


def get_reply(call: Call) -> JSON:
    """An answer as it stands."""
    return _interaction(call).find(call.ids["message"]).json()


def edit_reply(call: Call) -> JSON:
    """Change an answer, or fill one that is "thinking…"."""
    interaction = _interaction(call)
    return interaction.change(interaction.find(call.ids["message"]), call.body(), call.files).json()


def delete_reply(call: Call) -> None:
    """Take an answer away."""
    interaction = _interaction(call)
    interaction.remove(interaction.find(call.ids["message"]))


def _interaction(call: Call) -> Interaction:
    if call.id("application") != call.world.application or call.ids["token"] not in call.interactions:
        raise Refusal("unknown webhook")
    return call.interactions[call.ids["token"]]
