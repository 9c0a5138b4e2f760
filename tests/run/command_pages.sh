# The reports of train, classify and assess on the sample scene, the page of all three, and that of a model in Python, opened
# in a browser from disk.
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

export SOURCE_DATE_EPOCH=1795305600
labels=(--class-field class --where "split='train'")
reference=("$sample/training.gpkg" --class-field class --where "split='test'")
# By spectra alone, since nearly every pixel is sure of its class with its surroundings: one bin of probability would do.
expect 0 "$PROGRAM" train "$sample/scene.hdr" "$sample/training.gpkg" model "${labels[@]}" --spatial none --report train.html
expect 0 "$PROGRAM" classify "$sample/scene.hdr" model map.tif --novelty novelty.tif --reject 0.6 \
  --probabilities probabilities.tif --report map.html
expect 0 "$PROGRAM" assess map.tif "${reference[@]}" --probabilities probabilities.tif --report accuracy.html --json
mv out accuracy.json
expect 0 "$PROGRAM" report model map.tif accuracy.json -o all.html --scene "$sample/scene.hdr" --reference "${reference[@]}"

# The same inputs and the same day give the same page.
cp all.html first.html
expect 0 "$PROGRAM" report model map.tif accuracy.json -o all.html --overwrite --scene "$sample/scene.hdr" \
  --reference "${reference[@]}"
diff <(sed 's/"--overwrite",//' all.html) first.html >difference || fail "a page made again differs"
grep -q ', 2026-11-22</p>' all.html || fail "the page has not the date of SOURCE_DATE_EPOCH"
# Checksums are those of sha256sum.
for input in model map.tif accuracy.json; do
  grep -q "$(sha256sum "$input" | cut -d ' ' -f 1)" all.html || fail "the checksum of $input is not in the page"
done

expect 0 "$PROGRAM" inspect model "$sample/scene.hdr" "$sample/training.gpkg" "${labels[@]}" --repeats 1 --wavelengths \
  --report inspection.html

expect_figures train.html <<'END'
requests=0
picture-training sized inside drawings=0 rows=0 picture=120x100 legend=5 picture=120x100 legend=5 wiped
distances sized inside drawings=1 rows=11 line=3
by-distance sized inside drawings=1 rows=5 rect=5 rule=5
confusion-0 sized inside drawings=1 rows=5 rect=25 text=25
class-spectra-0 sized inside drawings=1 rows=60 line=10
spectra-0 sized inside drawings=1 rows=60 area=5 line=5
scree-0 sized inside drawings=1 rows=65 line=5 rule=5 symbol=300 text=10
weights-0 sized inside drawings=1 rows=15 line=5 rule=5 symbol=61
END
expect_figures map.html <<'END'
requests=0
picture-map sized inside drawings=0 rows=0 picture=120x100 legend=5 picture=120x100 legend=5 wiped
areas sized inside drawings=1 rows=5 rect=5 text=5
picture-rejected sized inside drawings=0 rows=0 picture=120x100 legend=1
picture-confidence sized inside drawings=0 rows=0 picture=120x100 legend=5
picture-novelty sized inside drawings=0 rows=0 picture=120x100 legend=5
by-distance sized inside drawings=1 rows=5 rect=5 rule=5
histogram-confidence sized inside drawings=1 rows=20 rect=20
histogram-novelty sized inside drawings=1 rows=20 rect=20
END
# How many bins of probability hold pixels differs between processors in the last bits.
bins=$(sed -n '/"reliability": \[/,/\]/p' accuracy.html | grep -c '"pixels": [1-9]')
((bins >= 5)) || fail "the page has $bins bins of reliability"
expect_figures accuracy.html <<END
requests=0
picture-errors sized inside drawings=0 rows=0 picture=120x100 legend=7 picture=120x100 legend=7 wiped
confusion-0 sized inside drawings=1 rows=5 rect=25 text=25
reliability sized inside drawings=1 rows=$bins rect=$bins rule=1 symbol=$bins
by-distance sized inside drawings=1 rows=5 rect=5 rule=5
END
expect_figures inspection.html <<'END'
requests=0
picture-suspects sized inside drawings=0 rows=0 picture=120x100 legend=5 picture=120x100 legend=5 wiped
wavelengths-rise sized inside drawings=1 rows=90 rect=90 rule=90
wavelengths-alone sized inside drawings=1 rows=6 rect=90
END
expect_figures all.html <<'END'
requests=0
picture-map sized inside drawings=0 rows=0 picture=120x100 legend=5 picture=120x100 legend=5 wiped
picture-errors sized inside drawings=0 rows=0 picture=120x100 legend=7 picture=120x100 legend=7 wiped
confusion-0 sized inside drawings=1 rows=5 rect=25 text=25
confusion-1 sized inside drawings=1 rows=5 rect=25 text=25
distances sized inside drawings=1 rows=11 line=3
by-distance sized inside drawings=1 rows=5 rect=5 rule=5
class-spectra-0 sized inside drawings=1 rows=60 line=10
weights-0 sized inside drawings=1 rows=15 line=5 rule=5 symbol=61
END

# The package of Python, where it is built.
if [[ -n ${PACKAGE:-} ]]; then
  PYTHONPATH=$PACKAGE /usr/bin/python3 -c 'import parsimap; print(parsimap.Model.load("model").report(), end="")' >model.html
  expect_figures model.html <<'END'
requests=0
distances sized inside drawings=1 rows=11 line=3
by-distance sized inside drawings=1 rows=5 rect=5 rule=5
confusion-0 sized inside drawings=1 rows=5 rect=25 text=25
class-spectra-0 sized inside drawings=1 rows=60 line=10
weights-0 sized inside drawings=1 rows=15 line=5 rule=5 symbol=61
END
fi
