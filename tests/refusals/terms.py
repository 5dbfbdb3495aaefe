"""Terms that cannot be proposed, or changed."""

from engine.match.commands import Amend, Join
from tests.refusals.situations import Refused, challenge, challenged, for_three, of_older_rules
from tests.table import Table

REFUSED: list[Refused] = [
    (
        Table,
        challenge(game="chess"),
        "There is no game called chess.",
        "There are chirality, ironclad, tirachen, tokonoma and veney.",
    ),
    (
        Table,
        challenge(game="x" * 41),
        "There is no game called xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.",
        "There are chirality, ironclad, tirachen, tokonoma and veney.",
    ),
    (
        Table,
        challenge(terms={"handicap": "2"}),
        "No game here knows handicaps.",
        "Agree on a position in which one side has less: `start=`, with its text in quotes.",
    ),
    (
        Table,
        challenge(invited=("anna",)),
        "Nobody can challenge themselves.",
        "Name somebody else: `challenge @name tokonoma`.",
    ),
    (
        Table,
        challenge(invited=("ben", "carol")),
        "Tokonoma on these terms is for 2 players, you among them.",
        "Name one other player.",
    ),
    (
        Table,
        challenge({"players": "3"}, ("ben", "ben"), "chirality"),
        "Chirality on these terms is for 3 players, you among them.",
        "Name at most 2 others, each once.",
    ),
    (
        Table,
        challenge({"formality": "formal"}, game="veney"),
        "This match is played for keeps, and you have no token to stake.",
        "Name one: `token moon shell`.",
    ),
    (
        Table,
        challenge({"umpire": "maybe"}),
        "`umpire=` cannot be `maybe`.",
        "It can be `refuse`, `friendly`, `turn`, `piece` or `sudden`; for example `umpire=refuse`.",
    ),
    (
        Table,
        challenge({"umpire": ""}),
        "`umpire=` cannot be empty.",
        "It can be `refuse`, `friendly`, `turn`, `piece` or `sudden`; for example `umpire=refuse`.",
    ),
    (
        Table,
        challenge({"colour": "red"}),
        "Tokonoma has no term called `colour`.",
        "Its terms are `umpire=`, `time=`, `side=`, `start=`, `takeback=`, `judge=`, `falsecall=`, "
        "`rest=`, `timeout=`, `callfor=`, `analysis=`, `rated=`, `level=`, `slips=` and `hints=`; "
        "for example `umpire=refuse`.",
    ),
    (
        Table,
        challenge({"c" * 41: "red"}),
        "Tokonoma has no term called `cccccccccccccccccccccccccccccccccccccccc`.",
        "Its terms are `umpire=`, `time=`, `side=`, `start=`, `takeback=`, `judge=`, `falsecall=`, "
        "`rest=`, `timeout=`, `callfor=`, `analysis=`, `rated=`, `level=`, `slips=` and `hints=`; "
        "for example `umpire=refuse`.",
    ),
    (
        Table,
        challenge({"umpire": "m" * 41}),
        "`umpire=` cannot be `mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm`.",
        "It can be `refuse`, `friendly`, `turn`, `piece` or `sudden`; for example `umpire=refuse`.",
    ),
    (
        Table,
        challenge({"time": "soon"}),
        "`soon` is not a length of time.",
        "Write days, hours, minutes or seconds: `3d`.",
    ),
    (
        Table,
        challenge({"time": "s" * 41}),
        "`ssssssssssssssssssssssssssssssssssssssss` is not a length of time.",
        "Write days, hours, minutes or seconds: `3d`.",
    ),
    (Table, challenge({"time": ""}), "A length of time is missing.", "Write days, hours, minutes or seconds: `3d`."),
    (Table, challenge({"time": "0m"}), "Too short: at least 5s.", "For example: `time=3d`."),
    (Table, challenge({"time": "60d1m"}), "Too long: at most 60d.", "For example: `time=3d`."),
    (
        Table,
        challenge({"players": "two"}, game="chirality"),
        "`players=` cannot be `two`.",
        "It is a number, 2 or more: `players=2`.",
    ),
    (
        Table,
        challenge({"players": "1"}, game="chirality"),
        "`players=` cannot be `1`.",
        "It is a number, 2 or more: `players=2`.",
    ),
    (
        Table,
        challenge({"retreats": "x"}, game="veney"),
        "`x` is no number of retreats.",
        "Write `1`, `unlimited`, or `1,2` for White and Black.",
    ),
    (
        Table,
        challenge({"players": "3", "side": "violet"}, (), "chirality"),
        "Nobody plays `violet` on these terms.",
        "It can be `lot`, `red`, `blue` or `gold`; for example `side=lot`.",
    ),
    (
        Table,
        challenge({"players": "3", "time": "hourglass 10d"}, (), "chirality"),
        "An hourglass is for two players.",
        "Write a time for each turn: `time=3d`.",
    ),
    (
        Table,
        challenge({"start": "5/6/F6/6/5 b"}),
        "The game is over in that position.",
        "Choose one in which somebody can still move.",
    ),
    (
        challenged(),
        Amend("ben", {"time": "soon"}),
        "`soon` is not a length of time.",
        "Write days, hours, minutes or seconds: `3d`.",
    ),
    (
        for_three,
        Amend("ben", {"players": "2"}),
        "On these terms there are only 2 seats.",
        "Leave the number of players as it is.",
    ),
    (
        challenged(),
        Amend("anna", {"time": "3d"}),
        "Those are the terms as they stand.",
        "The others have yet to answer.",
    ),
    (challenged(), Amend("ben", {"time": "3d"}), "Those are the terms as they stand.", "`accept 1` agrees to them."),
    (
        of_older_rules,
        Join("ben"),
        "The rules of Tokonoma have changed since these terms were proposed.",
        "Propose them again under today's: `counter 1 time=3d`.",
    ),
    (
        Table,
        challenge({"umpire": "sudden", "delayed_reset": "on"}, game="veney"),
        "`delayed_reset=on` settles nothing with `umpire=sudden`.",
        "Leave one of them out.",
    ),
]
