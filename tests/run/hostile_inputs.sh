# Inputs that never end, never begin, nest without end or lie about their size are refused soon and with a sentence; names
# of classes that no document could hold are read as what they mean.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

train_sample model
mkfifo pipe pipe.tif pipe.mat pipe.json
mkdir made
scene=$sample/scene.img
reference=$sample/reference.tif

# refused CODE SENTENCE COMMAND...: in ten seconds, in MEMORY_LIMIT kilobytes of address space where it is set, and with
# nothing written.
refused() {
  local code=$1 sentence=$2
  shift 2
  expect "$code" bash -c 'ulimit -v "${MEMORY_LIMIT:-unlimited}"; exec timeout 10 "$@"' bash "$PROGRAM" "$@"
  err_says "$sentence"
  empty_folder made
}

pipe_sentence="is a named pipe; an input must be a regular file"
device_sentence="is a device; an input must be a regular file"
refused 3 "$pipe_sentence" info pipe.tif
refused 3 "$pipe_sentence" info pipe.mat
refused 3 "$pipe_sentence" classify pipe.tif model made/map.tif
refused 3 "is not a regular file" classify "$scene" pipe made/map.tif
refused 3 "$pipe_sentence" classify "$scene" model made/map.tif --mask pipe.tif
refused 3 "$pipe_sentence" train "$scene" pipe.tif made/model
refused 3 "$pipe_sentence" train "$scene" pipe.tif made/model --class-field class
refused 3 "$pipe_sentence" assess "$reference" pipe.tif
refused 2 "$pipe_sentence" classify "$scene" model made/map.tif --options-file pipe.json
refused 2 "$pipe_sentence" simulate pipe.json made/scene
refused 2 "$pipe_sentence" run pipe.json --output-dir made/run
for colours in pipe pipe.json; do
  refused 2 "$pipe_sentence" classify "$scene" model made/map.tif --colours "$colours"
done
refused 3 "$pipe_sentence" train "$scene" "$reference" made/model --sampling byclass:pipe
refused 2 "$device_sentence" classify "$scene" model made/map.tif --colours /dev/zero
refused 2 "$device_sentence" classify "$scene" model made/map.tif --options-file /dev/zero

printf '[%.0s' {1..50000} >deep.json
deep_sentence="lists and objects are nested more than 100 deep"
refused 2 "$deep_sentence" classify "$scene" model made/map.tif --options-file deep.json
refused 2 "$deep_sentence" classify "$scene" model made/map.tif --colours deep.json
refused 2 "$deep_sentence" simulate deep.json made/scene
refused 2 "$deep_sentence" run deep.json --output-dir made/run

echo '{"seed": 1e999}' >large.json
refused 2 "large.json" train "$scene" "$reference" made/model --options-file large.json
refused 2 "large.json: not valid JSON: number overflow" run large.json --output-dir made/run
echo '{"config": ["GDAL_VRT_ENABLE_PYTHON=YES"]}' >config.json
refused 2 "config.json: /config is not an option that a file can set" info "$scene" --options-file config.json

# A table of names in Latin-1, and with spaces, as spreadsheets leave them.
{
  printf 'class,WKT\n'
  printf 'for\xeat,"POLYGON ((363000 4836000,363060 4836000,363060 4835900,363000 4835900,363000 4836000))"\n'
  printf ' eau\x01,"POLYGON ((363100 4836000,363160 4836000,363160 4835900,363100 4835900,363100 4836000))"\n'
  printf 'eau ,"POLYGON ((363170 4836000,363200 4836000,363200 4835900,363170 4835900,363170 4836000))"\n'
} >names.csv
expect 0 "$PROGRAM" train "$scene" names.csv named --class-field class --samples-per-class 20 --kernel gaussian \
  --report train.html --json
cp out train.json
err_says "names.csv: class names that are not UTF-8 were read as Latin-1 (ISO-8859-1): 'forêt'"
err_says "names.csv: class names were read without the white space around them and without control characters: 'eau'"
expect 0 "$PROGRAM" classify "$scene" named named.tif --report map.html --json
cp out map.json
expect 0 "$PROGRAM" assess named.tif names.csv --class-field class --json
cp out assess.json
expect 0 "$PROGRAM" classify "$scene" named envi.img
for file in train.html train.json map.html map.json assess.json named.qml named.tif.aux.xml envi.hdr envi.img.aux.xml; do
  iconv -f UTF-8 -t UTF-8 "$file" >/dev/null || fail "$file is not UTF-8"
done
grep -q forêt named.qml || fail "no forêt in named.qml: $(cat named.qml)"
if command -v python3 >/dev/null; then
  python3 - <<'PYTHON' || fail "a document is not well-formed"
import json, xml.dom.minidom
for name in ("named.qml", "named.tif.aux.xml", "envi.img.aux.xml"):
    xml.dom.minidom.parse(name)
for name in ("train.json", "map.json", "assess.json"):
    json.load(open(name, encoding="utf-8"))
PYTHON
fi
