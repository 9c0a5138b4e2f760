# The same surface in several guises: scaled integers with nodata and bad bands, reflectance in floating point, bands in
# another order, an archive, and a mask. All of them have to give the same map.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# vrt FILE TYPE SOURCE BAND_TAGS BANDS...: bands of the sample scene as a VRT, with tags for every band but bad marks for
# bands 5, 6 and 60.
vrt() {
  local file=$1 type=$2 source=$3 tags=$4 number=0
  shift 4
  {
    echo '<VRTDataset rasterXSize="120" rasterYSize="100"><SRS>EPSG:32631</SRS>'
    echo '<GeoTransform>363000, 2, 0, 4836000, 0, -2</GeoTransform>'
    for band in "$@"; do
      number=$((number + 1))
      echo "<VRTRasterBand dataType=\"$type\" band=\"$number\"><Metadata>"
      awk -v band="$band" 'BEGIN {
        printf "<MDI key=\"wavelength\">%.10g</MDI><MDI key=\"wavelength_units\">Nanometers</MDI>\n", 420 + (band - 1) * 2030 / 59
        if (band == 5 || band == 6 || band == 60) print "<MDI key=\"bbl\">0</MDI>" }'
      echo "</Metadata>$tags<ComplexSource><SourceFilename>$sample/scene.tif</SourceFilename><SourceBand>$band</SourceBand>$source"
      echo "</ComplexSource></VRTRasterBand>"
    done
    echo '</VRTDataset>'
  } >"$file"
}

vrt scaled.vrt Int16 "" "<NoDataValue>-9999</NoDataValue><Scale>0.0001</Scale><Offset>-0.1</Offset>" {1..60}
vrt plain.vrt Float32 "<ScaleOffset>-0.1</ScaleOffset><ScaleRatio>0.0001</ScaleRatio>" "" {1..60}
vrt turned.vrt Float32 "<ScaleOffset>-0.1</ScaleOffset><ScaleRatio>0.0001</ScaleRatio>" "" {60..1}
vrt short.vrt Float32 "<ScaleOffset>-0.1</ScaleOffset><ScaleRatio>0.0001</ScaleRatio>" "" {1..40}

labels=("$sample/training.gpkg" --class-field class --where "split='train'")
expect 0 "$PROGRAM" train scaled.vrt "${labels[0]}" model "${labels[@]:1}" --samples-per-class 30 --kernel gaussian
err_says "bands left out because the scene marks them as bad: 5-6, 60"
expect 0 "$PROGRAM" info model
grep -qF "Dropped:        5-6, 60 (marked as bad)" out || fail "info does not list the dropped bands"
grep -qF "stored x 0.0001 + -0.1" out || fail "info does not tell the scale"

for scene in scaled plain turned; do
  expect 0 "$PROGRAM" classify $scene.vrt model $scene.tif
  cmp scaled.tif $scene.tif || fail "the map of $scene.vrt differs"
done
expect 0 "$PROGRAM" assess scaled.tif "$sample/reference.tif" --json
accuracy=$(number_of overall_accuracy out)
echo "scaled scene without its bad bands: overall accuracy $accuracy"
at_least "$accuracy" 0.9 || fail "overall accuracy is $accuracy"

expect 3 "$PROGRAM" classify short.vrt model short.tif
err_says "short.vrt lacks 19 of the 57 bands that the model uses"
absent short.tif

# An archive, of 16 bits; the sample scene itself has neither scale nor bad bands.
(cd "$sample" && zip -q "$work/scene.zip" scene.tif)
expect 0 "$PROGRAM" train "/vsizip/$work/scene.zip/scene.tif" "${labels[0]}" zipped.model "${labels[@]:1}" \
  --samples-per-class 30 --kernel gaussian --exclude-bands 1350-1450nm,557-593nm
expect 0 "$PROGRAM" classify "/vsizip/$work/scene.zip/scene.tif" zipped.model zipped.tif
expect 0 "$PROGRAM" classify "$sample/scene.hdr" zipped.model unzipped.tif
cmp zipped.tif unzipped.tif || fail "the map of the archive differs"

# A mask from a map: what is 0 stays 0.
expect 0 "$PROGRAM" classify scaled.vrt model strict.tif --mask "$sample/reference.tif"
expect 3 "$PROGRAM" classify scaled.vrt model elsewhere.tif --mask "$sample/scene.tif"
err_says "has 60 bands; it must have one"
absent elsewhere.tif

# An environment that hides side files from GDAL, as for reading from the web, hides no header of ENVI.
expect 0 env GDAL_DISABLE_READDIR_ON_OPEN=EMPTY_DIR "$PROGRAM" info "$sample/scene.img"
expect 0 env GDAL_DISABLE_READDIR_ON_OPEN=EMPTY_DIR "$PROGRAM" classify scaled.vrt model hidden.tif
cmp scaled.tif hidden.tif || fail "the map differs where GDAL_DISABLE_READDIR_ON_OPEN is EMPTY_DIR"

# Drivers that every command needs are there, whatever the environment leaves out.
expect 0 env GDAL_SKIP="GTiff,mem VRT" OGR_SKIP=Memory "$PROGRAM" train scaled.vrt "${labels[0]}" skipped.model \
  "${labels[@]:1}" --samples-per-class 30 --kernel gaussian
cmp model skipped.model || fail "the model differs where GDAL_SKIP leaves out drivers"
