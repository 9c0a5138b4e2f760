# Some of the faults of tests/faults: a few calls of every kind, for every command, fail or are the last. scripts/faults has
# them all.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if ! strace -o trace -e trace=none true 2>err; then
  echo "skipped: strace is not installed, or may not trace here: $(cat err)"
  exit 77
fi
python3 "$SOURCE/tests/faults/sweep.py" "$PROGRAM" "$work/faults" --library "$LIBRARY" --most 2
