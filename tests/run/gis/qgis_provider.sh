# The plugin for QGIS, run by QGIS without a display: the algorithms make what the program makes, a failure is a
# sentence, and a run that is cancelled leaves nothing behind.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

command -v qgis_process >/dev/null || { echo "skipped: qgis_process is not installed"; exit 77; }
# Debian's script passes an option of QGIS that qgis_process does not know.
qgis=$(command -v qgis_process.bin || command -v qgis_process)
mkdir -m 700 home bin
# QGIS writes statistics beside the rasters that it opens.
cp -r "$sample" data
sample=$work/data
ln -s "$PROGRAM" bin/parsimap
export HOME=$work/home XDG_RUNTIME_DIR=$work/home PATH=$work/bin:$PATH QT_QPA_PLATFORM=offscreen
export QGIS_PLUGINPATH=$work/plugins PYTHONDONTWRITEBYTECODE=1

# As the zip file has it.
echo '{"author": "a", "email": "a@b", "homepage": "http://b.org", "tracker": "http://b.org", "repository": "http://b.org"}' >publisher.json
expect 0 "$SOURCE/packaging/qgis-plugin" plugin.zip publisher.json
expect 0 python3 -m zipfile -e plugin.zip plugins
expect 0 "$qgis" plugins enable parsimap_provider
expect 0 "$qgis" run parsimap:train -- SCENE="$sample/scene.tif" LABELS="$sample/training.gpkg" MODEL=qgis.parsimap \
  CLASS_FIELD=class WHERE="split='train'" KERNEL=gaussian SAMPLING=constant:20 SEED=3
expect 0 "$PROGRAM" train "$sample/scene.tif" "$sample/training.gpkg" own.parsimap --class-field class \
  --where "split='train'" --kernel gaussian --samples-per-class 20 --seed 3
expect 0 "$qgis" run parsimap:classify -- SCENE="$sample/scene.tif" MODEL=qgis.parsimap MAP=qgis.tif CONFIDENCE=confidence.tif
[[ -s confidence.tif ]] || fail "no confidence.tif"
expect 0 "$PROGRAM" classify "$sample/scene.tif" own.parsimap own.tif
cmp qgis.tif own.tif || fail "QGIS's map is not the program's"
# A number that is no integer.
expect 0 "$qgis" run parsimap:classify -- SCENE="$sample/scene.tif" MODEL=qgis.parsimap MAP=sure.tif REJECT=0.95
expect 0 "$PROGRAM" classify "$sample/scene.tif" own.parsimap own_sure.tif --reject 0.95
cmp sure.tif own_sure.tif || fail "QGIS's map with rejected pixels is not the program's"
! cmp -s sure.tif own.tif || fail "no pixel is rejected"
# Several scenes: the options stand in for arguments.
expect 0 "$qgis" run parsimap:classify -- OPTION_SCENE="$sample/scene.tif" MODEL=qgis.parsimap OUTPUT_DIR="$work/maps" MOSAIC=mosaic.tif
cmp maps/scene_map.tif own.tif || fail "QGIS's map of one of several scenes is not the program's"
[[ -s mosaic.tif ]] || fail "no mosaic.tif"
# An option that is called like an argument.
expect 0 "$qgis" run parsimap:train -- SCENE="$sample/scene.tif" LABELS="$sample/training.gpkg" MODEL=both.parsimap \
  CLASS_FIELD=class OPTION_LABELS="$sample/training.gpkg" KERNEL=gaussian SAMPLING=constant:20
grep -qF -- "--labels $sample/training.gpkg" out || fail "the further labels are not handed over"
expect 0 "$qgis" run parsimap:assess -- MAP=qgis.tif REFERENCE="$sample/reference.tif"
grep -q "overall accuracy" out || fail "the accuracy is not shown"

expect 1 "$qgis" run parsimap:assess -- MAP=qgis.tif REFERENCE="$sample/training.gpkg" CLASS_FIELD=nothing
err_says "there is no class field 'nothing'"

enlarged_scene 60 >big.vrt
mkdir made
expect 0 /usr/bin/python3 "$SOURCE/tests/run/gis/qgis_cancel.py" "$SOURCE/qgis" "$work/big.vrt" qgis.parsimap made/map.tif
empty_folder made
