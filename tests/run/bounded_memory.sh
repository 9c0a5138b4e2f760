# Memory stays within --ram + 100 MB on a scene much larger than that: 5 million pixels, more than 1 GB of values.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

train_sample model
enlarged_scene 20 >big.vrt
for ram in 64 256; do
  expect 0 "$PROGRAM" classify big.vrt model "map$ram.tif" --ram "$ram" --json
  peak=$(number_of peak_memory_mb out)
  echo "--ram $ram: peak $peak MB"
  at_least $((ram + 100)) "$peak" || fail "peak memory is $peak MB with --ram $ram"
done
cmp map64.tif map256.tif || fail "the map depends on --ram"
