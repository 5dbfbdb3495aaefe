"""Commands about what belongs to a person, and to a server or room."""

from dataclasses import replace

from bot.commands.spec.parts import DEFAULT, GAME, SETTINGS, Command, Slot
from bot.messages.catalogue import languages
from engine.text import Text
from render.theme import THEMES

SEVERAL = Slot("players", "word", "[several]", Text("By matches of three and more."), ("several",))

COMMANDS: tuple[Command, ...] = (
    Command(
        "token",
        (Slot("name", "text", "[NAME]", Text("Its name; left out: which tokens you have won and lost.")),),
        Text("Name your token for games played for keeps, or list those you have won and lost."),
        "token moon shell",
        group="riposte",
    ),
    Command(
        "rating",
        (
            Slot(
                "who", "person", "[@NAME|on|off]", Text("Somebody else; `off`: you are not rated, `on`: you are again.")
            ),
            replace(GAME, shape="[GAME]", gist=Text("Of which game a plot is drawn.")),
            SEVERAL,
        ),
        Text("Show how you or somebody else has done in each game; of one game, a plot; `off`: be rated no more."),
        "rating @ben tokonoma",
        group="riposte",
    ),
    Command(
        "ladder",
        (
            GAME,
            Slot("where", "word", "[all]", Text("Everywhere, not only on this server or in this room."), ("all",)),
            SEVERAL,
        ),
        Text("List the rated players of a game here, best first."),
        "ladder tokonoma",
        group="riposte",
    ),
    Command(
        "account",
        (
            Slot(
                "code", "text", "[CODE|apart]", Text("The code from your other account; `apart`: unlink this account.")
            ),
        ),
        Text("Link your accounts on several platforms, so that you play from any of them."),
        "account",
        group="riposte",
    ),
    Command(
        "apikey",
        (
            Slot(
                "what",
                "word",
                "[new|revoke|webhook]",
                Text("Make a key, end it, or say where news is sent."),
                ("new", "revoke", "webhook"),
            ),
            Slot("address", "text", "[ADDRESS|off]", Text("Behind `webhook`: the address, or `off`.")),
        ),
        Text("Let a program of yours play and listen as you do."),
        "apikey new",
        group="club",
    ),
    Command(
        "theme",
        (
            Slot("theme", "word", "|".join(THEMES), Text("The colours of the boards."), tuple(THEMES)),
            Slot("where", "word", "", Text("For everybody in this channel instead of for you."), ("here",)),
        ),
        Text("Choose the colours of the boards drawn for you."),
        "theme dark",
        group="riposte",
    ),
    Command(
        "language",
        (
            Slot(
                "language",
                "word",
                "[CODE]",
                Text("The language; `usual`: that of your app, or of the room."),
                (*languages(), DEFAULT),
            ),
        ),
        Text("Choose the language in which Riposte answers you."),
        "language en",
        group="riposte",
    ),
    Command(
        "settings",
        (
            Slot("what", "word", f"[{'|'.join(SETTINGS)}]", Text("The setting; left out: all of them."), SETTINGS),
            Slot(
                "value", "setting", "[VALUE]", Text("Its value: here or everywhere, terms such as time=5d, a theme, …")
            ),
        ),
        Text("Show the settings of this server or room; its hosts may change them."),
        "settings channels here",
        group="",
        hosts=True,
    ),
)
