#!/bin/sh
# Draw the pictures of docs/rules/veney.md anew: `docs/pictures/veney.sh`, or with another program: `RIPOSTE="python -m bot" …`.
set -eu
cd "$(dirname "$0")"
RIPOSTE=${RIPOSTE:-riposte}

draw() { # NAME POSITION [TURN]
    if [ $# -gt 2 ]; then set -- "$1" "$2" --turn "$3"; fi
    name=$1 position=$2
    shift 2
    $RIPOSTE render veney --position "$position" "$@" --size 640 -o "veney-$name.png" >/dev/null
}

draw start "W: C@W4 \$@X4 S@Y4 B@Z4 e@W5 e@X5 e@Y5 e@Z5 / B: B@W13 S@X13 \$@Y13 C@Z13 e@W12 e@X12 e@Y12 e@Z12 / rW: D G L J R / rB: D G L J R / a: ^XY8 / to: W"
draw concert "W: S@Y4 \$@X4 e@Y5 e@W8 / B: S@X13 C@X9 e@W12 / a: ^XY8 / to: W" "SY5 \$fX9"
draw stone "W: S@Y6 \$@X4 e@X8 / B: S@X12 B@Z10 e@Z12 / a: ^XY8 / to: W" "\$X8 \$fZ10"
draw free "W: S@Y4 e@Y7 / B: S@X13 C@Y9 e@W10 / a: X8 / to: W" "afY9"
draw cavazione "W: S@Y8 \$@X9 e@X7 / B: S@Y14 \$@Y10 e@Z12 / a: - / to: W" "\$Y10~"
draw opposition "W: S@Y3 \$@X5 e@W6 / B: S@Z10 \$@X7 e@Y12 / a: - / to: W" "\$X8~"
draw capture "W: S@Y6 C@W7 e@X8 / B: S@X12 \$@X9 e@Z12 / a: ^XY8 / to: W" "CX9~"
draw deflection "W: S@Y5 G@Y6 \$@X4 / B: S@X12 \$@Y7 e@W11 / a: - / to: W" "GY7~"
draw glare "W: S@Y6 \$@X6 L@X7 e@W5 / B: S@X13 \$@Z13 J@W14 e@X10 / a: ^XY8 / to: W" "LfJ~"
draw intention "W: S@Y6 \$@X8 J@W9 e@W5 / B: S@X13 \$@Z13 C@X11 e@Z12 / a: ^XY8 / to: W" "eW6 !\$fX11"
draw throw "W: S@X6 \$@Z6 D@Y6 e@Y8 / B: S@Y14 \$@Z14 e@Y12 / a: - / to: W" "SX7 DtY14~(BWWW)"
draw disarm "W: S@Y6 \$@X6 B@Z8 e@X8 / B: S@X12 \$@X10 e@Z12 / a: - / to: W" "\$tX10"
draw hirakamae "W: S@X6 \$@Y6 e@W9 / B: S@X13 \$@Z13 C@Y12 e@W12 / a: ^YZ9 / to: W" "--h"
