# Sourced after common.sh by tests of pages of HTML.

browser=$(command -v chromium) || { echo "skipped: chromium is not installed"; exit 77; }

# probe PAGE: opens a copy with tests/browser/probe.js at its end; the probe's lines in the file probed, the browser's
# messages in the file log.
probe() {
  {
    grep -vxE '</(body|html)>' "$1"
    echo "<script>"
    cat "$SOURCE/tests/browser/probe.js"
    echo "</script>"
  } >copy.html
  "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --host-resolver-rules="MAP * ~NOTFOUND" --user-data-dir="$work/profile" \
    --window-size=1280,900 --virtual-time-budget=60000 --enable-logging=stderr --dump-dom "file://$work/copy.html" \
    >dom 2>log || fail "the browser failed: $(cat log)"
  sed -n '/<pre>begin$/,/^end</p' dom | sed '1d;$d' >probed
  rm -rf profile
}

# overhang PAGE WIDTH: by how many pixels the page, with its figures, is wider than a screen of this width.
overhang() {
  {
    grep -vxE '</(body|html)>' "$1"
    echo '<script>setTimeout(() => { document.title = "overhang=" +'
    echo '  (document.documentElement.scrollWidth - document.documentElement.clientWidth); }, 3000);</script>'
  } >copy.html
  "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --host-resolver-rules="MAP * ~NOTFOUND" --user-data-dir="$work/profile" \
    --window-size="$2",900 --virtual-time-budget=60000 --dump-dom "file://$work/copy.html" 2>log |
    sed -n 's/.*<title>overhang=\(.*\)<\/title>.*/\1/p'
  rm -rf profile
}
