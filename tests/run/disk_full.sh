# A disk that is full, played by a limit on the size of files: exit code 1, a sentence, nothing left behind.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

train_sample model
mkdir made

# limited KILOBYTES COMMAND...
limited() { (ulimit -f "$1" && shift && "$@"); }

expect 1 limited 1 "$PROGRAM" train "$sample/scene.img" "$sample/reference.tif" made/model --samples-per-class 5 --kernel gaussian
err_says "made/model"
expect 1 limited 8 "$PROGRAM" classify "$sample/scene.img" model made/map.img --probabilities made/probabilities.tif
err_says "parsimap: "
empty_folder made
expect 1 limited 100 "$PROGRAM" simulate "$sample/spec.json" simulated
absent simulated
