# GNU parallel and Snakemake run the shards of a map, as docs/clusters.md says, and the map is that of one run.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

mkdir bin "a place"
ln -s "$PROGRAM" bin/parsimap
export PATH=$work/bin:$PATH HOME=$work
cd "a place"
train_sample model
cp "$sample"/scene.img "$sample"/scene.hdr .
expect 0 parsimap classify scene.hdr model one.tif

tested=0
if command -v parallel >/dev/null; then
  seq 3 | parallel --will-cite parsimap classify --shard {}/3 --threads 1 scene.hdr model parallel.tif >out 2>err ||
    { cat err >&2; fail "parallel does not run the shards"; }
  expect 0 parsimap merge parallel.tif
  cmp parallel.tif one.tif || fail "the shards of parallel do not make the map of one run"
  tested=1
else
  echo "not tested: parallel is not installed; cluster/check-cluster installs it"
fi

if command -v snakemake >/dev/null; then
  expect 0 snakemake --snakefile "$SOURCE/examples/shards/Snakefile" --cores 2 --config scene=scene.hdr model=model \
    map=snake.tif shards=3
  cmp snake.tif one.tif || fail "the shards of snakemake do not make the map of one run"
  expect 0 snakemake --snakefile "$SOURCE/examples/shards/Snakefile" --cores 2 --config scene=scene.hdr model=model \
    map=snake.tif shards=3
  err_says "Nothing to be done"
  absent snake.tif.shards snake.tif.parts
  tested=1
else
  echo "not tested: snakemake is not installed; cluster/check-cluster installs it"
fi
[[ $tested -eq 1 ]] || { echo "skipped: neither parallel nor snakemake is installed"; exit 77; }
