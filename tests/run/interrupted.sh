# A run that is stopped in its middle leaves nothing under the target's name, and when it is asked to stop rather than
# killed, nothing at all.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

train_sample model
enlarged_scene 60 >big.vrt
mkdir made

# stopped SIGNAL: sends it when the run has begun to write; its exit code.
stopped() {
  # A background process of a script ignores SIGINT unless job control is on.
  set -m
  "$PROGRAM" classify big.vrt model made/map.tif --confidence made/confidence.tif >out 2>err &
  local run=$! code=0
  set +m
  for ((i = 0; i < 600; ++i)); do
    [[ -z $(ls -A made) ]] || break
    sleep 0.05
  done
  sleep 0.5
  kill "-$1" "$run" || fail "the run was over before it could be stopped"
  wait "$run" || code=$?
  echo "$code"
}

for signal in INT TERM; do
  code=$(stopped "$signal")
  [[ $code -eq 1 ]] || fail "exit code $code after SIG$signal: $(cat err)"
  err_says "stopped by"
  empty_folder made
done
code=$(stopped KILL)
[[ $code -eq 137 ]] || fail "exit code $code after SIGKILL"
absent made/map.tif made/confidence.tif
