# What can be read off the plugin for QGIS without QGIS: that it keeps to Qt 6, that its metadata are complete, and that it
# is packed with the publisher's own words or not at all.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

expect 0 python3 "$SOURCE/tests/run/gis/qgis_plugin.py" "$SOURCE"
echo '{"author": "A. Name", "email": "", "homepage": "https://example.org"}' >half.json
expect 1 "$SOURCE/packaging/qgis-plugin" plugin.zip half.json
err_says "half.json lacks email, tracker, repository"
absent plugin.zip
cat >publisher.json <<END
{"author": "A. Name", "email": "a@example.org", "homepage": "https://example.org", "tracker": "https://example.org/issues",
 "repository": "https://example.org/code", "program": "https://example.org/parsimap-0.3.0-linux-x86_64.tar.xz"}
END
expect 0 "$SOURCE/packaging/qgis-plugin" plugin.zip publisher.json
expect 0 python3 -m zipfile -e plugin.zip unpacked
for file in "$SOURCE"/qgis/parsimap_provider/*.py "$SOURCE/qgis/parsimap_provider/icon.svg"; do
  cmp "$file" "unpacked/parsimap_provider/${file##*/}"
done
cmp "$SOURCE/LICENSE" unpacked/parsimap_provider/LICENSE
for line in "author=A. Name" "email=a@example.org" "tracker=https://example.org/issues" "supportsQt6=True" \
  "program=https://example.org/parsimap-0.3.0-linux-x86_64.tar.xz"; do
  grep -qxF -- "$line" unpacked/parsimap_provider/metadata.txt || fail "the packed metadata lack $line"
done

# The rules of the plugin repository are kept, and what breaks them is seen.
expect 0 "$SOURCE/packaging/check-plugin" plugin.zip
# broken SAYS: makes the folder of the plugin, as it has been changed, a zip file, which must be refused with this.
broken() {
  rm -f broken.zip
  (cd unpacked && python3 -m zipfile -c ../broken.zip ./*)
  expect 1 "$SOURCE/packaging/check-plugin" broken.zip
  err_says "$1"
  rm -r unpacked
  python3 -m zipfile -e plugin.zip unpacked
}
plugin=unpacked/parsimap_provider
mkdir $plugin/__pycache__ && echo x >$plugin/__pycache__/a.py && broken "__pycache__/a.py is hidden or left over"
cp "$(command -v bash)" $plugin/parsimap && broken "parsimap is not a text"
rm $plugin/LICENSE && broken "LICENSE is missing"
mkdir unpacked/other && echo x >unpacked/other/a.py && broken "not all is in one folder"
sed -i 's/^program=https/program=http/' $plugin/metadata.txt && broken "program is no https address"
sed -i 's/^tracker=.*/tracker=nowhere/' $plugin/metadata.txt && broken "tracker is no address: nowhere"
sed -i '/^about=/d' $plugin/metadata.txt && broken "metadata.txt has no about"
rm $plugin/icon.svg && broken "the icon icon.svg is missing"
