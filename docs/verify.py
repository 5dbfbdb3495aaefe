"""Checks the luck of a finished match from its record alone: `python verify.py RECORD [HASH PLAYER=HASH …]`."""

import re
import sys
from hashlib import sha256
from hmac import digest
from pathlib import Path

LUCK = re.compile(r"(?<=\S)\((?:\w+:)?([WB]+|[+-]?\d+)\)")  # sticks, coins or a die


def check(what, told, due):
    if told != due:
        sys.exit(f"{what}: {told} should be {due}")


lines = [line.strip() for line in Path(sys.argv[1]).read_text("utf-8-sig").strip().splitlines()] + [""]
pairs = [line.partition(": ")[::2] for line in lines[1 : lines.index("")]]
header, shares = dict(pairs), [value.split(" ") for name, value in pairs if name == "Share"]
told = [term.split("=", 1) for term in header["Terms"].split("; ")]
once, terms = [name for name, _ in pairs if name != "Share"] + [key for key, _ in told], dict(told)
check("headers and terms told twice", sorted(once), sorted(set(once)))
if header.get("Luck") != "3":
    sys.exit("This match was begun by an older version: use `riposte verify`.")
game, match, seed = header["Game"], header["Match"], bytes.fromhex(header["Seed"])
check("number of the match", match, str(int(match)))
throw = terms["throw"] if game == "veney" else "d6"
stand, ply, drawn = {}, 0, []  # the turns that stand, and what was drawn so far


def number(at, faces):  # the number of this ply at a place, from 0
    turns = sha256("\n".join(text for each, text in stand.items() if each < ply).encode()).hexdigest()
    signed = f"{','.join(one for _, one in shares)}|{match}|{ply}|{at}.0|{turns}".encode()
    drawn.append(int.from_bytes(digest(seed, signed, "sha256")[:8], "big") % faces)  # `.1`: once in 10^17 times
    return drawn[-1]


made = [sha256(seed).hexdigest(), *(f"{who}={sha256(share.encode()).hexdigest()[:32]}" for who, share in shares)]
posted = sys.argv[2:] or [header["Commitment"], *made[1:]]
check("hashes", posted, made if "=" in "".join(posted) else [one.split("=")[-1] for one in made])

seats = [(name[7:], *value.split(" ")[:2]) for name, value in pairs if name.startswith("Player ")]
every = {"chirality": "Red P1 Blue P2 Gold P3 Green P4 Violet P5", "tirachen": "Red R White W"}
check(
    "sides", [word for one in seats for word in one[:2]], every.get(game, "White W Black B").split()[: 2 * len(seats)]
)
(names, keys, seated), order = map(list, zip(*seats, strict=True)), [who for who, _ in shares]
own = terms["side"].title() in names  # of the challenger, who is first; the others are shuffled after Fisher and Yates
for at, last in enumerate(range(len(order) - 1, own, -1)):
    other = own + number(at, last + 1 - own)
    order[last], order[other] = order[other], order[last]
if own:
    order.insert(names.index(terms["side"].title()), order.pop(0))
check("seats", seated, order)
if not terms["start"]:
    if gate := re.search(r"gates: (\d+)", header["Start"]):
        usual = range(1, 11 if "275" in terms["board"] else 6)
        gates = sorted({int(one) for one in re.findall(r"\d+", terms["gates"])}) or usual
        check("first gate", int(gate[1]), gates[number(len(drawn), len(gates))])
    setup, first = terms.get("setup"), terms.get("first")
    if setup == "turns" or (first in ("drawn", "usual", "random") and setup != "concealed"):
        check("first side", re.search(r"to: (\w+)", header["Start"])[1], keys[number(len(drawn), len(keys))])

answered = False
for line in lines[lines.index("") :]:
    if turn := re.fullmatch(r"(?:(\d+)\. \S+ [!-~]+(?: [!-~]+)*|reply \S+ .+)", line):
        check("number of a turn", int(turn[1] or ply + 1), ply + 1)
        ply, at, text = ply + 1, 0, line.partition(" ")[2]
        luck = LUCK.findall(text) if turn[1] else []
        check(f"brackets of turn {ply}", re.findall(r"[][(){}<>]", LUCK.sub("", text)) if turn[1] else [], [])
        for shown in luck:
            if shown.isalpha():
                due = "".join("WB"[number(at + each, 2)] for each in range(len(shown)))
            else:
                face = number(at, int(throw[1:])) + 1
                due = f"{'-+'[face == 1] if shown[0] in '+-' else ''}{face}"
            check(f"throw of turn {ply}", shown, due)
            at += len(shown) if shown.isalpha() else 1
        if throw.startswith(("sticks", "coins", "d")):  # and no guess decides Veney's throws
            check(f"throws left out of turn {ply}", re.findall(r" .*t\w\d+~(?![(?]).*", line), [])
        stand[ply] = f"{ply}. {text}"
    elif line.startswith("lots "):
        check(f"lots of answer {ply}", line, f"lots 2:{number(0, 2)}" if answered else "none here")
    elif cut := re.fullmatch(r"(?:called|taken back from) (\d+)(?: by \S+: (?!late)(\S+) .*)?", line):
        check("what was taken back", int(cut[1]) in stand, True)
        stand = {each: text for each, text in stand.items() if each < int(cut[1])}
        ply = int(cut[1]) - (cut[2] in ("friendly", "time", None))  # else the turn that was lost keeps its number
    elif not re.fullmatch(
        r"(;.*|held .*|called .*: late .*|\S+ (resigns|runs .*|loses .*)|draw agreed|board reset|terms .*)?", line
    ):
        sys.exit(f"`{line}` is no line of a record.")
    answered = line.startswith("reply ") or (answered and line.startswith(";"))

print(f"Seats, setup and all {len(drawn)} numbers follow from the turns and what has these hashes:", *made, sep="\n")
print(f"They were drawn for match {match} of {game}, on these terms: {header['Terms']}")
