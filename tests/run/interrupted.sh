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
  # Whoever runs this may have had SIGHUP ignored, as nohup does.
  env --default-signal=HUP,PIPE "$PROGRAM" classify big.vrt model made/map.tif --confidence made/confidence.tif >out 2>err &
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

for signal in INT TERM HUP PIPE XCPU; do
  code=$(stopped "$signal")
  # As shells say it, but where the reader of the output went away.
  wanted=$((128 + $(kill -l "$signal")))
  [[ $signal != PIPE ]] || wanted=1
  [[ $code -eq $wanted ]] || fail "exit code $code after SIG$signal: $(cat err)"
  err_says "stopped by"
  empty_folder made
done
# Whoever reads the messages goes away.
env --default-signal=PIPE "$PROGRAM" classify big.vrt model made/map.tif --progress json 2>&1 >/dev/null |
  grep -m 1 '"fraction"' >out || true
[[ -s out ]] || fail "no progress"
empty_folder made
# So does who reads the result, which is in place by then.
code=0
(env --default-signal=PIPE "$PROGRAM" info "$sample/scene.img" --json 2>err || echo $? >code) | true
[[ ! -e code ]] || { [[ $(cat code) -eq 1 ]] && err_says "standard output cannot be written: Broken pipe"; }

# More polygons than there is room for: soon done, and stopped at once.
sed 's/"per_class": [0-9]*/"per_class": 70000/' "$sample/spec.json" >many.json
grep -q 70000 many.json || fail "no per_class in spec.json"
expect 0 timeout 60 "$PROGRAM" simulate many.json many -q

code=$(stopped KILL)
[[ $code -eq 137 ]] || fail "exit code $code after SIGKILL"
absent made/map.tif made/confidence.tif
