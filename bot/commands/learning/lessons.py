"""The course of a game: a position, a task, an answer typed as in a match; where one was is stored."""

from dataclasses import dataclass, replace

from bot.commands.context import Context, Effect, reader_language, refused, reply_lines, whisper, whisper_lines
from bot.commands.learning.asides import AGAIN, BACK, HINT, LIST, ONWARD, RESTART, STOP, TOLD, aside
from bot.commands.learning.games import named_game, which_game
from bot.commands.parser import ParsedCommand
from bot.commands.spec import BY_NAME
from bot.messages.model import Choice, IncomingMessage
from bot.messages.narrator import Draft
from bot.messages.showing.pictures import diagram, picture
from bot.repository import Repository
from engine.diagram import Diagram, Mark
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.match.commands import Player
from engine.match.events import Refusal
from engine.teaching.attempt import Attempt, attempt, offered
from engine.teaching.lessons import Lesson, Step
from engine.text import Code, Listing, Text, plural
from render.alt_text import describe
from render.text_board import board as text_board

OPEN = "lesson"
"""The setting that says which game's course somebody is at, and since when."""
AT = "lesson of {game}"
"""The setting that says how far they are."""
ATTENTIVE = 3 * 3_600_000
"""How long after the last step plain words can be its answer."""
BARE = (HINT, ONWARD)
"""Words that need no `learn` before them while a lesson is open."""

NEXT = Text("Next")
ANSWER = Text("Make the turn")
CALL = Text("Call it out")
LET_STAND = Text("Let it stand")
RIGHT = Text("Right.")
NOT_RIGHT = Text("No.")
WRITE = Text("Write your turn as in a match.")
WRITE_LEARN = Text("Write `learn` and your turn, or press the button.")
HELP = Text("`hint` helps, `skip` goes on, `learn stop` ends it; next time `learn` goes on from here.")
HELP_LEARN = Text("`learn hint` helps, `learn skip` goes on; next time `learn` goes on from here.")
COURSES = Text("`learn` lists the courses.")
TRY_AGAIN = Text("Try again, or ask for a `hint`.")
SAY_WHICH = Text("In this thread your turns belong to the match: answer with `learn` before them.")


@dataclass(frozen=True, slots=True)
class Course:
    """How far somebody is in a game's lessons."""

    game: AnyGame
    lesson: int = 0
    step: int = 0
    done: frozenset[int] = frozenset()

    @property
    def over(self) -> bool:
        """Whether the last lesson lies behind them."""
        return self.lesson >= len(self.game.lessons)

    @property
    def now(self) -> Step:
        """The step that is to be solved."""
        return self.game.lessons[self.lesson].steps[self.step]

    def onward(self, *, solved: bool = True) -> "Course":
        """The course after this step; a lesson whose last step is solved is done."""
        if self.step + 1 < len(self.game.lessons[self.lesson].steps):
            return replace(self, step=self.step + 1)
        done = self.done | {self.lesson} if solved else self.done
        return replace(self, lesson=self.lesson + 1, step=0, done=done)

    def write(self) -> str:
        """As it is stored."""
        return f"{self.lesson} {self.step} {','.join(map(str, sorted(self.done)))}".strip()


async def learn(repository: Repository, context: Context) -> Effect:
    """Begins a course, goes on with one, or takes an answer."""
    message, words = context.message, context.parsed.words
    owner = context.accounts[0]
    at_hand = await _open(repository, owner)
    game = named_game(words[0]) if words else None
    rest = " ".join(words[1:] if game else words)
    if game is None and not words and at_hand is None:
        return _courses(message)
    if game is None and at_hand is None and aside(rest):
        return whisper(message, Text("No lesson is open for you."), COURSES)
    if game is None and at_hand is None:
        return Effect() if len(words) > 1 and not message.addressed else which_game(message, words[0])
    if game is not None and not game.lessons:
        return whisper(message, Text("{game} has no lessons yet.", game=game.name))
    course = await _course(repository, owner, game) if game is not None else at_hand
    assert course is not None, "either is there"
    word = aside(rest)
    if word == LIST:
        return _listed(message, course)
    if word == STOP:
        return _closed(message, owner)
    if rest.isdigit() and rest.isascii() and len(rest) < 4:
        return _turned_to(context, course, int(rest))
    if word == RESTART:
        return _shown(context, Course(course.game, done=course.done))
    if not rest or word in (AGAIN, BACK):
        return _over(context, course) if course.over else _shown(context, course)
    if course.over:
        return _over(context, course)
    return await _answered(context, course, rest)


async def overheard(
    repository: Repository, message: IncomingMessage, accounts: tuple[Player, ...], text: str, *, sure: bool = False
) -> Effect | None:
    """Returns what plain words lead to as the answer to an open lesson; None where they are none.

    `sure`: they were said to Riposte, or look like notation.
    """
    course = await _open(repository, accounts[0], message.at)
    if course is None or course.over or message.where.thread:
        return None
    if text.lower() not in BARE and not _is_answer(course, text) and not sure:
        return None
    return await _answered(_context(message, accounts), course, text)


async def looked(
    repository: Repository, message: IncomingMessage, accounts: tuple[Player, ...], place: str
) -> Effect | None:
    """Returns what `look` says of the board of an open lesson; None where there is none."""
    course = await _open(repository, accounts[0], message.at)
    if course is None or course.over or message.where.thread:
        return None
    game, step = course.game, course.now
    position = game.decode(step.position)
    side = game.to_act(position)
    try:
        return whisper(message, *(game.look(position, place[:40], side) if place else describe(_drawn(course))))
    except NotationError as error:
        return refused(_context(message, accounts), Refusal(error.because, error.remedy))


async def boarded(
    repository: Repository, message: IncomingMessage, accounts: tuple[Player, ...], words: str
) -> Effect | None:
    """Returns the board of an open lesson, on request in plain characters; None where there is none."""
    course = await _open(repository, accounts[0], message.at)
    if course is None or course.over or message.where.thread:
        return None
    context = _context(message, accounts)
    if "text" not in words.lower().split():
        return _shown(context, course)
    language = await reader_language(repository, context)
    return whisper(message, Text("`{board}`", board=text_board(_drawn(course), language.say)))


async def may_answer(repository: Repository, player: Player, text: str) -> bool:
    """Whether a line may be a turn in somebody's open lesson, so that others need not see it."""
    accounts = await repository.accounts(player)
    course = await _open(repository, accounts[0])
    return course is not None and not course.over and not course.now.turn and _is_answer(course, text)


# --- what is stored ---------------------------------------------------------------------------------------
async def _open(repository: Repository, owner: Player, now: int | None = None) -> Course | None:
    """The course that somebody is at; with `now`, only if they were at it lately."""
    key, _, at = (await repository.setting(owner, OPEN)).partition(" ")
    game = GAMES.get(key)
    if game is None or not game.lessons or (now is not None and now - int(at) > ATTENTIVE):
        return None
    return await _course(repository, owner, game)


async def _course(repository: Repository, owner: Player, game: AnyGame) -> Course:
    """How far somebody is; where lessons have changed meanwhile, at the nearest step there is."""
    stored = (await repository.setting(owner, AT.format(game=game.key))).split()
    if not stored:
        return Course(game)
    lesson = min(int(stored[0]), len(game.lessons))
    known = lesson < len(game.lessons) and int(stored[1]) < len(game.lessons[lesson].steps)
    done = frozenset(int(one) for one in stored[2].split(",")) if len(stored) > 2 else frozenset[int]()
    return Course(game, lesson, int(stored[1]) if known else 0, done)


def _kept(effect: Effect, owner: Player, course: Course, at: int) -> Effect:
    settings = ((owner, OPEN, f"{course.game.key} {at}"), (owner, AT.format(game=course.game.key), course.write()))
    return replace(effect, settings=settings)


def _closed(message: IncomingMessage, owner: Player) -> Effect:
    effect = whisper(message, Text("The lesson is put aside."), COURSES)
    return replace(effect, settings=((owner, OPEN, ""),))


# --- what is said -----------------------------------------------------------------------------------------
def _courses(message: IncomingMessage) -> Effect:
    """The courses that there are."""
    offered = tuple(game for game in GAMES.values() if game.lessons)
    lines = [
        (
            Text("**{game}**:", game=game.name),
            game.gist,
            plural(
                "{count} lesson: `learn {game}`.", "{count} lessons: `learn {game}`.", len(game.lessons), game=game.key
            ),
        )
        for game in offered
    ]
    return reply_lines(message, ((Text("Which game do you want to learn?"),), *lines))


def _listed(message: IncomingMessage, course: Course) -> Effect:
    """The lessons of a course and which of them are done."""
    game = course.game
    lines = [
        (Text((DONE if number in course.done else TO_DO).template, number=number + 1, title=one.title),)
        for number, one in enumerate(game.lessons)
    ]
    return whisper_lines(
        message,
        (
            (Text("**The lessons of {game}**:", game=game.name),),
            *lines,
            (Text("One of them: `learn {game} {number}`.", game=game.key, number=str(min(2, len(lines)))),),
        ),
    )


def _turned_to(context: Context, course: Course, number: int) -> Effect:
    """The course at the lesson of this number."""
    if not 1 <= number <= len(course.game.lessons):
        return whisper(
            context.message,
            plural(
                "{game} has {count} lesson.",
                "{game} has {count} lessons.",
                len(course.game.lessons),
                game=course.game.name,
            ),
            Text("`learn {game} list` lists them.", game=course.game.key),
        )
    return _shown(context, replace(course, lesson=number - 1, step=0))


def _shown(context: Context, course: Course, *before: tuple[Text, ...]) -> Effect:
    """The step that is to be solved, with its picture and the buttons for it."""
    game, step, message = course.game, course.now, context.message
    lesson = game.lessons[course.lesson]
    first = course.lesson == course.step == 0
    goal = ((Text("**{game}**:", game=game.name), *game.goal),) if first and game.goal else ()
    lines = (*before, *goal, _title(course, lesson), step.says, (TASK, step.task))
    if first and game.writings:
        lines += (
            (Text("A turn looks like this: `{example}`.", example=game.writings[0].text), game.writings[0].means),
        )
    if course.step == 0:
        lines += (_how(message, step),)
    position = game.decode(step.position)
    shown = picture(game, position, _viewer(course), turn=step.turn)
    drafts = (Draft(lines, shown, _choices(course), only=message.who.key),)
    return _kept(Effect(drafts=drafts), context.accounts[0], course, message.at)


TASK = Text("**Your task**:")
DONE = Text("✓ {number}. {title}")
TO_DO = Text("{number}. {title}")


def _drawn(course: Course) -> Diagram:
    """What the step's picture shows."""
    return diagram(picture(course.game, course.game.decode(course.now.position), _viewer(course), turn=course.now.turn))


def _title(course: Course, lesson: Lesson) -> tuple[Text, ...]:
    title = Text(
        "**{game}, lesson {number} of {count}: {title}**",
        game=course.game.name,
        number=course.lesson + 1,
        count=len(course.game.lessons),
        title=lesson.title,
    )
    if len(lesson.steps) == 1:
        return (title,)
    return (title, Text("Step {number} of {count}.", number=course.step + 1, count=len(lesson.steps)))


def _how(message: IncomingMessage, step: Step) -> tuple[Text, ...]:
    """How to answer, once a lesson."""
    if message.where.thread:
        return (SAY_WHICH, HELP_LEARN)
    if message.where.platform == "discord" and message.server:  # what is said in its channels is not heard
        return (WRITE_LEARN, HELP_LEARN)
    return (HELP,) if step.turn else (WRITE, HELP)


def _viewer(course: Course) -> str:
    """From whose side a step is seen: whoever is to answer."""
    game, step = course.game, course.now
    position = game.decode(step.position)
    if step.turn:
        position = game.play(position, game.read(step.turn, position))
    return game.to_act(position)


def _choices(course: Course) -> tuple[Choice, ...]:
    if course.now.turn:
        return (Choice(CALL, "learn call"), Choice(LET_STAND, "learn ok"))
    position = course.game.decode(course.now.position)
    blank = Text("For example: {example}", example=course.game.example(position))
    tapped = (Choice(Text("{turn}", turn=turn), f"learn {turn}") for turn in offered(course.game, course.now))
    return (*tapped, Choice(ANSWER, "learn", blank))


async def _answered(context: Context, course: Course, text: str) -> Effect:
    """What an answer leads to: on with the course, or a word about why not."""
    game, step, message = course.game, course.now, context.message
    if aside(text) == HINT:
        return _kept(whisper(message, step.hint), context.accounts[0], course, message.at)
    if aside(text) in (ONWARD, TOLD):
        told = Text("One answer was {answers}.", answers=Listing((Code(step.solution),), "or"))
        return _on(context, course.onward(solved=False), (told,))
    try:
        made = attempt(game, step, text)
    except NotationError as error:
        return refused(replace(context, match=None), Refusal(error.because, error.remedy, readings=error.readings))
    if made.done:
        return _done(context, course, made)
    if step.turn:  # there are only two answers, so it is told and done
        return _on(context, course.onward(solved=False), (NOT_RIGHT, *made.says))
    shown = picture(game, game.decode(step.position), _viewer(course), marks=made.marks) if made.marks else None
    draft = Draft(((*made.says, TRY_AGAIN),), shown, _choices(course), only=message.who.key)
    return _kept(Effect(drafts=(draft,)), context.accounts[0], course, message.at)


def _done(context: Context, course: Course, made: Attempt) -> Effect:
    """Praise, with the board after the turn where the lesson ends; else the next step."""
    game, step, after = course.game, course.now, course.onward()
    if after.lesson == course.lesson:
        return _on(context, after, (RIGHT, *made.says))
    marks: tuple[Mark, ...] = made.marks
    turn = step.turn or made.turn
    shown = picture(game, game.decode(step.position), _viewer(course), turn=turn, marks=marks) if turn else None
    lines = [(RIGHT, *made.says, Text("Lesson {number} is done.", number=course.lesson + 1))]
    choices: tuple[Choice, ...] = ()
    if after.over:
        lines.append(_finished(after))
    else:
        title = game.lessons[after.lesson].title
        lines.append((Text("Next comes “{title}”: `learn`.", title=title),))
        choices = (Choice(NEXT, "learn"),)
    draft = Draft(tuple(lines), shown, choices, only=context.message.who.key)
    return _kept(Effect(drafts=(draft,)), context.accounts[0], after, context.message.at)


def _on(context: Context, course: Course, *before: tuple[Text, ...]) -> Effect:
    """The next step, these lines in front; or the end of the course."""
    return _over(context, course, *before) if course.over else _shown(context, course, *before)


def _over(context: Context, course: Course, *before: tuple[Text, ...]) -> Effect:
    """That there is no lesson more."""
    effect = whisper_lines(context.message, (*before, _finished(course)))
    return _kept(effect, context.accounts[0], course, context.message.at)


def _finished(course: Course) -> tuple[Text, ...]:
    game = course.game
    left = tuple(Code(str(number + 1)) for number in range(len(game.lessons)) if number not in course.done)
    done = (
        Text(
            "You have reached the end of the lessons of {game} and left out {left}.",
            game=game.name,
            left=Listing(left, "and"),
        )
        if left
        else Text("You have done all lessons of {game}.", game=game.name)
    )
    return (
        done,
        Text("A first match: `play {game} level=1`.", game=game.key),
        Text("With `umpire=refuse hints=on` behind it, `hint` tells you what to play."),
        Text("To see one again: `learn {game} list`.", game=game.key),
    )


# --- answers ----------------------------------------------------------------------------------------------
def _is_answer(course: Course, text: str) -> bool:
    """Whether words can be read as an answer to the step."""
    try:
        attempt(course.game, course.now, text)
    except NotationError as error:
        return bool(error.readings)
    return True


def _context(message: IncomingMessage, accounts: tuple[Player, ...]) -> Context:
    return Context(message, ParsedCommand(BY_NAME["learn"], rest=message.text), None, accounts)
