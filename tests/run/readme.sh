# Every command in a ```sh block of the README works, in a copy of the project with the program in build/. Only the suite
# itself is not run from within the suite.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mkdir -p copy/build
cp -r "$SOURCE/scripts" "$sample" "$SOURCE/config" copy/
ln -s "$PROGRAM" copy/build/parsimap
cp "$SOURCE/README.md" copy/
cd copy
export PARSIMAP_PROGRAM=$PROGRAM

awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md | grep -v '^\./scripts/test' >commands
{ echo 'set -eux'; cat commands; } >script
bash script >log 2>&1 || { cat log >&2; fail "a command of the README failed"; }
[[ $(grep -c 'build/parsimap' commands) -ge 4 ]] || fail "the README shows fewer than four runs of the program"
