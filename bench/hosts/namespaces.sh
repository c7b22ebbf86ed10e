#!/usr/bin/env bash
# namespaces.sh BIN PICTURES [MODEL]: runs BIN/winnow-mpi on four hosts that are made here: network namespaces with names
# of their own, joined by a bridge. Shows that one to four hosts give the bytes of BIN/winnow, and what a run says and
# leaves behind if a host is cut off in its midst. Needs root, `ip` (iproute2), `unshare` (util-linux) and Open MPI 4.
set -euo pipefail
bin=$(realpath "$1") pictures=$(realpath "$2") model=${3:-haarcascade_frontalface_alt}
for tool in ip unshare mpirun; do
  command -v "$tool" >/dev/null || { echo "namespaces.sh is skipped: there is no $tool"; exit 0; }
done
[[ $(id -u) = 0 ]] || { echo "namespaces.sh is skipped: only root makes namespaces"; exit 0; }

id=wn$$ work=$(mktemp -d)
hosts=(1 2 3 4)

clean() {
  local host
  for host in "${hosts[@]}"; do
    ip netns pids "$id-$host" 2>/dev/null | xargs -r kill -9 || true
    ip netns del "$id-$host" 2>/dev/null || true
    rm -rf "/etc/netns/$id-$host"
  done
  ip netns del "$id-bridge" 2>/dev/null || true
  rm -rf "$work"
}
trap clean EXIT

# Host i is h<i>, 10.77.0.<i>, with the link eth0.
ip netns add "$id-bridge"
ip -n "$id-bridge" link add bridge type bridge
ip -n "$id-bridge" link set bridge up
for host in "${hosts[@]}"; do
  ip netns add "$id-$host"
  mkdir -p "/etc/netns/$id-$host"  # `ip netns exec` shows these files in /etc
  { echo "127.0.0.1 localhost"; printf '10.77.0.%s h%s\n' 1 1 2 2 3 3 4 4; } >"/etc/netns/$id-$host/hosts"
  ip link add eth0 netns "$id-$host" type veth peer name "port$host" netns "$id-bridge"
  ip -n "$id-$host" addr add "10.77.0.$host/24" dev eth0
  ip -n "$id-$host" link set eth0 up
  ip -n "$id-$host" link set lo up
  ip -n "$id-bridge" link set "port$host" master bridge up
done

# Runs a command line on a host: `agent h2 'orted ...'`. Without names of their own, Open MPI takes hosts for one, and
# uses its shared memory.
cat >"$work/agent" <<END
#!/bin/sh
host=\$1; shift
exec ip netns exec "$id-\${host#h}" unshare --uts sh -c "hostname \$host; \$*"
END
chmod +x "$work/agent"

# scan LINES HOSTS WORDS...: winnow-mpi on so many hosts. Rank 0 and one more rank are on h1.
scan() {
  local lines=$1 count=$2 list=h1:2 host
  shift 2
  for ((host = 2; host <= count; ++host)); do list+=,h$host:1; done
  local options=(--allow-run-as-root --oversubscribe --bind-to none -n $((count + 1)) --host "$list"
    --mca plm_rsh_agent "$work/agent" --mca btl "tcp,self" --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0
    --mca oob_tcp_keepalive_time 5 --mca oob_tcp_keepalive_intvl 2 --mca oob_tcp_keepalive_probes 3)
  "$work/agent" h1 "exec mpirun ${options[*]} $bin/winnow-mpi detect -m $model --threads 1 --recursive --lines $lines --force $*"
}

bytes_of() { ip netns exec "$id-$1" cat /sys/class/net/eth0/statistics/"$2"; }

now() { date +%s.%N; }

echo "winnow alone"
"$bin/winnow" detect -m "$model" --threads 1 --recursive --quiet "$pictures" >"$work/alone" || true
wc -c <"$work/alone" | sed 's/$/ bytes of lines/'

for count in 1 2 3 4; do
  sent=$(bytes_of 1 tx_bytes) got=$(bytes_of 1 rx_bytes)
  echo "$count host(s)"
  scan "$work/lines$count" "$count" "$pictures" 2>"$work/err" || { cat "$work/err"; exit 1; }
  grep '^winnow: ' "$work/err"
  echo "h1's link sent $(($(bytes_of 1 tx_bytes) - sent)) and got $(($(bytes_of 1 rx_bytes) - got)) bytes"
  cmp "$work/alone" "$work/lines$count"
done
echo "1 to 4 hosts give the same bytes"

echo "4 hosts, of which h3 is cut off in the midst"
: >"$work/cut"
scan "$work/cut" 4 "$pictures" "$pictures" >"$work/out" 2>"$work/err" &
run=$!
half=$(($(wc -c <"$work/alone") / 2))
until (($(wc -c <"$work/cut") > half)); do sleep 0.02; done
ip -n "$id-bridge" link set port3 down
cut_at=$(now)
code=0
wait "$run" || code=$?
awk -v from="$cut_at" -v to="$(now)" 'BEGIN { printf "the run ended %.1f s after the cut", to - from }'
echo ", with exit code $code"
grep -E '^winnow: |Remote daemon|lost|rank' "$work/err" || cat "$work/err"
cat "$work/alone" "$work/alone" >"$work/whole"
size=$(wc -c <"$work/cut")
cmp <(head -c "$size" "$work/whole") "$work/cut"
[[ $(tail -c 1 "$work/cut") = "" ]] || { echo "the last line is not whole"; exit 1; }
((code != 0)) || { echo "the run did not notice"; exit 1; }
grep -q h3 "$work/err" || { echo "nobody named h3"; exit 1; }
echo "its $size bytes of lines are the first whole lines of the answer"
