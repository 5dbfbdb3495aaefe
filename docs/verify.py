"""Checks the luck of a finished match, from its record alone: `python verify.py RECORD [POSTED HASH …]`."""

import re
import sys
from hashlib import sha256
from hmac import digest
from pathlib import Path


def fell(what, ply, told, turns):  # `told`: how many faces there were, and which of them fell, from 0
    for number, (faces, value) in enumerate(told):
        stood = sha256("\n".join(text for _, text in turns).encode()).hexdigest()
        bound = f"{','.join(map('='.join, shares))}|{header['Match']}|{ply}|{number}.0|{stood}"
        drawn = int.from_bytes(digest(seed, bound.encode(), "sha256")[:8], "big")  # `.1` is due once in 10^17 times
        checks.append((f"{what} {number} of ply {ply}", value, drawn % faces))
    return told


head, _, body = Path(sys.argv[1]).read_text("utf-8").partition("\n\n")
pairs = [line.split(": ", 1) for line in head.splitlines()[1:] if ": " in line]
header, shares = dict(pairs), [value.split(" ", 1) for name, value in pairs if name == "Share"]
terms = dict(term.split("=", 1) for term in header["Terms"].split("; "))
seats = [(name[7:].lower(), *value.split(" ")) for name, value in pairs if name.startswith("Player ")]
seed, stand, lots, last, throw = bytes.fromhex(header["Seed"]), [], [], 0, terms.get("throw", "")
die = 6 if header["Game"] == "ironclad" else int("0" + re.sub(r"\D", "", throw)) or 2
made = [sha256(seed).hexdigest(), *(sha256(share.encode()).hexdigest()[:32] for _, share in shares)]
said = [header.get("Luck"), header["Commitment"], *(sys.argv[2:] or made)]
checks = [("scheme and hashes", said, ["2", made[0], *made])]

for line in [f"lots {header.get('Lots', '')}", *body.splitlines()]:
    if turn := re.fullmatch(r"(\d+)\. (\S+ .+)|reply (\S+ .+)", line):
        last, text = int(turn[1] or last + 1), turn[2] or ""
        shown = re.findall(r"[WB]|\d+", " ".join(re.findall(r"\((?:\w+:)?([WB]+|[+-]?\d+)\)", text)))
        fell("throw", last, [(2, "WB".index(one)) if one in "WB" else (die, int(one) - 1) for one in shown], stand)
        if throw[:5] not in ("guess", "paper") and re.search(r"t\w\d+~(?![(?])", text):  # Veney's sticks always fall
            checks.append(("turn", text, "with a throw"))
        stand.append((last, f"{last}. {turn[2] or turn[3]}"))
    elif line.startswith("lots "):
        lots.append(fell("lot", last, [tuple(map(int, lot.split(":"))) for lot in line[5:].split()], stand[:-1]))
    elif cut := re.fullmatch(r"called (\d+) by \S+: (?!late)(\S+) .*|taken back from (\d+)", line):
        stand = [one for one in stand if one[0] < int(cut[1] or cut[3])]
        last = int(cut[1] or cut[3]) - (cut[2] in ("friendly", "time", None))

setup, free = lots[0], [seat for seat in seats if seat[0] != terms["side"]]  # that side is the challenger's
order, sides = [player for player, _ in shares][-len(free) :], [seat[1] for seat in seats]
for at in range(len(order) - 1, 0, -1):  # the shuffle of Fisher and Yates
    faces, other = setup.pop(0)
    checks.append(("players left", faces, at + 1))
    order[at], order[other] = order[other], order[at]
checks.append(("seats", [seat[2] for seat in free], order))
if gate := re.search(r"gates: (\d+)", header["Start"]):
    gates = sorted({int(one) for one in re.findall(r"\d+", terms["gates"])}) or range(1, 99)
    checks.append(("first gate", int(gate[1]), gates[setup.pop(0)[1]]))
if setup and terms["first"] in ("drawn", "usual", "random"):
    first = sides.index(re.search(r"to: (\w+)", header["Start"])[1])
    checks.append(("first side", setup, [(len(sides), first)]))

faults = [f"{what}: {said} should be {right}" for what, said, right in checks if said != right]
drawn, thrown = (sum(what.startswith(kind) for what, _, _ in checks) for kind in ("lot ", "throw "))
print("\n".join(faults) or f"Seats, setup, {drawn} lots and {thrown} throws are what seed, shares and turns make them.")
sys.exit(bool(faults))
