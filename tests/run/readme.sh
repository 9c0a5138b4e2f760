# Every command in a ```sh block of the README and of the documents works, in a copy of the project with the program in
# build/: first those of the README, whose files the documents use. Only the suite itself is not run from within the suite, and
# the demo, which demo.sh runs in such a copy.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mkdir -p copy/build
cp -r "$SOURCE/scripts" "$sample" "$SOURCE/config" copy/
ln -s "$PROGRAM" copy/build/parsimap
cd copy
export PARSIMAP_PROGRAM=$PROGRAM

# run_commands TEXT: those of one document; what they print is in the file log.
run_commands() {
  awk '/^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$1" | grep -vE '^\./scripts/(test|demo)' >commands || return 0
  { echo 'set -eux'; cat commands; } >script
  bash script >log 2>&1 || { cat log >&2; fail "a command of $1 failed"; }
  count=$((count + $(grep -c 'build/parsimap' commands || true)))
}

count=0
run_commands "$SOURCE/README.md"
for text in "$SOURCE"/docs/*.md; do
  : >log
  run_commands "$text"
  ! grep 'warning:' log >&2 || fail "an example of $text warns"
done
[[ $count -ge 15 ]] || fail "README and documents show only $count runs of the program"
