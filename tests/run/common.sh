# Sourced by every run test: PROGRAM is the program under test, SOURCE the project's root. Work happens in a folder that is
# removed at the end.
set -euo pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/parsimap-run-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
sample=$SOURCE/sample_data

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# expect CODE COMMAND...: runs it with its streams in the files out and err.
expect() {
  local wanted=$1 code=0
  shift
  "$@" >out 2>err || code=$?
  if [[ $code -ne $wanted ]]; then
    cat out err >&2
    fail "exit code $code instead of $wanted: $*"
  fi
}

err_says() { grep -qF -- "$1" err || { cat err >&2; fail "no '$1' on standard error"; }; }

absent() {
  for path in "$@"; do
    [[ ! -e $path ]] || fail "$path is there"
  done
}

# No output and nothing temporary in a folder.
empty_folder() { [[ -z $(ls -A "$1") ]] || fail "left behind in $1: $(ls -A "$1")"; }

# The number of a key in a JSON file, the first if there are several.
number_of() { grep -o "\"$1\": [-0-9.e]*" "$2" | head -n 1 | sed 's/.*: //'; }

# at_least A B: A >= B, in decimals.
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a >= b) }'; }

# A model of the sample scene; quick, and good enough to map with.
train_sample() {
  expect 0 "$PROGRAM" train "$sample/scene.img" "$sample/reference.tif" "$1" --samples-per-class 20 --kernel gaussian -q
}

# enlarged_scene FACTOR > big.vrt: the sample scene with every pixel repeated, 60 bands of FACTOR * 120 by FACTOR * 100.
enlarged_scene() {
  echo "<VRTDataset rasterXSize=\"$((120 * $1))\" rasterYSize=\"$((100 * $1))\">"
  for ((band = 1; band <= 60; ++band)); do
    echo "<VRTRasterBand dataType=\"UInt16\" band=\"$band\"><SimpleSource>"
    echo "<SourceFilename>$sample/scene.tif</SourceFilename><SourceBand>$band</SourceBand>"
    echo "<SrcRect xOff=\"0\" yOff=\"0\" xSize=\"120\" ySize=\"100\"/>"
    echo "<DstRect xOff=\"0\" yOff=\"0\" xSize=\"$((120 * $1))\" ySize=\"$((100 * $1))\"/></SimpleSource></VRTRasterBand>"
  done
  echo "</VRTDataset>"
}
