"""Checks the luck of a finished match from its record alone: `python verify.py RECORD [HASH PLAYER=HASH …]`."""

import re
import sys
from hashlib import sha256
from hmac import digest
from itertools import count, pairwise, zip_longest
from pathlib import Path

HEAD = """Riposte record 1\nMatch: (0|[1-9][0-9]*)\nGame: (.+)\nVersion: .+\nTerms: (.+)\n((?:Player .+\n)+)Luck: 3
Commitment: (.+)\nSeed: (.+)\n((?:Share: .+\n)+)Start: (.+)\nResult: .+(?:\n\n|$)"""  # each once, in this order
SIDES = {"chirality": "Red: P1, Blue: P2, Gold: P3, Green: P4, Violet: P5", "tirachen": "Red: R, White: W"}
LUCK = r"(?<=\S)\(((?:\w+:)?)([WB]+|[+-]?\d+)\)"  # sticks, coins or a die: no other brackets are part of a turn
TURN = re.compile(rf"\d+\. (\S+(?: (?:[^][(){{}}<>\s]|{LUCK})+)+)", re.ASCII)
CUT = re.compile(r"(?:called|taken back from) (\d+)(?: by \S+: (?!late )(\S+) .+)?", re.ASCII)
OTHER = re.compile(r"held .+|called .+: late .+|\S+ (resigns|runs .+|loses .+)|draw agreed|board reset|terms .+")


def check(what, told, due):
    if told != due:
        sys.exit(f"{what}: {told} should be {due}")


def numbers(ply, turns):
    """What is drawn in a ply after these turns, number by number; a die shows the remainder by its faces."""
    signed = sha256("\n".join(filter(None, turns)).encode()).hexdigest()
    for at in count():
        text = f"{','.join(share for _, share in shares)}|{match}|{ply}|{at}.0|{signed}"  # `.1`: once in 10^17 times
        drawn.append(int.from_bytes(digest(seed, text.encode(), "sha256")[:8], "big"))
        yield drawn[-1]


def thrown(told):
    """The throw that is due in the place of the one that is told."""
    if told[2].isalpha():
        return f"({told[1]}{''.join('WB'[next(dice) % 2] for _ in told[2])})"
    face = next(dice) % int(throw[1:]) + 1
    return f"({told[1]}{'-+'[face == 1] if told[2][0] in '+-' else ''}{face})"


record = "\n".join(map(str.rstrip, Path(sys.argv[1]).read_text("utf-8-sig").strip().splitlines()))
head = re.match(HEAD, record) or sys.exit("No match that is over under `Luck: 3`: use `riposte verify`.")
match, game, sheet, players, commitment, seed, shares, start = head.groups()
terms, seed, drawn = dict(term.split("=", 1) for term in sheet.split("; ")), bytes.fromhex(seed), []
check("terms told once", len(terms), len(sheet.split("; ")))
shares = [line[7:].partition(" ")[::2] for line in shares.splitlines()]
made = [sha256(seed).hexdigest(), *(f"{who}={sha256(share.encode()).hexdigest()[:32]}" for who, share in shares)]
posted = [commitment, *(sys.argv[2:] or made)]
check("hashes", posted, [made[0], *(made if "=" in "".join(posted) else [one.split("=")[-1] for one in made])])

dice, dealt = numbers(0, []), [who for who, _ in shares]
sides = SIDES.get(game, "White: W, Black: B").split(", ")[: len(dealt)]
own = [at for at, side in enumerate(sides) if side.lower().startswith(terms["side"] + ":")]
challenger = [dealt.pop(0) for _ in own]  # who has chosen a side is not dealt one
for last in range(len(dealt) - 1, 0, -1):  # the shuffle of Fisher and Yates
    other = next(dice) % (last + 1)
    dealt[last], dealt[other] = dealt[other], dealt[last]
for at in own:
    dealt[at:at] = challenger
seats = [" ".join(line.split(" ")[1:4]) for line in players.splitlines()]
check("seats", seats, ["{} {}".format(*seat) for seat in zip_longest(sides, dealt)])
if not terms["start"]:
    if gate := re.search(r"gates: (\d+)", start):
        usual = range(1, 11 if "275" in terms["board"] else 6)
        gates = sorted({int(one) for one in re.findall(r"\d+", terms["gates"])}) or usual
        check("first gate", int(gate[1]), gates[next(dice) % len(gates)])
    setup, first = terms.get("setup"), terms.get("first")
    if setup == "turns" or (first in ("drawn", "usual", "random") and setup != "concealed"):
        check("first side", re.search(r"to: (\w+)", start)[1], sides[next(dice) % len(sides)].split(" ")[1])

stand, throw = [], terms["throw"] if game == "veney" else "d6"  # the turns that stand; "" where one was lost
for before, line in pairwise(one for one in ["", *record[head.end() :].splitlines()] if one[:1] != ";"):
    if turn := TURN.fullmatch(line):
        dice = numbers(len(stand) + 1, stand)
        stand.append(f"{len(stand) + 1}. {re.sub(LUCK, thrown, turn[1])}")
        check("turn", line, stand[-1])
        if throw.startswith(("sticks", "coins", "d")):  # and no guess decides Veney's throws
            check(f"throws left out of {line}", re.findall(r"t\w\d+~(?![(?])", line), [])
    elif reply := re.fullmatch(r"reply (\S+ .+)", line):
        stand.append(f"{len(stand) + 1}. {reply[1]}")
    elif line.startswith("lots ") and before.startswith("reply "):
        check("lots", line, f"lots 2:{next(numbers(len(stand), stand[:-1])) % 2}")
    elif cut := CUT.fullmatch(line):
        check(f"whether that turn stands, {line}", any(stand[int(cut[1]) - 1 : int(cut[1])]), True)
        stand[int(cut[1]) - 1 :] = [] if cut[2] in ("friendly", "time", None) else [""]
    elif line and not OTHER.fullmatch(line):
        sys.exit(f"`{line}` is no line of a record.")

print(f"Seats, setup and all {len(drawn)} numbers follow from the turns and what has these hashes:", *made, sep="\n")
print(f"They were drawn for match {match} of {game}, on these terms: {sheet}")
