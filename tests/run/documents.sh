# docs/commands.md is what scripts/make-commands makes of the program's own list of options, and docs/formats.md has every
# key of the documents and every column of the tables that the program writes. All files have one version.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
expect 0 "$PROGRAM" usage json
mv out usage.json
python3 "$SOURCE/scripts/make-commands" usage.json | diff "$SOURCE/docs/commands.md" - ||
  fail "docs/commands.md is not what the program says; run: scripts/make-commands >docs/commands.md"

# Others read the version off these files.
version=$("$PROGRAM" --version | sed -n '1s/^parsimap //p')
for line in "CITATION.cff:version: $version" "qgis/parsimap_provider/metadata.txt:version=$version"; do
  grep -qxF -- "${line#*:}" "$SOURCE/${line%%:*}" || fail "${line%%:*} does not have the version $version of CMakeLists.txt"
done

# described KEY...: each stands in docs/formats.md, as code.
described() {
  local key
  for key in "$@"; do
    grep -qF -- "\`$key\`" "$SOURCE/docs/formats.md" || fail "docs/formats.md does not have the key '$key'"
  done
}
# The keys of a JSON file but for those below the named ones, which are names that a user has chosen.
keys_of() {
  python3 - "$@" <<'END_OF_PYTHON'
import json, sys

def keys(value, found, chosen):
    if isinstance(value, dict):
        for key, below in value.items():
            found.add(key)
            if key not in chosen:
                keys(below, found, chosen)
    elif isinstance(value, list):
        for below in value:
            keys(below, found, chosen)
    return found

with open(sys.argv[1], encoding="utf-8") as file:
    print(*sorted(keys(json.load(file), set(), sys.argv[2:])))
END_OF_PYTHON
}
columns_of() {
  head -n 1 "$1" | tr -d "\r" | tr "," "\n" | grep -vxE "p_.*|[0-9.]+ nm|bare soil|deciduous forest|sunflower|water|winter wheat"
}

labels=(--class-field class --where "split='train'" --exclude-bands 3)
expect 0 "$PROGRAM" train "$sample/scene.tif" "$sample/training.gpkg" model "${labels[@]}" --kernel gaussian \
  --samples-per-class 20 --validate folds:3 --samples-out samples.csv --json
mv out train.json
expect 0 "$PROGRAM" classify "$sample/scene.tif" model map.tif --regularise auto --probabilities probabilities.tif --json
mv out classify.json
expect 0 "$PROGRAM" info model --json
mv out model.json
expect 0 "$PROGRAM" info "$sample/scene.tif" --json
mv out scene.json
expect 0 "$PROGRAM" inspect model "$sample/scene.tif" "$sample/training.gpkg" --class-field class --repeats 1 --wavelengths \
  --json
mv out inspect.json
mkdir assessment
expect 0 "$PROGRAM" assess map.tif "$sample/reference.tif" --sampling-design simple --compare map.tif \
  --predictions predictions.csv --probabilities probabilities.tif --output-dir assessment --json
expect 0 "$PROGRAM" simulate "$sample/spec.json" simulated --json
mv out simulate.json
cat >experiment.json <<'END_OF_JSON'
{"title": "two methods", "methods": [{"kernel": ["gaussian", "mahalanobis"], "criterion": "cross-validation"}],
 "data": [{"name": "drawn", "simulated": {"train": 40, "test": 60, "scene": {"width": 10, "height": 10, "bands": 8,
   "classes": [{"name": "a"}, {"name": "b"}], "layout": {"kind": "blocks", "block_size": 2}}}}],
 "published": [{"source": "nobody", "quantity": "overall_accuracy", "data": "drawn", "kernel": "gaussian",
   "criterion": "cross-validation", "value": 1}]}
END_OF_JSON
expect 0 "$PROGRAM" run experiment.json --output-dir experiment

for file in train classify inspect scene simulate; do
  described $(keys_of $file.json)
done
described $(keys_of model.json options) $(keys_of assessment/accuracy.json)
described $(keys_of experiment/results.json configuration)
for table in samples.csv predictions.csv assessment/*.csv experiment/results.csv; do
  while read -r column; do
    described "$column"
  done < <(columns_of "$table")
done
