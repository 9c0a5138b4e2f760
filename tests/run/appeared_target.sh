# A file that appears under the map's name while the scene is classified is not replaced, and the other outputs, complete
# by then, are taken away again.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

train_sample model
enlarged_scene 12 >big.vrt
mkdir made
"$PROGRAM" classify big.vrt model made/map.tif --confidence made/confidence.tif >out 2>err &
run=$!
for ((i = 0; i < 3000; ++i)); do
  [[ -z $(ls -A made) ]] || break
  sleep 0.01
done
echo mine >made/map.tif
code=0
wait "$run" || code=$?
[[ $code -eq 1 || $code -eq 2 ]] || fail "exit code $code: $(cat err)"
err_says "made/map.tif"
[[ $(cat made/map.tif) == mine ]] || fail "the file was replaced"
[[ $(ls -A made) == map.tif ]] || fail "left behind: $(ls -A made)"
