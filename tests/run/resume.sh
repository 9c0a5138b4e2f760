# An experiment that is killed or stopped in its middle continues with --resume: finished runs are not repeated, and the results are
# those of an experiment that was not killed, for any number of threads.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cat >experiment.json <<'JSON'
{"title": "Killed and resumed", "repeats": 3, "seed": 11,
 "methods": [{"kernel": ["gaussian", "pca", "hdda"], "criterion": ["leave-one-out", "radius-margin"], "dimension": "fixed:3"}],
 "data": [{"name": "toy", "simulated": {"train": 60, "test": 84, "scene": {"width": 12, "height": 12, "bands": 12,
   "layout": {"kind": "blocks", "block_size": 1}, "snr": 10,
   "classes": [{"name": "one", "dimension": 3}, {"name": "two", "dimension": 3}, {"name": "three", "dimension": 3}]}}}]}
JSON
runs=18

# All but times.
without_times() { sed -E 's/"(mean_)?seconds":[-0-9.e+]+/"\1seconds":0/g' "$1"; }
lines_of() { if [[ -f $1 ]]; then wc -l <"$1"; else echo 0; fi; }

expect 0 "$PROGRAM" run experiment.json --output-dir whole --threads 1
without_times whole/results.json >whole.txt
[[ $(grep -c '"repeat"' whole/results.json) -eq $runs ]] || fail "not $runs runs in whole/results.json"

# stopped SIGNAL CODE JOURNAL_LINES: starts or resumes in the folder `killed`, sends the signal when the journal has so
# many lines, and expects the exit code.
stopped() {
  # A background process of a script ignores SIGINT otherwise.
  env --default-signal=INT "$PROGRAM" run experiment.json --output-dir killed --threads 2 --resume >out 2>err &
  local run=$! code=0
  for ((i = 0; i < 6000; ++i)); do
    [[ $(lines_of killed/journal.jsonl) -lt $3 ]] || break
    sleep 0.01
  done
  kill "-$1" "$run" || fail "the run was over before it could be stopped: $(cat err)"
  wait "$run" 2>/dev/null || code=$?
  [[ $code -eq $2 ]] || fail "exit code $code after SIG$1: $(cat err)"
  absent killed/results.json killed/results.csv killed/report.html
}

stopped KILL 137 3
first=$(lines_of killed/journal.jsonl)
[[ $first -ge 3 && $first -le $runs ]] || fail "$first lines in the journal after the first kill"
head -n "$first" killed/journal.jsonl >first.txt

expect 2 "$PROGRAM" run experiment.json --output-dir killed
err_says "use --resume to continue it"
sed 's/"seed": 11/"seed": 12/' experiment.json >other.json
expect 2 "$PROGRAM" run other.json --output-dir killed --resume
err_says "/seed differs"

stopped INT 130 $((first + 1))
err_says "runs are kept; --resume continues from there"
stopped TERM 143 $(($(lines_of killed/journal.jsonl) + 1))
err_says "runs are kept; --resume continues from there"
# What was finished stays as it was, with its times, and no run is there twice.
head -n "$first" killed/journal.jsonl | cmp - first.txt || fail "finished runs were changed"
second=$(lines_of killed/journal.jsonl)
duplicates=$(head -n "$second" killed/journal.jsonl | tail -n +2 | grep -oE '^\{"data":"[^"]*","method":\{[^}]*\},"repeat":[0-9]+' | sort | uniq -d)
[[ -z $duplicates ]] || fail "repeated: $duplicates"

cp killed/journal.jsonl journal.txt
expect 0 "$PROGRAM" run experiment.json --output-dir killed --threads 2 --resume
err_says "$((second - 1)) of $runs runs are done already"
without_times killed/results.json | cmp - whole.txt || fail "the resumed results differ from those of one go"
# The times of the finished runs are the first ones.
head -n "$second" journal.txt | tail -n +2 | sed -E 's/,"trivial":\[[a-z,]*\],"checksum":"[0-9a-f]*"//' | while IFS= read -r line; do
  grep -qF -- "$line" killed/results.json || fail "a finished run was repeated"
done
absent killed/journal.jsonl
[[ -s killed/report.html && -s killed/results.csv ]] || fail "outputs are missing"
