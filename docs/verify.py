"""Checks the luck of a finished match, from its record alone: `python verify.py RECORD [POSTED HASH …]`."""

import re
import sys
from hashlib import sha256
from hmac import digest
from pathlib import Path


def fell(what, ply, told, turns):  # `told`: how many faces there were, and which of them fell, from 0
    stood = sha256("\n".join(turns).encode()).hexdigest()
    for at, (faces, number) in enumerate(told):
        bound = f"{','.join(map('='.join, shares))}|{header['Match']}|{ply}|{at}.0|{stood}"
        drawn = int.from_bytes(digest(seed, bound.encode(), "sha256")[:8], "big")  # `.1` is due once in 10^17 times
        checks.append((f"{what} {at} of ply {ply}", number, drawn % faces))
    return told


head, _, body = Path(sys.argv[1]).read_text("utf-8").partition("\n\n")
pairs = [line.split(": ", 1) for line in head.splitlines() if ": " in line]
header, shares = dict(pairs), [value.split(" ", 1) for name, value in pairs if name == "Share"]
terms = dict(term.split("=", 1) for term in header["Terms"].split("; "))
seed, throw = bytes.fromhex(header["Seed"]), terms.get("throw", "d6")  # Ironclad has no such term, and one die
made = [sha256(seed).hexdigest(), *(sha256(share.encode()).hexdigest()[:32] for _, share in shares)]
said = [header.get("Luck"), header["Commitment"], *(sys.argv[2:] or made)]
checks, lots, stand, ply = [("scheme and hashes", said, ["2", made[0], *made])], [], {}, 0

if "former:" in str(shares):  # numbers are bound to the ids of the players, and one of these has been erased
    fit = "fit" if said == ["2", made[0], *made] else "do not fit"
    sys.exit(f"The hashes {fit}; no number can be drawn again without the id of a player who has been erased.")

for line in [f"lots {header.get('Lots', '')}", *body.splitlines()]:
    if turn := re.fullmatch(r"(?:(\d+)\.|reply) (\S+ .+)", line):
        ply = int(turn[1] or ply + 1)
        shown = re.findall(r"(?<=[(:+WB-])([WB]|\d+)(?=[WB]*\))", line)  # each stick, coin or die within brackets
        told = [(2, "WB".index(one)) if one in "WB" else (int(throw[1:]), int(one) - 1) for one in shown]
        fell("throw", ply, told, stand.values())
        stand[ply] = f"{ply}. {turn[2]}"
    elif line.startswith("lots "):
        told = [tuple(map(int, lot.split(":"))) for lot in line[5:].split()]
        lots.append(fell("lot", ply, told, [*stand.values()][:-1]))  # drawn before the answer stood
    elif cut := re.fullmatch(r"(?:called|taken back from) (\d+)(?: by \S+: (?!late)(\S+) .*)?", line):
        stand = {number: text for number, text in stand.items() if number < int(cut[1])}
        ply = int(cut[1]) - (cut[2] in ("friendly", "time", None))  # else the turn that was lost keeps its number
if throw.startswith(("sticks", "coins", "d")):  # and no guess decides Veney's throws
    checks.append(("throws left out", re.findall(r"^\d+\. .*t\w\d+~(?![(?]).*", body, re.MULTILINE), []))

seats = [(name[7:].lower(), *value.split(" ")) for name, value in pairs if name.startswith("Player ")]
free = [player for side, _, player, *_ in seats if side != terms["side"]]  # that side is the challenger's
order, keys, setup = [player for player, _ in shares][-len(free) :], [key for _, key, *_ in seats], lots[0]
for last in range(len(order) - 1, 0, -1):  # the shuffle of Fisher and Yates
    faces, other = setup.pop(0)
    checks.append(("players left", faces, last + 1))
    order[last], order[other] = order[other], order[last]
checks.append(("seats", free, order))
if gate := re.search(r"gates: (\d+)", header["Start"]):
    every = range(1, 11 if terms["board"].endswith("275") else 6)
    gates = sorted({int(one) for one in re.findall(r"\d+", terms["gates"])}) or every
    faces, chosen = setup.pop(0)
    checks.append(("first gate", (faces, int(gate[1])), (len(gates), gates[chosen])))
if setup and terms["first"] in ("drawn", "usual", "random"):
    checks.append(("first side", setup, [(len(keys), keys.index(re.search(r"to: (\w+)", header["Start"])[1]))]))

faults = [f"{what}: {said} should be {right}" for what, said, right in checks if said != right]
drawn, thrown = (sum(what.startswith(kind) for what, _, _ in checks) for kind in ("lot ", "throw "))
print("\n".join(faults) or f"Seats, setup, {drawn} lots and {thrown} throws are what seed, shares and turns make them.")
sys.exit(bool(faults))
