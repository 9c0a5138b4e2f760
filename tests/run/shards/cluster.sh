# A Slurm cluster of two nodes on this machine, by processes of its own in a folder of its own: an array of shards of which
# one is killed and requeued gives the bytes of one run, an experiment its results, and a failure is not merged.
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

export PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd sbatch python3; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed; cluster/check-cluster installs it"; exit 77; }
done

daemons=()
stop_cluster() {
  scancel --user="$(id -un)" 2>/dev/null || true
  for ((i = ${#daemons[@]} - 1; i >= 0; --i)); do
    kill "${daemons[i]}" 2>/dev/null || true
    wait "${daemons[i]}" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap stop_cluster EXIT

# within SECONDS COMMAND...: repeats the command until it succeeds.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [[ $SECONDS -lt $end ]] || return 1
    sleep 0.2
  done
}

start_cluster() {
  local ports name
  mkdir slurm slurm/state
  read -r -a ports < <(python3 -c '
import socket
sockets = [socket.socket() for _ in range(3)]
for one in sockets:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in sockets))')
  name=$(id -un)
  (umask 077; head -c 1024 /dev/urandom >slurm/munge.key)
  munged --foreground --force --key-file="$work/slurm/munge.key" --socket="$work/slurm/munge" --num-threads=2 \
    --pid-file="$work/slurm/munged.pid" --seed-file="$work/slurm/munge.seed" --log-file="$work/slurm/munged.log" \
    >slurm/munged.out 2>&1 &
  daemons+=($!)
  # Control groups belong to the machine, which is left alone. A requeued job waits until its credential has expired.
  echo "CgroupPlugin=cgroup/v1" >slurm/cgroup.conf
  cat >slurm/slurm.conf <<END
ClusterName=check
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=${ports[0]}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=$name
SlurmdUser=$name
AuthType=auth/munge
AuthInfo=socket=$work/slurm/munge,cred_expire=5
CredType=cred/munge
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool-%n
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd-%n.pid
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
KillWait=1
NodeName=node1 NodeHostname=node1 NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=2
NodeName=node2 NodeHostname=node2 NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$work/slurm/slurm.conf
  within 10 test -S slurm/munge || { cat slurm/munged.out >&2; fail "munged does not start"; }
  slurmctld -D -f "$SLURM_CONF" >slurm/slurmctld.out 2>&1 &
  daemons+=($!)
  for node in node1 node2; do
    slurmd -D -N "$node" -f "$SLURM_CONF" >"slurm/$node.out" 2>&1 &
    daemons+=($!)
  done
  within 30 both_idle || { tail -n 5 slurm/*.out >&2; fail "the nodes of the cluster do not come up"; }
}
both_idle() { [[ $(sinfo --noheader --format=%D --states=idle) == 2 ]]; }

# The state that a job has now or ended in; empty when Slurm has forgotten it.
state_of() { scontrol show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p' | sort -u | tr '\n' ' '; }
queue_is_empty() { [[ -z $(squeue --noheader) ]]; }
# finished: waits until the queue is empty.
finished() {
  within 60 queue_is_empty || { squeue >&2; tail -n 20 slurm/slurmctld.log >&2; fail "the jobs do not end"; }
}
number_of_job() { sed -n "s/^$1 //p" out; }

start_cluster

# Names that a shell would take apart.
place="$work/it's \"one\" place; \$HOME"
mkdir "$place" "$work/bin"
cd "$place"
enlarged_scene 9 >big.vrt
train_sample "the model"

# The program as the nodes find it: the first try of task 3 is killed, and puts itself back into the queue.
cat >"$work/bin/parsimap" <<END
#!/bin/bash
if [[ -n \${SLURM_ARRAY_TASK_ID:-} && -e $work/kill-one ]]; then
  echo "\$SLURMD_NODENAME threads \${SLURM_CPUS_PER_TASK:-}" >>"$work/try-\$SLURM_ARRAY_TASK_ID"
  if [[ \$SLURM_ARRAY_TASK_ID == 3 && -z \${SLURM_RESTART_COUNT:-} ]]; then
    "$PROGRAM" "\$@" &
    sleep 0.3
    kill -KILL \$! && echo killed >>"$work/try-3"
    scontrol requeue "\${SLURM_ARRAY_JOB_ID}_3"
    sleep 30
  fi
fi
exec "$PROGRAM" "\$@"
END
chmod +x "$work/bin/parsimap"
cp "$SOURCE/cluster/parsimap-slurm" "$work/bin/slurm-script"
export PATH=$work/bin:$PATH

# Tiles of which there are enough for eight parts.
options=(--regularise auto --co TILED=YES --co BLOCKXSIZE=64 --co BLOCKYSIZE=64)
expect 0 "$PROGRAM" classify big.vrt "the model" "one run.tif" "${options[@]}" --confidence "one's confidence.tif"

touch "$work/kill-one"
expect 0 "$SOURCE/cluster/parsimap-slurm" --shards 8 --cpus-per-task=1 --output="$work/log-%j" -- \
  classify big.vrt "the model" "map \$1.tif" "${options[@]}" --confidence "the 'confidence'.tif"
[[ $(cut -d " " -f 1 out | tr '\n' ' ') == "plan shards merge " ]] || fail "not three jobs: $(cat out)"
merge=$(number_of_job merge)
absent "map \$1.tif"
finished
! grep ": no rows" "$work"/log-* >&2 || fail "not all tasks had something to do"
[[ $(state_of "$merge") == "COMPLETED " ]] || { cat "$work"/log-* >&2; fail "merging ended as $(state_of "$merge")"; }
cmp "map \$1.tif" "one run.tif" || fail "the shards do not make the map of one run"
cmp "the 'confidence'.tif" "one's confidence.tif" || fail "the shards do not make the confidence of one run"
[[ $(wc -l <"$work/try-3") -eq 3 && $(wc -l <"$work/try-4") -eq 1 ]] || fail "task 3 was not killed and requeued: $(cat "$work"/try-*)"
[[ $(cut -d " " -f 1 "$work"/try-* | sort -u | grep -c node) -eq 2 ]] || fail "not both nodes had tasks"
grep -q "threads 1$" "$work/try-4" || fail "Slurm did not say how many processors a task has"
rm "$work/kill-one"

cat >"two methods.json" <<'END'
{"title": "two methods", "repeats": 2, "methods": [{"kernel": ["gaussian", "hdda"], "criterion": "leave-one-out", "dimension": "fixed:2"}],
 "data": [{"name": "drawn", "simulated": {"train": 40, "test": 60, "scene": {"width": 10, "height": 10, "bands": 8,
   "classes": [{"name": "a", "dimension": 2}, {"name": "b", "dimension": 2}], "layout": {"kind": "blocks", "block_size": 2}}}}]}
END
without_times() { sed -E 's/"(mean_)?seconds":[-0-9.e+]+/"\1seconds":0/g' "$1"; }
expect 0 "$PROGRAM" run "two methods.json" --output-dir whole
expect 0 "$SOURCE/cluster/parsimap-slurm" --shards=3 --output=/dev/null -- run "two methods.json"
finished
[[ -s "two methods/results.json" ]] || fail "the experiment has no results"
without_times whole/results.json >whole.txt
without_times "two methods/results.json" | cmp - whole.txt || fail "the shards of an experiment differ from one run"

# What fails is not merged, and the job that would have joined it does not wait for ever.
expect 0 "$SOURCE/cluster/parsimap-slurm" --shards 2 --output=/dev/null -- classify big.vrt "no model" missing.tif
finished
[[ $(state_of "$(number_of_job merge)") != COMPLETED* ]] || fail "shards that failed were merged"
absent missing.tif
expect 1 "$SOURCE/cluster/parsimap-slurm" --shards 2 --partition=none -- classify big.vrt "the model" other.tif
err_says "sbatch has refused the job 'shards': "
expect 1 "$SOURCE/cluster/parsimap-slurm" --shards 5000 -- classify big.vrt "the model" other.tif
err_says "so use fewer --shards"
queue_is_empty || fail "a refused call left jobs behind"
