# Maps as a GIS sees them: several scenes and kinds of codes are mapped in several formats, and GDAL's Python module and
# QGIS's raster layer open each (gis_layers.py). Skipped where python3-qgis is not installed.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

# Debian's own Python, whatever comes first in PATH.
python=/usr/bin/python3
"$python" -c 'import osgeo.gdal, qgis.core' 2>/dev/null || { echo "skipped: python3-qgis is not installed"; exit 77; }
export QT_QPA_PLATFORM=offscreen XDG_RUNTIME_DIR=$work HOME=$work

# check_map SCENE MODEL NAME OPTION...: maps in three formats, which must be as NAME.json says.
check_map() {
  local scene=$1 model=$2 name=$3
  shift 3
  expect 0 "$PROGRAM" classify "$scene" "$model" "$name.tif" -q "$@"
  expect 0 "$PROGRAM" classify "$scene" "$model" "${name}_cog.tif" --of COG -q "$@"
  expect 0 "$PROGRAM" classify "$scene" "$model" "${name}_envi.img" -q "$@"
  "$python" "$SOURCE/tests/run/gis/gis_layers.py" "$name.json" "$name.tif" "${name}_cog.tif" "${name}_envi.img" 2>differences ||
    fail "$(cat differences)"
}

# recode OUTPUT CODE...: the reference of the sample scene without names and colours, its classes 1, 2, 3 ... being CODE...
recode() {
  "$python" - "$sample/reference.tif" "$@" <<'END'
import sys
import numpy
from osgeo import gdal
source = gdal.Open(sys.argv[1])
codes = numpy.array([0] + [int(code) for code in sys.argv[3:]] + [0] * 9, dtype="uint16")[source.ReadAsArray()]
target = gdal.GetDriverByName("GTiff").Create(sys.argv[2], source.RasterXSize, source.RasterYSize, 1, gdal.GDT_UInt16)
target.SetGeoTransform(source.GetGeoTransform())
target.SetSpatialRef(source.GetSpatialRef())
target.GetRasterBand(1).WriteArray(codes)
END
}

# Colours of the label raster.
train_sample sample.model
cat >sample.json <<'END'
{"crs": "EPSG:32631", "classes": [[1, "winter wheat", "#ddaa33"], [2, "sunflower", "#bb5566"],
 [3, "deciduous forest", "#228833"], [4, "bare soil", "#996633"], [5, "water", "#004488"]]}
END
check_map "$sample/scene.hdr" sample.model sample

# Sparse codes, from training to accuracy, with chosen colours in training and others for one map.
recode sparse_labels.tif 10 20 200
echo '{"10": "#0072b2", "200": "#d55e00"}' >colours.json
expect 0 "$PROGRAM" train "$sample/scene.tif" sparse_labels.tif sparse.model --samples-per-class 20 --colours colours.json -q
cat >sparse.json <<'END'
{"crs": "EPSG:32631", "classes": [[10, "10", "#0072b2"], [20, "20", "#e69f00"], [200, "200", "#d55e00"]]}
END
check_map "$sample/scene.tif" sparse.model sparse
for map in sparse.tif sparse_cog.tif sparse_envi.img; do
  expect 0 "$PROGRAM" assess "$map" sparse_labels.tif --json
  at_least "$(number_of overall_accuracy out)" 0.95 || fail "$map: overall accuracy $(number_of overall_accuracy out)"
  [[ $(grep -o '"name": "[0-9]*"' out | tr -dc '0-9 ') == " 10 20 200" ]] || fail "$map: $(cat out)"
done
printf '10 1 2 3 Open water, {deep} & <cold>\n20,4,5,6,255\n' >colours.clr
sed 's/#0072b2/#010203/; s/#e69f00/#040506/' sparse.json >recoloured.json
check_map "$sample/scene.tif" sparse.model recoloured --colours colours.clr

# Codes of 16 bits.
recode wide_labels.tif 7 1000 40000
expect 0 "$PROGRAM" train "$sample/scene.tif" wide_labels.tif wide.model --samples-per-class 20 -q
cat >wide.json <<'END'
{"crs": "EPSG:32631", "classes": [[7, "7", "#e69f00"], [1000, "1000", "#56b4e9"], [40000, "40000", "#009e73"]]}
END
check_map "$sample/scene.tif" wide.model wide

# Names that XML and ENVI's header cannot hold as they are.
"$python" -c "
from osgeo import gdal
source = gdal.OpenEx('$sample/training.gpkg', gdal.OF_VECTOR)
gdal.VectorTranslate('names.gpkg', source, layerName='training', SQLDialect='SQLite', SQLStatement='''SELECT *, CASE class
  WHEN 'water' THEN 'Wasser, {tief} & <kühl>' WHEN 'sunflower' THEN 'é\"' ELSE 'x' || class END AS name FROM training''')"
expect 0 "$PROGRAM" train "$sample/scene.tif" names.gpkg names.model --class-field name --samples-per-class 20 -q
cat >names.json <<'END'
{"crs": "EPSG:32631", "classes": [[1, "Wasser, {tief} & <kühl>", "#e69f00"], [2, "xbare soil", "#82623c"],
 [3, "xdeciduous forest", "#0a460a"], [4, "xwinter wheat", "#faeb82"], [5, "é\"", "#56b4e9"]]}
END
check_map "$sample/scene.tif" names.model names

if [[ -z ${PARSIMAP_DATA:-} ]]; then
  echo "real scenes left out: PARSIMAP_DATA is not set"
  exit 0
fi

# An ENVI scene without coordinates, with names and colours in the header of the labels.
salinas=$PARSIMAP_DATA/salinasA
expect 0 "$PROGRAM" train "$salinas/salinasA.hdr" "$salinas/salinasA_gt.img" salinas.model --samples-per-class 20 -q
cat >salinas.json <<'END'
{"crs": "", "classes": [[1, "Brocoli_green_weeds_1", "#c0c0c0"], [2, "Corn_senesced_green_weeds", "#00ff00"],
 [3, "Lettuce_romaine_4wk", "#00ffff"], [4, "Lettuce_romaine_5wk", "#008000"], [5, "Lettuce_romaine_6wk", "#ff00ff"],
 [6, "Lettuce_romaine_7wk", "#a55229"]]}
END
check_map "$salinas/salinasA.bil" salinas.model salinas

# Crowns with a text field: the mosaic, one of its plots, and a model from crowns in degrees, which must map alike.
trees=$PARSIMAP_DATA/idtrees_osbs
species="taxonID IN ('PIPA2','QULA2','QUGE2')"
"$python" -c "
from osgeo import gdal
gdal.VectorTranslate('degrees.gpkg', '$trees/crowns_OSBS.gpkg', dstSRS='EPSG:4326', reproject=True)"
for labels in "$trees/crowns_OSBS.gpkg" degrees.gpkg; do
  expect 0 "$PROGRAM" train "$trees/mosaic.vrt" "$labels" "$(basename "$labels").model" --class-field taxonID \
    --where "split='train' AND $species" --samples-per-class 100 -q
done
cat >trees.json <<'END'
{"crs": "EPSG:32617", "classes": [[1, "PIPA2", "#e69f00"], [2, "QUGE2", "#56b4e9"], [3, "QULA2", "#009e73"]]}
END
cp trees.json plot.json
check_map "$trees/mosaic.vrt" crowns_OSBS.gpkg.model trees
check_map "$trees/hsi/OSBS_1.tif" crowns_OSBS.gpkg.model plot
expect 0 "$PROGRAM" classify "$trees/mosaic.vrt" degrees.gpkg.model degrees.tif -q
cmp trees.tif degrees.tif || fail "crowns in degrees give another map"
