#!/usr/bin/env bash
# Runs the public test suite in groups: run.sh TESTS OUT [BACKEND]
# TESTS is the folder "tests" of a checkout; the default of BACKEND is opencl. Each small group of programs has its own log and
# time limit, so that a hanging program affects only its group. A second call with the same OUT resumes the run: it skips finished
# groups, and runs each program of an interrupted group separately.
# Output: OUT/groups/*.log, OUT/times.txt (seconds, exit code, group), OUT/failed.txt and OUT/summary.txt. Variables:
#   ONLY="soacs hist-3"      the folders or groups to run; "top" stands for programs outside folders (default: all but ad)
#   JOBS=N                   the number of concurrent groups (default: half the processors)
#   SECONDS_LIMIT=N          the time limit of the run in seconds; no group starts in the last ten
#   CHUNK=4 LIMIT=60         the programs of a group (fixed by the first call), and the seconds of a case
#   EACH=N                   the seconds of a group (default: CHUNK times LIMIT)
#   RESUME="OUT1 OUT2"       the folders of other runs with groups of the same size, whose finished groups are skipped
#   FUTHARKC=PROGRAM         the compiler (default: ./futharkc)
set -u
tests=$(cd "$1" && pwd); mkdir -p "$2/groups"; out=$(cd "$2" && pwd); touch "$out/times.txt"
[ -s "$out/chunk" ] || echo "${CHUNK:-4}" > "$out/chunk"; chunk=$(cat "$out/chunk")
export tests out backend=${3:-opencl} limit=${LIMIT:-60} each=${EACH:-$((chunk * ${LIMIT:-60}))} resume=${RESUME:-}
compiler=${FUTHARKC:-$(cd "$(dirname "$0")/../.." && pwd)/futharkc}; export compiler
export stop=$(($(date +%s) + ${SECONDS_LIMIT:-1000000}))
jobs=${JOBS:-$((($(nproc) + 1) / 2))}
read -ra cards <<< "$(echo "${CUDA_VISIBLE_DEVICES:-$(nvidia-smi -L 2> /dev/null | awk '{print NR-1}')}" | tr ',\n' '  ')"
export cards="${cards[*]:-}"

portion() { # NAME FILES...
  local name=$1 begin left status; shift; begin=$(date +%s); left=$((stop - begin - 5)); [ $left -ge 5 ] || return
  [ $left -le $each ] || left=$each
  timeout -k 5 $left "$compiler" test --backend=$backend -j 1 --no-structure --no-progress --timeout=$limit "$@" \
    > "$out/groups/$name.log" 2>&1; status=$?
  echo "$(($(date +%s) - begin)) $status $name: $(grep -h 'passed,' "$out/groups/$name.log" | tail -1)" >> "$out/times.txt"
}
# The results of a group in this run and in earlier ones.
told() { grep -hs " $2$1: $3" "$out/times.txt" $(for run in $resume; do echo "$run/times.txt"; done); }
ended() { told "$1" '[01] ' '.*passed' > /dev/null; }
cut_off() { told "$1" '' '' > /dev/null && ! ended "$1"; }
group() { # NUMBER NAME FILES...
  local number=$1 name=$2 all; shift 2
  ended "$name" && return
  read -ra all <<< "$cards"; [ ${#all[@]} -eq 0 ] || export CUDA_VISIBLE_DEVICES=${all[$((number % ${#all[@]}))]}
  portion "$name" "$@"
}
export -f group portion told ended

cd "$tests" || exit 1
runs='^-- *(random |script )?(compiled |no_[a-z]* )*input|auto output|output *\{|^-- *output|^-- *error:'
for part in ${ONLY:-top $(find . -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | grep -v -x -e ad -e lib | sort)}; do
  folder=$part; [ $part = top ] || [ -d $part ] || folder=${part%-*}
  if [ $folder = top ]; then ls ./*.fut; else find $folder -name '*.fut' | sort; fi | xargs -r grep -lE "$runs" |
    xargs -r -n $chunk | nl -w1 -s' ' | while read -r i files; do
      [ $folder = $part ] || [ $folder-$i = $part ] || continue
      if cut_off "$folder-$i"; then
        echo "$files" | tr ' ' '\n' | nl -w1 -s' ' | sed "s/^/$folder-$i./"
      else
        echo "$folder-$i $files"
      fi
    done
done | nl -w1 -s' ' | xargs -P $jobs -L 1 bash -c 'group "$@"' _

cat "$out"/groups/*.log 2> /dev/null | grep -A2 '^FAILED' > "$out/failed.txt"
numbers() { sed -n 's/^\([0-9]*\) [01] \(.*\)-[0-9.]*: \([0-9]*\) passed, \([0-9]*\) failed.*/\2 \3 \4 \1/p' "$out/times.txt"; }
{
  echo "$backend: $(grep -c ' [01] .*passed' "$out/times.txt") of $(wc -l < "$out/times.txt") groups ended"
  numbers | awk '{p += $2; f += $3} END {if (p + f) printf "%d passed, %d failed: %.2f %%\n", p, f, 100 * p / (p + f)}'
  numbers | awk '{p[$1] += $2; f[$1] += $3} END {for (k in p) print "  " k, p[k], f[k]}' | sort
  echo "cut off or broken:"; grep -v ' [01] .*passed' "$out/times.txt"
} | tee "$out/summary.txt"
