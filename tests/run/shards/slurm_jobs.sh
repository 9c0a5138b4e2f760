# parsimap-slurm without a cluster: a program in the place of sbatch does the jobs at once. Names reach the jobs as they were
# typed, options of sbatch go to every job, and what is wrong is said before anything is submitted.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
submit=$SOURCE/cluster/parsimap-slurm
mkdir bin
ln -s "$PROGRAM" bin/parsimap
cat >bin/sbatch <<'END'
#!/bin/bash
printf '%s\n' "$*" >>"$JOBS"
number=$((100 + $(wc -l <"$JOBS")))
[[ $* != *--refuse-merge* || $* != *parsimap-merge* ]] || { echo "sbatch: error: no merging today" >&2; exit 1; }
[[ $* != *--array=1-5000* ]] || { echo "sbatch: error: Batch job submission failed: Invalid job array specification" >&2; exit 1; }
script=$(cat)
count=$(sed -n 's/.*--array=1-\([0-9]*\).*/\1/p' <<<"$*")
for ((task = 1; task <= ${count:-1}; ++task)); do
  SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=1 bash <<<"$script" >>"$JOBS.log" 2>&1 || { cat "$JOBS.log" >&2; exit 1; }
done
echo "$number;cluster"
END
printf '#!/bin/bash\necho "cancelled $*" >>"$JOBS"\n' >bin/scancel
chmod +x bin/*
export PATH=$work/bin:$PATH JOBS=$work/jobs

# Names that a shell would take apart.
place="$work/it's \"one\" place; \$HOME"
mkdir "$place"
cd "$place"
train_sample "the model"
cp "$sample/scene.tif" "my scene.tif"
expect 0 parsimap classify "my scene.tif" "the model" one.tif --regularise auto
expect 0 "$submit" --shards 3 -p long "--comment=two words" -- classify --regularise=auto "my scene.tif" "the model" "a \$map.tif"
[[ $(tr '\n' ' ' <out) == "plan 101 shards 102 merge 103 " ]] || fail "other jobs: $(cat out)"
cmp "a \$map.tif" one.tif || fail "the jobs do not make the map of one run"
[[ $(grep -c -- "-p long --comment=two words" "$JOBS") -eq 3 ]] || fail "not all jobs have the options: $(cat "$JOBS")"
grep -q -- "--job-name=parsimap-merge .* --dependency=afterok:102 --kill-on-invalid-dep=yes$" "$JOBS" || fail "merging depends on other jobs"

cat >"two methods.json" <<'END'
{"title": "t", "repeats": 2, "methods": [{"kernel": "gaussian", "criterion": "leave-one-out"}],
 "data": [{"name": "drawn", "simulated": {"train": 40, "test": 60, "scene": {"width": 10, "height": 10, "bands": 8,
   "classes": [{"name": "a"}, {"name": "b"}], "layout": {"kind": "blocks", "block_size": 2}}}}]}
END
expect 0 "$submit" --shards=2 -- run "two methods.json"
[[ $(cut -d " " -f 1 out | tr '\n' ' ') == "shards merge " ]] || fail "other jobs: $(cat out)"
[[ -s "two methods/results.json" ]] || fail "no results"
expect 0 "$submit" --shards=2 -- run "two methods.json" --overwrite
expect 0 "$submit" --shards=2 -- run "two methods.json" --output-dir other

printf 'scene\nmy scene.tif\n' >"two scenes.csv"
expect 0 "$submit" --shards 2 -- classify "the model" --scenes "two scenes.csv" --output-dir "many maps" --regularise auto
[[ $(cut -d " " -f 1 out) == "shards" ]] || fail "other jobs than one array: $(cat out)"
cmp "many maps/my scene_map.tif" one.tif || fail "the jobs do not make the map of one run"

: >"$JOBS"
expect 0 "$submit" --shards 3 --dry-run -- run "two methods.json"
grep -qF "exec $work/bin/parsimap run --shard \"\$SLURM_ARRAY_TASK_ID\"/3 'two methods.json'" out || fail "another job: $(cat out)"
[[ ! -s $JOBS ]] || fail "jobs were submitted"

# refused CODE TEXT WORD...
refused() {
  local code=$1 text=$2
  shift 2
  expect "$code" "$submit" "$@"
  err_says "parsimap-slurm: $text"
}
refused 2 "there is no -- before the command" --shards 3
refused 2 "--shards is missing" -- run x.json
refused 2 "--shards is 'many'; it must be a number from 1 to 1000000" --shards many -- run x.json
refused 2 "option --array cannot be given to parsimap-slurm" --shards 3 --array=1-4 -- run x.json
refused 2 "parsimap-slurm supports 'classify' and 'run', not 'train'" --shards 3 -- train
refused 2 "'run' has no option --colour" --shards 3 -- run x.json --colour red
refused 2 "option --threads has no value" --shards 3 -- run x.json --threads
refused 2 "--shard cannot be given to parsimap-slurm" --shards 3 -- run x.json --shard 1/3
refused 2 "'run' lacks arguments: CONFIG" --shards 3 -- run
refused 2 "'classify' lacks arguments: SCENE, MODEL and MAP, or MODEL with --scenes" --shards 3 -- classify scene model
refused 2 "'run' has too many arguments, from 'y' on" --shards 3 -- run x y
[[ ! -s $JOBS ]] || fail "a wrong command line was submitted"
refused 1 "sbatch has refused the job 'shards': sbatch: error: Batch job submission failed: Invalid job array specification; the cluster" \
  --shards 5000 -- run "two methods.json"
: >"$JOBS"
refused 1 "sbatch has refused the job 'merge': sbatch: error: no merging today" --shards 1 --refuse-merge -- \
  classify "my scene.tif" "the model" late.tif
[[ $(tail -n 1 "$JOBS") == "cancelled 101" ]] || fail "the shards wait for nobody: $(cat "$JOBS")"
rm "$work/bin/sbatch"
if ! command -v sbatch >/dev/null; then
  refused 1 "the program sbatch is not on the search path" --shards 1 -- run "two methods.json"
fi
