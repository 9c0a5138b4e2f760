# Parts of a map that are made by processes of their own, some of which are killed and started again, are joined to the
# bytes that one process writes; without one of them nothing is written.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

train_sample model
enlarged_scene 8 >tall.vrt # four rows of tiles
options=(--regularise auto --novelty)

expect 0 "$PROGRAM" classify tall.vrt model one.tif "${options[@]}" one_novelty.tif -q
part() { "$PROGRAM" classify tall.vrt model map.tif "${options[@]}" novelty.tif --threads 1 -q --shard "$1/4"; }

# Killed in the middle, and started again.
part 2 >out 2>err &
run=$!
for ((i = 0; i < 6000; ++i)); do
  [[ ! -e map.tif.parts/2 ]] || break
  sleep 0.01
done
kill -KILL "$run" 2>/dev/null || true
wait "$run" 2>/dev/null || true
expect 3 "$PROGRAM" merge map.tif
err_says "missing: 1"
absent map.tif novelty.tif

# All at once, one of them twice.
pids=()
for number in 1 2 3 4 4; do
  part "$number" >/dev/null 2>"err$number" &
  pids+=($!)
done
for pid in "${pids[@]}"; do
  wait "$pid" || fail "a part was not made: $(cat err?)"
done
[[ -z $(find map.tif.parts -name '.*') ]] || fail "left behind: $(find map.tif.parts -name '.*')"

mv map.tif.parts/3 aside
expect 3 "$PROGRAM" merge map.tif
err_says "missing: 3"
absent map.tif novelty.tif
mv aside map.tif.parts/3
expect 0 "$PROGRAM" merge map.tif --json
grep -q '"classified": 768000' out || fail "not all pixels are classified: $(cat out)"
cmp one.tif map.tif || fail "the joined map is not that of one run"
cmp one_novelty.tif novelty.tif || fail "the joined layer is not that of one run"
absent map.tif.parts
