"""What games tell learners: every word of the rules is known, and every picture is what the judge says."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.dice import Dice
from engine.game import AnyGame, NotationError
from engine.games import GAMES
from engine.teaching.entries import PLACE, Entry, found, mentioned, names, plain
from engine.teaching.reach import reached
from tests.chat_room import ChatRoom, open_room
from tests.parts_of_games import TAUGHT

DRAWN = [(key, entry) for key in TAUGHT for entry in GAMES[key].entries if entry.scene and entry.scene.reaches]
WORDS_OF_THE_RULEBOOKS = {
    "tokonoma": "board; tile; tiles; hexagonal tile; house; setup; white; black; first move; forward; forward- "
    "sideways; backward-sideways; backwards; sideways; rightmost tile; leftmost tile; light tile; dark "
    "tile; mid; middle tile; light; dark; tile color; colour; star; flat; flats; arm; hand; blind; "
    "stars; tall; talls; tall-piece; tall piece; stack; stacks; stacking; stacked; jump; obstacle; "
    "obstacles; pattern; movement; move; turn; turns; attack; attacked; attacking; under attack; "
    "attacking piece; counter-attack; capture; captured; two pieces; legal move; win; house capture; "
    "stalemate; draw; draw by repetition; repetition; diagonal; diagonally; edges of the tiles; six "
    "closest tiles; pieces; piece; lose; lost; stages; inactive; threefold; pass; passing; tone",
    "tirachen": "board; green; grey; homeland; homelands; general; deployment area; no man's land; pieces; piece; "
    "fort; commander; pike; pikeman; pikemen; master of arms; master of spells; master of the hunt; "
    "masters; masters of arms; traitor; traitor piece; objective; objectives; king; queen; protected; "
    "protected square; guard; fort's guard; fort guard; adjacent; adjacent to the fort; sacrifice; "
    "capture; capturing; captures; straight line; occupied; open square; place; deploy; deployment "
    "phase; deployment; mobilize; mobilizing; mobilized; mobilized phase; declare; undeployed fort; "
    "undeployed; previously-undeployed piece; gain control; extra move; jump; L; knight; pass; other "
    "piece; first; turn; turns; start; setup; win; victory; lose; draw; repetition; stalemate; reserve; "
    "pool; last piece; patch; patches; rotation; center square; centre; square; move through pieces; "
    "take; hunter; mage",
    "ironclad": "grid; stone; stones; string; unbroken string; object; place; placing; negation; rule of negation; "
    "square; corner; corner point; checker; checkers; movement; moving a stone; move; open "
    "intersection; intersection; intersections; circularity; rule of circularity; forfeit; winning "
    "position; win; side; opposite side; edge; edges; board; robot; robots; piece; pieces; turn; "
    "scholars; discourse; scholarly discourse; proposition; slide; sliding; blocked; fire; firing; "
    "cover; range; die; height; stack; goal; black; white; colour; first; setup; draw; lose; opponent "
    "wins; last stone moved; pass; breakthrough; swap",
    "chirality": "board; rosette; penrose; rhomb; rhombus; rhombs; tile; tiles; uncut; R2; R2 rosette; ring; rings; "
    "concentric rings; star; stars; central star; throne; moat; gate; gates; fringe; fringe formation; "
    "outer fringe; opposing gates; neutral gate; starting gate; starting gates; gate assignment; "
    "multiplayer gate assignment; thick; thin; thick piece; thin piece; thick tile; thin tile; type; "
    "current type; piece; pieces; objective; army; eliminate; elimination; garrison; garrisons; inner "
    "garrison; inner garrisons; inner star; standard; standard game; standard setup; quick; quick game; "
    "long; long game; multiplayer; players; P-player legal; spacing; reserve; reserve pieces; active "
    "pieces; setup; turn; turn structure; action; skip; pass; movement; move; edge; full edge; vertex; "
    "vertex-adjacent; adjacent; mustering; muster; mustered piece; remote mustering; remote muster; "
    "half; same half; half of the board; attack; attack source; attack sources; cross- terrain; thick "
    "attack; thin attack; garrison attack; capture; captures; capture rules; thick capture; thin "
    "capture; simultaneous; simultaneous capture; initiative; throne exposure; exposed; attack map; "
    "garrison rules; turn resolution; turn resolution order; resolution order; resolution; end of turn; "
    "winning; losing; winning and losing; win; lose; no legal action; legal action; draw; mirror; "
    "mirror-image; rotation; rotations; chiral; chirality; control; occupy; occupation; first turn; "
    "first-turn gate; threat; threatened; newly mustered; forms; breaks; form; break; edges; remote",
    "veney": "self; fighter; fencer; fool; devil; king; lunge; sword; queen; engagement; engagements; pawn; "
    "pawns; cloak; knight; balance; bishop; shadow; dagger; guard; ward; rook; dragon king; shield; "
    "lantern; jutsu; blink; blinks; free engagement; ruin; rien; ruin/rien; runestone; waystone; "
    "donkey; the donkey; floating ruin; touch-move; touch-move rule; turn counter; critical; critical "
    "piece; critical pieces; virtual; virtual pieces; technical; technical pieces; major; minor; "
    "middle; blades; blade; armament; armaments; lesser armaments; starting pieces; reserve pieces; "
    "fighting pieces; fendable; fendable pieces; fend; fended; fent; take; taken; discard; discarded; "
    "withdrawn; removed; captured; capture; see; sees; attack; board; measure; measures; first measure; "
    "second measure; third measure; fourth measure; step; steps; line; lines; diagonal; side; your "
    "side; centre line; center line; piste; aspect; aspects; special; special move; special moves; "
    "adjacent; concert; in concert; retreat; reset; retreat limit; cavazione; opposition; stepping "
    "stone; stepping stones; stepping-stone; step-stone; en passant; possession; meta-move; meta-moves; "
    "feign; blade capture; sever; severed; cut free; shift; control; persistence; throw; dagger throw; "
    "distraction; distraction effect; short-success; short success; stick-dice; stick dice; sticks; "
    "odds; success; deflection; deflect; pseudo-armament; flail; flailing; glare; presence; intention; "
    "strike; enact; bluff; place; placing; piece drop; piece placement; piece-placement area; withdraw; "
    "withdrawing; withdrawal; disarm; disarmament; overextended; disadvantaged; disadvantage; double- "
    "move; double-moves; double move; move; moves; immaterial actions; immaterial; passing; pass; "
    "device; devices; mysticism; art; shadow-stabbing; shadow stabbing; hirakamae; hirakamae stance; "
    "stance; death spell; deathspell; cast piece; cast; cast-square; cast square; cast lantern; fire "
    "dance; cast cloak; obscurant chaos; cast dagger; shima; setting up; setup; baseline; standard "
    "baseline; concealed; sittuyin; sittuyin-style; setup in turns; advantage; random drawing; "
    "initiative; impasse; quibbling; non-fencing; disarm from death; dying moves; dying; edge cases; "
    "directionality; ending; endings; checkmate; checkmate by touch; checkmate by disarm; double- "
    "checkmate; double-checkmate by touch; checkmate by self-disarm; self-disarm; resignation; "
    "abandonment; draw; draw by agreement; draw by no contest; no contest; untenable; untenable move; "
    "untenable moves; call; friendly; friendly game; time penalty; turn penalty; piece penalty; "
    "absolute piece penalty; lenient piece penalty; absolute; lenient; sudden death; delayed reset; "
    "custom rules; fairy pieces; archives assassin; aristocrat; ceremonial guard; illusionist; sets; "
    "incomplete sets; asymmetrical; alternate dice; mystic circle; time control; clock; hourglass; "
    "chess clock; notation; raddoppio; balestra; patinando; threat; touche; touché; touch; mate; māta; "
    "mata; offensive maneuvering; defensive maneuvering; counter-offensive maneuvering; maneuvering; "
    "arm's reach; arms reach; ahead; behind; inside; outside; w-ward; z-ward; up-step; down-step; left; "
    "parry; riposte; parry & riposte; engagement measure; grappling; tempo; formal; formal game; "
    "casual; casual game; token; tokens; for keeps; playing for keeps; turn; reserve; range; "
    "constraint; range constraint; check; castling; leap; leaping; shattered; burned; extinguished; "
    "transcended; bludgeoned; subverted; negated; negation; rock paper scissors; promotion; sand; "
    "playing with sand; stalemate; repetition; zugzwang; à toi; a toi; your move; and to you; "
    "baselines; first move; double touch; disarmed; lost; goal; orthogonal; orthogonally; corresponding "
    "square; yielding; win; penalty; swordless; casting; chaos; hug",
}
"""Headings, terms in bold, definitions and other names, in the order in which the rulebooks have them."""


MEANT = {
    "tokonoma": "hex: Tone; starting position: Tall; objective: House; three times: Draw; die together: Stacking; "
    "counterattack: Attack; unstack: Tall; removed from play: Attack; short: Flat",
    "tirachen": "l-shape: traitor; forward: pike; who plays first: How the pieces move; armies: The pool; "
    "spear: pike; archer: master of the hunt; swordsman: master of arms; occupying: The homeland; "
    "center homeland square: No man's land; mobilization: The mobilized phase; bring in: The mobilized phase; "
    "skip: How the pieces move; three-fold: Draw; checkmate: general; colors: No man's land",
    "ironclad": "attack: Firing; destroyed: Firing; odds: Cover; hit: Cover; miss: Cover; capture: Robot; "
    "home row: Breakthrough; break through: Breakthrough; full game: Two halves; adjacent: Stone; lines: Stone; "
    "connecting: String; diagonal: Sliding; no room: Placing; laws of inference: Discourse; forfeiture: Forfeit",
    "chirality": "corner: Movement; vertices: Movement; two attackers: Capture; resolve: Capture; immune: Garrison; "
    "8/8: Setup; interval: Setup; petaled: Moat; rhombi: The board; left-handed: The board; armies: Piece",
    "veney": "lunging: Self; $: Sword; ==: Retreat; !: Intention; ~: Special move; *: Placing; ---: Passing; #: Touch; "
    "##: Double-checkmate; U: Untenable; t: Fend; f: Fend; e: engagement; W: Measure; rank: Measure; "
    "intersections: free engagement; cutting free: Severing; e.p.: En passant; knucklebones: Throw; "
    "parrying: Parry; glared: Glare; blinking: Jutsu; bluffing: Intention; over-extended: Disarm; "
    "disadvantagement: Disarm; hour glass: Time control; peace: No contest; illegal move: Untenable; "
    "resigning: Resignation; abandoned: Resignation; both lose: Double-checkmate; pendulum: Lantern; "
    "inert: Ruin; grapple: Grappling; upstep: Directions; constrained: Range; shattering: Fend; "
    "magic circle: Variants; consecutive passes: Passing",
}
"""Other forms and everyday words, and the entries that they mean."""


def start(game: AnyGame) -> object:
    return game.setup({}, Dice(bytes(32)))


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ChatRoom]:
    room = await open_room(tmp_path)
    yield room
    await room.store.close()


async def answer(room: ChatRoom, text: str) -> str:
    before = len(room.lines) + 1
    await room.say("anna", text)
    return "\n".join(room.lines[before:])


@pytest.mark.parametrize("key", sorted(WORDS_OF_THE_RULEBOOKS))
async def test_every_word_of_the_rulebook_is_known(key: str, room: ChatRoom) -> None:
    unknown = []
    for word in WORDS_OF_THE_RULEBOOKS[key].split("; "):
        room.now += 60_000
        said = await answer(room, f"rules {key} {word}")
        if not said or "has no rule" in said:
            unknown.append(word)
    assert unknown == []


@pytest.mark.parametrize("key", sorted(MEANT))
def test_an_entry_is_found_by_other_forms_and_by_what_people_call_it(key: str) -> None:
    asked = dict(one.rsplit(": ", 1) for one in MEANT[key].split("; "))
    told = {word: found(GAMES[key].entries, word) for word in asked}
    assert {word: ", ".join(entry.name for entry in entries) for word, entries in told.items()} == asked


@pytest.mark.parametrize("key", TAUGHT)
async def test_notation_is_told_where_it_is_asked_for_as_a_rule(key: str, room: ChatRoom) -> None:
    said = await answer(room, f"rules {key} notation")
    assert "has no rule" not in said
    assert key == "veney" or f"`{GAMES[key].writings[0].text}`" in said


@pytest.mark.parametrize("key", TAUGHT)
def test_every_entry_says_two_or_three_sentences(key: str) -> None:
    assert [entry.name for entry in GAMES[key].entries if len(entry.says) not in (2, 3)] == []


@pytest.mark.parametrize("key", TAUGHT)
def test_whatever_moves_is_shown_with_how_far_it_goes(key: str) -> None:
    """Each kind of piece that stands on a board, but for a fort, which moves nowhere."""
    game = GAMES[key]
    kinds = {figure.name for figure in game.draw(start(game), None).figures} | {"movement"}
    unseen = [name for name in sorted(kinds) if not any(entry.scene for entry in found(game.entries, name))]
    assert unseen == []


@pytest.mark.parametrize(
    ("key", "words", "name"),
    [
        ("veney", "Hirakamae stance", "Hirakamae"),
        ("veney", "moves", "Move"),
        ("veney", "the disarm from death", "Dying turn"),
        ("veney", "the lenient piece penalty", "Penalty"),
        ("tirachen", "the traitor piece", "traitor"),
        ("chirality", "the Gate's outer fringe", "Gate"),
    ],
)
def test_an_entry_is_found_by_words_around_its_name(key: str, words: str, name: str) -> None:
    entries = GAMES[key].entries
    assert [str(entry.name) for entry in found(entries, words) or mentioned(entries, words)] == [name]


@pytest.mark.parametrize("key", TAUGHT)
def test_every_piece_on_the_board_and_in_a_tray_is_known(key: str) -> None:
    game = GAMES[key]
    drawn = game.draw(start(game), None)
    said = {figure.name for figure in drawn.figures} | {tray.label for tray in drawn.trays}
    said |= {name for tray in drawn.trays for _, name, _ in tray.pieces}
    assert [name for name in sorted(said) if not found(game.entries, name)] == []


@pytest.mark.parametrize("key", TAUGHT)
def test_no_name_belongs_to_two_entries_of_one_subject(key: str) -> None:
    seen: dict[tuple[str, str], str] = {}
    for entry in GAMES[key].entries:
        for name in {*names(entry)}:
            assert seen.setdefault((entry.subject, name), entry.name) == entry.name, name


@pytest.mark.parametrize("key", TAUGHT)
def test_every_section_that_an_entry_names_holds_rules(key: str) -> None:
    game = GAMES[key]
    empty = [
        entry.section
        for entry in game.entries
        if entry.section and not any(rule.ref.startswith(entry.section) for rule in game.rules)
    ]
    assert empty == []


@pytest.mark.parametrize(("key", "entry"), DRAWN, ids=[f"{key} {entry.name}" for key, entry in DRAWN])
def test_a_picture_shows_what_the_judge_lets_pass_and_nothing_else(key: str, entry: Entry) -> None:
    game = GAMES[key]
    assert entry.scene is not None
    shown = reached(game, entry.scene)
    places = {*shown.open, *shown.taken}
    assert places
    for place in game.board(shown.position).outlines:
        try:
            turn = game.read(entry.scene.way.replace(PLACE, place), shown.position)
        except NotationError:
            assert place not in places
            continue
        if place in places:
            assert [*game.judge(shown.position, turn)] == []
        elif place != entry.scene.site and place in (game.ends(turn, shown.position) or {place}):
            assert [*game.judge(shown.position, turn)] != []


@pytest.mark.parametrize("key", TAUGHT)
def test_every_example_of_notation_can_be_read_where_it_is_said_to(key: str) -> None:
    game = GAMES[key]
    assert game.goal
    assert len(game.writings) >= 2
    for writing in game.writings:
        position = game.decode(writing.position) if writing.position else start(game)
        for part in game.split(writing.text):
            game.read(part, position)


@pytest.mark.parametrize("key", sorted(GAMES))
async def test_chat_knows_every_entry_option_and_title_of_a_rule(key: str, room: ChatRoom) -> None:
    game = GAMES[key]
    asked = {entry.name for entry in game.entries} | {option.key for option in game.options}
    asked |= {rule.title for rule in game.rules}
    for word in sorted(asked):
        room.now += 60_000
        said = await answer(room, f"rules {key} {word}")
        assert said, word
        assert "has no rule" not in said, word


def test_plain_words_forgive_capitals_articles_and_plurals() -> None:
    assert plain("The Masters of Arms") == plain("master of arm")
    assert plain("Selves") == plain("self")
    assert plain("moves") == plain("move")
    assert plain("the Self's lunge") == "self lunge"


@pytest.mark.parametrize("key", TAUGHT)
async def test_a_game_is_told_with_its_goal_its_notation_a_picture_and_what_to_read_next(
    key: str, room: ChatRoom
) -> None:
    game = GAMES[key]
    (post,) = await room.say("anna", f"games {key}")
    said = "\n".join(room.lines)
    assert str(game.goal[0]) in said
    assert [writing.text for writing in game.writings if f"`{writing.text}`" not in said] == []
    assert post.picture is not None
    assert [word for word in ("rules", "learn", "terms") if f"`{word} {key}`" not in said] == []
