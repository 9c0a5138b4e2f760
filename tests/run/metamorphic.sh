# Equal inputs written in different ways give the same result, or the program refuses or warns: CASES of the cases that
# metamorphic.py generates, from number FIRST.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
PROGRAM=$PROGRAM python3 "$SOURCE/tests/run/metamorphic.py" "${CASES:-20}" "${FIRST:-0}"
