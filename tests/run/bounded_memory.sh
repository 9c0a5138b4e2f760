# Memory stays within --ram + 100 MB on a scene much larger than that: 5 million pixels, more than 1 GB of values.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

train_sample model
enlarged_scene 20 >big.vrt
# peak_within RAM MAP OPTION...
peak_within() {
  local ram=$1 map=$2
  shift 2
  local peak expected
  expect 0 "$PROGRAM" classify big.vrt model "$map" --ram "$ram" --json --dry-run "$@"
  expected=$(number_of memory_mb out)
  expect 0 "$PROGRAM" classify big.vrt model "$map" --ram "$ram" --json "$@"
  peak=$(number_of peak_memory_mb out)
  echo "$map, --ram $ram: peak $peak MB, expected by a dry run $expected MB"
  # The scene repeats itself, so that the cache of GDAL does not fill.
  python3 -c "import sys; sys.exit(not 0.9 * $peak <= $expected <= $ram + 100)" ||
    fail "$map: a dry run with --ram $ram expects $expected MB, and the peak is $peak MB"
  at_least $((ram + 100)) "$peak" || fail "$map: peak memory is $peak MB with --ram $ram"
}
peak_within 64 map64.tif
peak_within 256 map256.tif
cmp map64.tif map256.tif || fail "the map depends on --ram"
peak_within 64 cog.tif --of COG --confidence cog_confidence.tif
# Windows of regularised maps do not lie on blocks of the file, which may so be written in another order.
peak_within 64 smooth64.tif --regularise neighbours:1
peak_within 256 smooth256.tif --regularise neighbours:1
expect 0 "$PROGRAM" assess smooth64.tif smooth256.tif --json
at_least "$(number_of overall_accuracy out)" 1 || fail "the regularised map depends on --ram"
