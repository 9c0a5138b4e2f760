# The real scenes of PARSIMAP_DATA (skipped without), as the numbers of the project's first goal.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [[ -z ${PARSIMAP_DATA:-} ]]; then
  echo "PARSIMAP_DATA is not set"
  exit 77
fi

salinas=$PARSIMAP_DATA/salinasA
expect 0 "$PROGRAM" train "$salinas/salinasA.hdr" "$salinas/salinasA_train_block8.img" salinas.model --json
expect 0 "$PROGRAM" classify "$salinas/salinasA.bil" salinas.model salinas.img
expect 0 "$PROGRAM" assess salinas.img "$salinas/salinasA_test_block8.tif" --json
accuracy=$(number_of overall_accuracy out)
echo "Salinas-A, block8: overall accuracy $accuracy"
at_least "$accuracy" 0.990 || fail "overall accuracy on Salinas-A is $accuracy"

# Thirty pixels of each class; the 180 of training are 3 % of the reference.
total=0
for seed in 1 2 3 4 5; do
  expect 0 "$PROGRAM" train "$salinas/salinasA.hdr" "$salinas/salinasA_gt.img" salinas.model --samples-per-class 30 \
    --seed "$seed" --overwrite --json
  expect 0 "$PROGRAM" classify "$salinas/salinasA.bil" salinas.model salinas.img --overwrite
  expect 0 "$PROGRAM" assess salinas.img "$salinas/salinasA_gt.img" --json
  total=$(awk -v sum="$total" -v one="$(number_of overall_accuracy out)" 'BEGIN { print sum + one }')
done
mean=$(awk -v sum="$total" 'BEGIN { print sum / 5 }')
echo "Salinas-A, 30 per class: mean overall accuracy $mean"
at_least "$mean" 0.980 || fail "mean overall accuracy on Salinas-A with 30 pixels per class is $mean"

# The last of these maps again, its pixels judged with their neighbours.
expect 0 "$PROGRAM" assess salinas.img "$salinas/salinasA_gt.img" --json
plain=$(number_of overall_accuracy out)
for rule in auto gaussian:1.5; do
  expect 0 "$PROGRAM" classify "$salinas/salinasA.bil" salinas.model regularised.img --regularise "$rule" --overwrite
  expect 0 "$PROGRAM" assess regularised.img "$salinas/salinasA_gt.img" --json
  echo "Salinas-A, 30 per class, --regularise $rule: overall accuracy $(number_of overall_accuracy out)"
  at_least "$(number_of overall_accuracy out)" "$plain" || fail "--regularise $rule makes Salinas-A worse"
done

trees=$PARSIMAP_DATA/idtrees_osbs
species="taxonID IN ('PIPA2','QULA2','QUGE2')"
expect 0 "$PROGRAM" train "$trees/mosaic.vrt" "$trees/crowns_OSBS.gpkg" trees.model --class-field taxonID \
  --where "split='train' AND $species"
# Pixels of the same crown are alike: folds of single pixels find more accuracy than folds of crowns.
for groups in regions pixels; do
  expect 0 "$PROGRAM" train "$trees/mosaic.vrt" "$trees/crowns_OSBS.gpkg" "$groups.model" --class-field taxonID \
    --where "$species" --samples-per-class 60 --kernel gaussian --validate folds:4 --groups "$groups" --json
  sed -n '/"validation"/,$p' out >"$groups.json"
  echo "IDTReeS, folds of $groups: overall accuracy $(number_of overall_accuracy "$groups.json")"
done
err_says "the accuracy is optimistic"
at_least "$(number_of overall_accuracy pixels.json)" "$(number_of overall_accuracy regions.json)" ||
  fail "folds of crowns are more accurate than folds of pixels"
expect 0 "$PROGRAM" classify "$trees/mosaic.vrt" trees.model trees.tif --ram 256 --json
echo "IDTReeS mosaic: peak $(number_of peak_memory_mb out) MB"
at_least 356 "$(number_of peak_memory_mb out)" || fail "peak memory is $(number_of peak_memory_mb out) MB"
expect 0 "$PROGRAM" assess trees.tif "$trees/crowns_OSBS.gpkg" --class-field taxonID \
  --where "split='test' AND $species" --sampling-design simple --predictions trees.csv --json
[[ $(wc -l <trees.csv) -eq $((1 + $(number_of pixels out) + $(number_of unclassified_pixels out))) ]] ||
  fail "trees.csv has not a line for every pixel of the reference"
at_least "$(number_of regions out)" 100 || fail "intervals are from $(number_of regions out) crowns"
grep -q '"unit": "ha"' out || fail "areas of the crowns' species are not in hectares"
accuracy=$(number_of overall_accuracy out)
echo "IDTReeS: overall accuracy on the test crowns $accuracy"
at_least "$accuracy" 0.8 || fail "overall accuracy on the test crowns is $accuracy"
