# What can be read off the plugin for QGIS without QGIS: that it keeps to Qt 6, that its metadata are complete, and that it
# is packed with the publisher's own words or not at all.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

expect 0 python3 "$SOURCE/tests/run/qgis_plugin.py" "$SOURCE"
echo '{"author": "A. Name", "email": "", "homepage": "https://example.org"}' >half.json
expect 1 "$SOURCE/packaging/qgis-plugin" plugin.zip half.json
err_says "half.json lacks email, tracker, repository"
absent plugin.zip
cat >publisher.json <<END
{"author": "A. Name", "email": "a@example.org", "homepage": "https://example.org", "tracker": "https://example.org/issues",
 "repository": "https://example.org/code"}
END
expect 0 "$SOURCE/packaging/qgis-plugin" plugin.zip publisher.json
expect 0 python3 -m zipfile -e plugin.zip unpacked
for file in "$SOURCE"/qgis/parsimap_provider/*.py "$SOURCE/qgis/parsimap_provider/icon.svg"; do
  cmp "$file" "unpacked/parsimap_provider/${file##*/}"
done
cmp "$SOURCE/LICENSE" unpacked/parsimap_provider/LICENSE
for line in "author=A. Name" "email=a@example.org" "tracker=https://example.org/issues" "supportsQt6=True"; do
  grep -qxF -- "$line" unpacked/parsimap_provider/metadata.txt || fail "the packed metadata lack $line"
done
