# The STAC item of a map as pystac reads it (stac_item.py), which is fetched from PyPI into a virtual environment beside the
# build. Skipped without a network.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

environment=$(dirname "$PROGRAM")/stac-packages
[[ -x $environment/bin/pip ]] || /usr/bin/python3 -m venv --clear "$environment"
"$environment/bin/pip" install --quiet --retries 1 'pystac>=1.12' 2>err || {
  echo "skipped: PyPI cannot be reached for pystac: $(tail -n 1 err)"
  exit 77
}
expect 0 "$PROGRAM" train "$sample/scene.tif" "$sample/training.gpkg" model.parsimap --samples-per-class 20 \
  --kernel gaussian --spatial none -q
mkdir catalog
expect 0 "$PROGRAM" classify "$sample/scene.tif" model.parsimap catalog/map.tif --probabilities p.tif --stac catalog/item.json -q
"$environment/bin/python" "$SOURCE/tests/run/gis/stac_item.py" catalog/item.json || fail "pystac reads another item"
