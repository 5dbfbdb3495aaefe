"""Commands about the games, their rules and Riposte itself."""

from dataclasses import replace

from bot.commands.spec.parts import GAME, Command, Slot
from engine.text import Text

COMMANDS: tuple[Command, ...] = (
    Command(
        "help",
        (Slot("command", "command", "[COMMAND]", Text("The command to explain.")),),
        Text("List the commands, or explain one."),
        "help challenge",
        aliases=("?",),
        group="riposte",
    ),
    Command(
        "games",
        (replace(GAME, shape="[GAME]"),),
        Text("List the games, or explain one: its rules, terms and notation."),
        "games tokonoma",
        group="riposte",
    ),
    Command(
        "rules",
        (GAME, Slot("rule", "text", "[WORD]", Text("A piece, a word of the rules, or how a rule's name begins."))),
        Text("Explain a word of a game's rules, with a picture; without a word, list what can be asked for."),
        "rules tokonoma arm",
        group="riposte",
    ),
    Command(
        "learn",
        (
            replace(GAME, shape="[GAME]"),
            Slot(
                "answer",
                "text",
                "[TURN|NUMBER|list|hint|skip|stop]",
                Text("Your answer, a lesson's number, or `list`."),
            ),
        ),
        Text("Learn a game by doing: lessons of a few turns each, for you alone; goes on where you were."),
        "learn tokonoma",
        group="study",
    ),
    Command(
        "spot",
        (Slot("what", "text", "[GAME|call|ok]", Text("The game, or your answer: `call` or `ok`.")),),
        Text("Train your eye: see a turn somebody might have made, and say whether it holds."),
        "spot tokonoma",
        group="study",
    ),
    Command(
        "solve",
        (Slot("what", "text", "[GAME|TURN|answer]", Text("The game, your turn, or `answer` to be told.")),),
        Text("Solve a puzzle by turns: win, touch, take or save yourself; each has one answer."),
        "solve tokonoma",
        group="study",
    ),
    Command(
        "daily",
        (Slot("answer", "text", "[call|ok|TURN]", Text("Your answer; left out: the riddle once more.")),),
        Text("Answer the riddle of the day in this channel; nobody sees your answer before tomorrow."),
        "daily call",
        group="study",
    ),
    Command(
        "analyse",
        (
            Slot(
                "what",
                "text",
                "[MATCH [TURN]|GAME [POSITION]|TURN|back|ask|keep NOTE|kept|stop]",
                Text("What to look at; or a turn to try, `back`, `ask`, `keep`, `kept`, `stop`."),
            ),
        ),
        Text("Try turns on a board of your own: from a match that is over, or from a position; Riposte can be asked."),
        "analyse 12 20",
        aliases=("analyze",),
        group="study",
    ),
    Command(
        "record",
        (Slot("record", "text", "TURNS", Text("The turns: `1. SX5, eY11; 2. eY6, eX11`, with any words around.")),),
        Text("Read a game of Veney that somebody has written down: which of its turns hold, and where they lead."),
        "record 1. SX5, eY11; 2. a+ eY6, $X9",
        group="riposte",
    ),
    Command(
        "terms",
        (GAME,),
        Text("List what can be agreed on before a match of a game."),
        "terms tokonoma",
        group="riposte",
    ),
)
