# The portable program takes the best library that the processor has, can be made to take another, and makes the same map
# with all of them.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if ! ldd "$PROGRAM" | grep -q libparsimap; then
  echo "skipped: this program is not built with PARSIMAP_PORTABLE"
  exit 77
fi
loader=$(ldd "$PROGRAM" | grep -o '/[^ ]*ld-linux[^ ]*')

# instructions COMMAND...: what the program says it uses.
instructions() { "$@" --version | sed -n 's/^instructions: //p'; }

train_sample model
best=none
for level in none x86-64-v3:AVX2 x86-64-v4:AVX-512; do
  name=${level#*:}
  level=${level%:*}
  [[ $level == none ]] || "$loader" --help | grep -q "^ *$level (supported" || continue
  forced=("$loader" --glibc-hwcaps-mask "$level" "$PROGRAM")
  found=$(instructions "${forced[@]}")
  echo "$level: $found"
  if [[ $level == none ]]; then
    [[ $found != AVX* ]] || fail "the plain library uses $found"
  else
    [[ $found == "$name" ]] || fail "the library of $level uses $found"
  fi
  best=$found
  expect 0 "${forced[@]}" classify "$sample/scene.img" model "$level.tif" --confidence "$level.confidence.tif"
  cmp "$level.tif" none.tif || fail "the map depends on the instructions"
done
[[ $(instructions "$PROGRAM") == "$best" ]] || fail "the program uses $(instructions "$PROGRAM") instead of $best"
