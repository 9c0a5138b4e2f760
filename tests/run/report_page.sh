# The page of an experiment in a browser: opened from disk, it asks for no other file, logs no error, and draws every
# figure. EXAMPLE_PAGE writes the page.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source "$(dirname "${BASH_SOURCE[0]}")/browser.sh"

"$EXAMPLE_PAGE" >page.html
probe page.html
if grep CONSOLE log; then
  fail "the page wrote to the console"
fi
# Numbers follow from tests/support/example_experiment.hpp: two data sets, 3 classes, 6 methods and 6 repeats in "hills",
# 2 kernels x 9 fixed dimensions and a scree test in "sweep". A whisker along a quartile is an empty rule; tables of
# more than 11 columns are two.
cat >expected <<'END'
requests=0
accuracy-0 sized inside drawings=1 rows=12 rect=12 rule=36 symbol=72
accuracy-classes-0 sized inside drawings=1 rows=18 rect=18 rule=54 symbol=108
accuracy-1 sized inside drawings=1 rows=4 symbol=4
accuracy-classes-1 sized inside drawings=1 rows=6 symbol=6
dimension-0 sized inside drawings=1 rows=6 empty-rule=6 rect=6 rule=12 symbol=36
sweep-1 sized inside drawings=1 rows=60 line=6 symbol=60 text=6
spectra-0 sized inside drawings=1 rows=60 area=3 line=3
spectra-1 sized inside drawings=1 rows=60 area=3 line=3
scree-0 sized inside drawings=1 rows=38 line=3 rule=6 symbol=93 text=15
scree-1 sized inside drawings=1 rows=38 line=3 rule=6 symbol=93 text=15
criterion-0-radius-margin sized inside drawings=1 rows=28 line=15 symbol=195
criterion-0-leave-one-out sized inside drawings=1 rows=14 line=3 symbol=39
criterion-1-radius-margin sized inside drawings=1 rows=14 line=6 symbol=78
weights-0 sized inside drawings=1 rows=18 line=12 rule=21 symbol=66
weights-1 sized inside drawings=1 rows=6 line=6 rule=3 symbol=30
confusion-0 sized inside drawings=1 rows=18 rect=54 text=54
confusion-1 sized inside drawings=1 rows=6 rect=18 text=18
seconds-0 sized inside drawings=1 rows=18 rect=6 text=6
seconds-1 sized inside drawings=1 rows=60 rect=2 text=2
kernels sized inside drawings=1 rows=27 path=33
END
diff expected probed || fail "the figures are not those expected"
grep -q '&lt;/script&gt;' dom || fail "no escaped class name in the page"

# The probe notices a request and an error.
sed 's#^<body>#&<img src="http://example.invalid/x.png"><script>undefinedFunction()</script>#' page.html >bad.html
probe bad.html
grep -q '^requests=1$' probed || fail "a request was not noticed: $(head -n 1 probed)"
grep -q 'CONSOLE.*undefinedFunction' log || fail "an error was not noticed"

# On a phone the page is no wider than the screen: tables and figures that are have a bar of their own.
[[ $(overhang page.html 380) -eq 0 ]] || fail "the page is wider than a phone"
