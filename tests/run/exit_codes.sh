# The real program: exit codes, which stream says what, and one JSON document.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

expect 2 "$PROGRAM"
[[ ! -s out ]] || fail "usage is not on standard error"
expect 0 "$PROGRAM" --help
expect 0 "$PROGRAM" --version
grep -qE '^parsimap [0-9]+\.[0-9]+\.[0-9]+$' out || fail "version is '$(cat out)'"

mkdir made
# The class field is known of files of this program, and where there is no other.
cat >foreign.geojson <<'END_OF_JSON'
{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"class": "wheat", "farm": "A"},
 "geometry": {"type": "Point", "coordinates": [0, 0]}}]}
END_OF_JSON
expect 2 "$PROGRAM" train "$sample/scene.img" foreign.geojson made/model
err_says "need a class field"
expect 3 "$PROGRAM" train "$work/none.tif" "$sample/training.gpkg" made/model
err_says "none.tif"
expect 3 "$PROGRAM" classify "$sample/scene.img" "$sample/spec.json" made/map.tif
err_says "spec.json"
echo '{"kernel": "rbf"}' >options.json
expect 2 "$PROGRAM" train "$sample/scene.img" "$sample/reference.tif" made/model --options-file options.json
err_says "options.json: /kernel"
empty_folder made
expect 1 bash -c '"$0" --help >/dev/full' "$PROGRAM"
err_says "standard output cannot be written"

train_sample model
expect 0 "$PROGRAM" classify "$sample/scene.img" model map.tif --json
[[ $(grep -c '^{' out) -eq 1 && $(grep -c '^}' out) -eq 1 ]] || fail "not one JSON document: $(cat out)"
expect 0 "$PROGRAM" assess map.tif "$sample/reference.tif" --json -q
[[ ! -s err ]] || fail "-q is not quiet: $(cat err)"
expect 2 "$PROGRAM" classify "$sample/scene.img" model map.tif
err_says "--overwrite"
expect 0 "$PROGRAM" classify "$sample/scene.hdr" model map.tif --overwrite
