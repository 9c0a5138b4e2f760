# The dialogs of the plugin for QGIS, opened on a display of their own: what qgis_process does not show.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

# python3-qgis of Debian is for its own Python.
python=/usr/bin/python3
"$python" -c "import qgis.gui" 2>/dev/null || { echo "skipped: the Python modules of QGIS are not installed"; exit 77; }
command -v Xvfb >/dev/null || { echo "skipped: Xvfb is not installed"; exit 77; }
mkdir -m 700 home
mkdir bin made
# QGIS writes statistics beside the rasters that it opens.
cp -r "$sample" data
ln -s "$PROGRAM" bin/parsimap

# It chooses a free display and writes its number to the descriptor.
Xvfb -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp 3>display 2>display.err &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$work"' EXIT
for ((tenths = 0; tenths < 600; ++tenths)); do
  [[ ! -s display ]] || break
  sleep 0.1
done
[[ -s display ]] || { cat display.err >&2; fail "Xvfb has not started within a minute"; }

export HOME=$work/home XDG_RUNTIME_DIR=$work/home PATH=$work/bin:$PATH PYTHONDONTWRITEBYTECODE=1
export DISPLAY=:$(<display) QT_QPA_PLATFORM=xcb
for part in dialogs work label; do
  expect 0 timeout 540 "$python" "$SOURCE/tests/run/gis/qgis_$part.py" "$SOURCE/qgis" "$work/data" "$work/made"
done
