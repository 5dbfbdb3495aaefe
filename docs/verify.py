"""Checks the luck of a finished match from its record alone: `python verify.py RECORD [HASH PLAYER=HASH …]`."""

import re
import sys
from hashlib import sha256
from hmac import digest
from pathlib import Path

head, _, body = Path(sys.argv[1]).read_text("utf-8").partition("\n\n")
pairs = [line.partition(": ")[::2] for line in head.splitlines()]
header, shares = dict(pairs), [value.split(" ") for name, value in pairs if name == "Share"]
terms = dict(term.split("=", 1) for term in header["Terms"].split("; "))
seed, throw = bytes.fromhex(header["Seed"]), terms.get("throw", "d6")  # Ironclad has no such term, and one die
if header.get("Luck") != "3":
    sys.exit("This match was begun by an older version: use `riposte verify`.")
stand, ply, drawn = {}, 0, []  # the turns that stand, and what was drawn so far


def check(what, told, due):
    if told != due:
        sys.exit(f"{what} of ply {ply}: {told} should be {due}")


def number(at, faces):  # the number of this ply at a place, from 0
    turns = sha256("\n".join(text for each, text in stand.items() if each < ply).encode()).hexdigest()
    signed = f"{','.join(one for _, one in shares)}|{header['Match']}|{ply}|{at}.0|{turns}".encode()
    drawn.append(int.from_bytes(digest(seed, signed, "sha256")[:8], "big") % faces)  # `.1`: once in 10^17 times
    return drawn[-1]


made = [sha256(seed).hexdigest(), *(f"{who}={sha256(share.encode()).hexdigest()[:32]}" for who, share in shares)]
posted = sys.argv[2:] or [header["Commitment"], *made[1:]]
check("hashes", posted, made if "=" in "".join(posted) else [one.split("=")[-1] for one in made])

seats = [(name[7:].lower(), *value.split(" ")[:2]) for name, value in pairs if name.startswith("Player ")]
(sides, keys, seated), order = map(list, zip(*seats, strict=True)), [who for who, _ in shares]
own = terms["side"] in sides  # of the challenger, who is the first; the others are shuffled after Fisher and Yates
for at, last in enumerate(range(len(order) - 1, own, -1)):
    other = own + number(at, last + 1 - own)
    order[last], order[other] = order[other], order[last]
if own:
    order.insert(sides.index(terms["side"]), order.pop(0))
check("seats", seated, order)
if not terms["start"]:
    if gate := re.search(r"gates: (\d+)", header["Start"]):
        every = range(1, 11 if "275" in terms["board"] else 6)
        gates = sorted({int(one) for one in re.findall(r"\d+", terms["gates"])}) or every
        check("first gate", int(gate[1]), gates[number(len(drawn), len(gates))])
    if terms.get("first") in ("drawn", "usual", "random") and terms.get("setup") != "concealed":
        check("first side", re.search(r"to: (\w+)", header["Start"])[1], keys[number(len(drawn), len(keys))])

for line in body.splitlines():
    if turn := re.fullmatch(r"(?:(\d+)\.|reply) (\S+ .+)", line):
        ply = int(turn[1] or ply + 1)
        for at, shown in enumerate(re.findall(r"(?<=[(:+WB-])([WB]|\d+)(?=[WB]*\))", line)):  # stick, coin or die
            check("throw", shown, "WB"[number(at, 2)] if shown in "WB" else str(number(at, int(throw[1:])) + 1))
        stand[ply] = f"{ply}. {turn[2]}"
        if throw.startswith(("sticks", "coins", "d")):  # and no guess decides Veney's throws
            check("throws left out", re.findall(r" .*t\w\d+~(?![(?]).*", line), [])
    elif line.startswith("lots "):
        check("lot", line, f"lots 2:{number(0, 2)}")
    elif cut := re.fullmatch(r"(?:called|taken back from) (\d+)(?: by \S+: (?!late)(\S+) .*)?", line):
        stand = {each: text for each, text in stand.items() if each < int(cut[1])}
        ply = int(cut[1]) - (cut[2] in ("friendly", "time", None))  # else the turn that was lost keeps its number

print(f"Seats, setup and all {len(drawn)} numbers follow from the turns and what has these hashes:", *made, sep="\n")
