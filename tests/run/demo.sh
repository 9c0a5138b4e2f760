# The demo, in a copy of the project, from another folder, twice.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mkdir copy
cp -r "$SOURCE/scripts" "$sample" copy/
export PARSIMAP_PROGRAM=$PROGRAM
expect 0 copy/scripts/demo
expect 0 copy/scripts/demo
for file in model.parsimap map.tif confidence.tif confusion.csv accuracy.txt accuracy.json training.html map.html accuracy.html; do
  [[ -s copy/build/demo/$file ]] || fail "no $file"
  grep -q "^  $work/copy/build/demo/$file$" out || fail "the demo does not name $file"
done
accuracy=$(number_of overall_accuracy copy/build/demo/accuracy.json)
at_least "$accuracy" 0.93 || fail "overall accuracy is $accuracy"
grep -q "overall accuracy" out || fail "the demo does not print the accuracy"
