# The reports of train, classify and assess on the sample scene, opened in a browser from disk.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$(dirname "${BASH_SOURCE[0]}")/browser.sh"

# expect_figures PAGE: the probe's lines are those on standard input, and nothing was written to the console.
expect_figures() {
  probe "$1"
  if grep CONSOLE log; then
    fail "$1 wrote to the console"
  fi
  diff - probed || fail "the figures of $1 are not those expected"
}

labels=(--class-field class --where "split='train'")
expect 0 "$PROGRAM" train "$sample/scene.hdr" "$sample/training.gpkg" model "${labels[@]}" --report train.html
expect 0 "$PROGRAM" classify "$sample/scene.hdr" model map.tif --novelty novelty.tif \
  --probabilities probabilities.tif --report map.html
expect 0 "$PROGRAM" assess map.tif "$sample/training.gpkg" --class-field class --where "split='test'" \
  --probabilities probabilities.tif --report accuracy.html

expect 0 "$PROGRAM" inspect model "$sample/scene.hdr" "$sample/training.gpkg" "${labels[@]}" --repeats 1 --wavelengths \
  --report inspection.html

expect_figures train.html <<'END'
requests=0
spectra-0 sized inside drawings=1 rows=60 area=5 line=5
scree-0 sized inside drawings=1 rows=65 line=5 rule=5 symbol=300 text=10
weights-0 sized inside drawings=1 rows=15 line=5 rule=5 symbol=73
END
expect_figures map.html <<'END'
requests=0
picture-map sized inside drawings=0 rows=0 picture=120x100 legend=5
picture-scene sized inside drawings=0 rows=0 picture=120x100 legend=0
areas sized inside drawings=1 rows=5 rect=5 text=5
histogram-confidence sized inside drawings=1 rows=20 rect=20
histogram-novelty sized inside drawings=1 rows=20 rect=20
END
expect_figures accuracy.html <<'END'
requests=0
confusion-0 sized inside drawings=1 rows=5 rect=25 text=25
reliability sized inside drawings=1 rows=9 rect=9 rule=1 symbol=9
END
expect_figures inspection.html <<'END'
requests=0
END
