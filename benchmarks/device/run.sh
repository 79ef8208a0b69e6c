#!/usr/bin/env bash
# Runs tests and benchmarks on a machine with a GPU, in a folder that pack.sh has created.
#
#   run.sh OUT [STEP...]   writes OUT/STEP*.log and tables; the exit code is 1 if a test failed. The steps:
#     checks       the run time alone, against known results; checks that may make the device unusable run in separate processes
#     launches     launches and reads of scalars, alternating with a C program's; launches of C in graphs
#     runtime      times of launches, transfers, memory, starts
#     starts       start times of programs and of the original's, with and without caches
#     first_calls  first calls of a large program with empty caches
#     tables       a large program, tables.fut: compile time, first calls with empty caches, later calls
#     faults       faults on the device: their messages, and that the program works afterwards
#     autotune     thresholds of programs with several versions, and the speed-up
#     operations   every primitive operation on every type, CUDA and OpenCL against the interpreter
#     kernels      shared memory, atomic operations, failures, tiles
#     shared       devices shared by programs, closed and interrupted; options of executables
#     examples     the project's examples
#     flat         map, reduce, scan, histogram, transpose, copy: times and memory traffic by kernel
#     large        arrays of more than 2^31 elements
#     devices      calls that 1, 2, 4, ... cards share: times, and results against one card's
#     compare      the benchmark programs and the original's, with times by kernel of slower cases
#     suite        'futharkc test' of the programs in the folder SUITE
#
# CUDA_HOME       CUDA's toolkit (default /usr/local/cuda); CUDA_DRIVER_LIB the folder of the driver's library
# BACKENDS        a subset of "cuda opencl"; LIMIT the time limit of a step in seconds (default 300); ONLY a regular
#                 expression that selects cases
# CARDS           the cards for concurrent comparisons (default: all, or those in CUDA_VISIBLE_DEVICES); LATER the cases
#                 that run last; NO_HOST=1 to omit the host's results; CALLS seconds for all calls of a side (default 0.6)
# SIZES           options of devices.py for the step devices, such as '--log-size 26 --bodies 50000'
# KEEP            a folder that keeps executables, inputs, kernels and results of the comparison for the next run
# OVER            the time ratio above which kernels are measured (default 1.5)
# PASSES          the --passes option for our programs
# RESUME          compare.json files of earlier runs, whose cases are not measured again; KNOWN: such files that identify
#                 slow cases
# MODULES         the folder of the compiler's modules (default modules/); SCRATCH a folder with 25 GB for inputs
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?a folder for the results}; shift; steps=${*:-runtime operations kernels examples flat compare}
mkdir -p "$out"; out=$(cd "$out" && pwd)
cuda=${CUDA_HOME:-/usr/local/cuda} driver=${CUDA_DRIVER_LIB:-/usr/local/nvidia/lib64}
backends=${BACKENDS:-cuda opencl} limit=${LIMIT:-300} jobs=${JOBS:-$(nproc)} status=0
cards=${CARDS:-${CUDA_VISIBLE_DEVICES:-$(nvidia-smi --query-gpu=index --format=csv,noheader 2> /dev/null | paste -sd,)}}; cards=${cards:-0}
# Inputs of many gigabytes are kept in memory if it suffices.
base=${SCRATCH:-}
if [ -z "$base" ] && [ "$(df --output=avail -B1G /dev/shm 2> /dev/null | tail -1)" -gt 45 ] 2> /dev/null; then base=/dev/shm; fi
work=$(mktemp -d ${base:+--tmpdir="$base"}); trap 'rm -rf "$work"' EXIT
export CUDA_HOME=$cuda FUTHARKC_CACHE=$work/binaries FUTHARKC_JAVA=${FUTHARKC_JAVA:-$here/java} PYTHONUNBUFFERED=1
export LD_LIBRARY_PATH=$driver:$cuda/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
ldconfig -p | grep -q 'libOpenCL\.so\.1 ' || LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$here/loader
if ! ls /etc/OpenCL/vendors/*.icd > /dev/null 2>&1; then
  mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd
fi
modules=${MODULES:-$here/modules}
java="$FUTHARKC_JAVA/bin/java -Xmx8g -Xss64m --enable-native-access=ALL-UNNAMED,futharkc.core.runtime,jcuda,jocl"
export F="$java -p $modules -m futharkc.cli/futharkc.cli.Main"

# The linker needs a file name without version, which some machines lack.
mkdir -p "$work/link"
for lib in "$driver/libcuda.so.1" "$(ldconfig -p | awk '/libcuda\.so\.1 / { print $NF; exit }')"; do
  [ ! -e "$lib" ] || { ln -sf "$lib" "$work/link/libcuda.so"; break; }
done

# Without persistence mode, an idle driver initialises again with each process, which takes a second or more.
python3 -c 'import ctypes, time
cuda, count = ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
cuda.cuInit(0); cuda.cuDeviceGetCount(ctypes.byref(count))
for i in range(count.value): cuda.cuDevicePrimaryCtxRetain(ctypes.byref(ctypes.c_void_p()), i)
time.sleep(3600)' 2> /dev/null &
holder=$!; trap 'kill $holder 2> /dev/null; rm -rf "$work"' EXIT

junit() { # BACKENDS CLASS...: tests of futharkc.tests.device
  local targets=$1 all; shift
  all=$($java -p "$modules" --list-modules | sed -n 's/^\(futharkc\.[a-z.]*\).*/\1/p' | grep -v -e '^futharkc.tests' | tr '\n' ',')
  timeout "$limit" $java -ea "-Dfutharkc.targets=$targets" -p "$modules:$here/testlibs" \
    --add-modules "org.junit.jupiter.api,org.junit.jupiter.params,org.junit.platform.launcher,org.junit.jupiter.engine,org.jspecify,${all}futharkc.tests" \
    --patch-module futharkc.tests="$here/tests" --add-reads futharkc.tests=org.junit.jupiter.api,org.junit.jupiter.params,ALL-UNNAMED \
    --add-opens futharkc.tests/futharkc.tests.device=ALL-UNNAMED,org.junit.platform.commons "$here/RunTests.java" "$@"
}

device_benchmark() {
  "$FUTHARKC_JAVA/bin/java" -XX:+UseParallelGC -Xmx8g --enable-native-access=ALL-UNNAMED \
    -cp "$here/benchmarks:$(ls -d "$here"/benchmarks/*.jar "$here"/modules/* 2> /dev/null | tr '\n' ':')" futharkc.benchmarks.device.DeviceBenchmark "$@"
}
export -f device_benchmark; export here

checks() {
  local b name
  for b in $backends; do
    for name in safe "more than" "too little" illegal; do
      echo "== $b, $name"; timeout 60 bash -c 'device_benchmark "$@"' _ "$b" check "$name" || status=1
    done
  done
}

c_launches() { # makes kernels.ptx and a C program that launches them
  device_benchmark cuda ptx "$work/kernels.ptx"
  cc -O2 -o "$work/launches" "$here/launches.c" -I"$cuda/include" -L"$work/link" -lcuda
}

launches() { # in turn: the differences between two of a kind are noise
  local i
  c_launches || { status=1; return; }
  for i in 1 2 3; do
    echo "== C"; timeout 20 "$work/launches" "$work/kernels.ptx" || status=1
    echo "== futharkc"; timeout 20 bash -c 'device_benchmark cuda launches' || status=1
  done
}

runtime() {
  local b i
  c_launches || status=1
  for b in $backends; do echo "== times, $b"; timeout 150 bash -c 'device_benchmark "$@"' _ "$b" time "$work/kernels.ptx" || status=1; done
  for b in $backends; do
    rm -rf "$FUTHARKC_CACHE"
    for i in 1 2 3 4; do device_benchmark "$b" start | sed "s/^/$b, start $i: /"; done
  done
}

faults() {
  $F cuda "$here/programs/faults.fut" -o "$work/faults" && $F opencl "$here/programs/faults.fut" -o "$work/faults-opencl"
  "$here/faults.sh" "$work/faults" "$([[ $backends != *opencl* ]] || echo "$work/faults-opencl")" "$work/faults-caches" || status=1
}

autotune() { # times before, the search, times after
  local p
  mkdir -p "$work/tuned"; cp "$here/programs/nested.fut" "$work/tuned/"; cp -rL "$here/sources/finpar" "$here/sources/lib" "$work/tuned/" 2> /dev/null
  sed -i '/^-- output @/d' "$work"/tuned/finpar/*.fut
  for p in nested.fut finpar/LocVolCalib.fut; do
    [ -e "$work/tuned/$p" ] || continue
    echo "== $p"
    (cd "$work/tuned" && rm -f "$p.tuning" && timeout "$limit" $F bench --backend=cuda "$p" && timeout "$limit" $F autotune --backend=cuda "$p" \
      && cat "$p.tuning" && timeout "$limit" $F bench --backend=cuda "$p") || status=1
  done
}

flat() { # every entry point of the programs
  local p n
  for p in "$here"/programs/*.fut; do
    grep -q '^-- shape:' "$p" || continue
    n=$(basename "$p" .fut)
    $F "${backends%% *}" --server "$p" -o "$work/$n" || { status=1; continue; }
    # shellcheck disable=SC2046 # one word for each entry point
    $F dataset -b -g "$(sed -n 's/^-- shape: *//p' "$p")" > "$work/$n.in"
    echo "== $n"; python3 "$here/kernels.py" "$work/$n" "$work/$n.in" $(sed -n 's/^entry \([a-z0-9_]*\).*/\1/p' "$p")
    rm -f "$work/$n.in"
  done
}

large() {
  $F "${backends%% *}" --server "$here/programs/large.fut" -o "$work/large" && python3 "$here/large.py" "$work/large" ${ELEMENTS:-} || status=1
}

devices() {
  local all counts=1 n
  all=$(nvidia-smi --query-gpu=index --format=csv,noheader | wc -l)
  for ((n = 2; n <= all; n *= 2)); do counts=$counts,$n; done
  $F "${backends%% *}" "$here/programs/devices.fut" -o "$work/devices" \
    && TMPDIR=$work python3 "$here/devices.py" "$work/devices" --devices "$counts" ${SIZES:-} || status=1
}

compile_ours() { # TARGET FOLDER PROGRAM
  local exe; exe=$made/$2/$(echo "${3%.fut}" | tr / -)
  [ ! -x "$exe" ] || return 0
  [ "$1" != multicore ] || local PASSES=
  (cd "$here/sources" && timeout 120 $F "$1" ${PASSES:+--passes="$PASSES"} --server "$3" -o "$exe.part" > "$exe.log" 2>&1 && mv "$exe.part" "$exe" \
    || echo "$3, $1: $(grep -v -i warning "$exe.log" | tail -2 | cut -c1-200)")
}
compile_original() {
  local exe n; n=$(basename "$1" .c.gz); exe=$made/original/$n
  [ ! -x "$exe" ] || return 0
  # In CUDA 13, a function that the C code calls has another parameter.
  gzip -dc "$1" | sed 's/cuCtxCreate(/cuCtxCreate_v2(/; s/^#include <nvrtc.h>/&\nCUresult cuCtxCreate_v2(CUcontext *, unsigned int, CUdevice);/' | gcc -O1 -std=gnu99 -w -x c - -o "$exe.part" -I"$CUDA_HOME/include" -L"$work/link" -L"$CUDA_HOME/lib64" \
    -L"$CUDA_HOME/lib64/stubs" -lcuda -lcudart -lnvrtc -lm 2> "$exe.err" && mv "$exe.part" "$exe" || echo "$n: $(grep -m1 -i error "$exe.err")"
}
# Also with cached kernels: a start with --cache-file compiles all of them.
warm_ours() {
  local n; n=$(echo "${1%.fut}" | tr / -); compile_ours cuda ours "$1"
  [ -e "$made/in/cache/futharkc-$n" ] || timeout 100 "$made/ours/$n" --cache-file "$made/in/cache/futharkc-$n" < /dev/null > /dev/null 2>&1
}
warm_original() {
  local n; n=$(basename "$1" .c.gz); compile_original "$1"
  [ -e "$made/in/cache/original-$n" ] || timeout 100 "$made/original/$n" --cache-file "$made/in/cache/original-$n" < /dev/null > /dev/null 2>&1
}
export -f compile_ours compile_original warm_ours warm_original; export here work made=$work

starts() { # beside the original's, both with their own cache files
  made=${KEEP:-$work}; mkdir -p "$made"/{ours,original}
  printf '%s\n' "compile_original $here/original/micro-reduce.c.gz" "compile_ours cuda ours micro/reduce.fut" | xargs -P 4 -L 1 bash -c '"$@"' _
  local n=micro-reduce o=$made/ours p=$made/original
  # The first start launches the creation of the ahead-of-time cache.
  timeout 30 "$o/$n" --cache-file "$work/c2" < /dev/null > /dev/null 2>&1; sleep 10; ls -la "$FUTHARKC_CACHE/classes"
  python3 "$here/starts.py" "${ROUNDS:-7}" "original reduce=$p/$n --cache-file $work/c1" "futharkc reduce=$o/$n --cache-file $work/c2" \
    "futharkc reduce, no cache=env FUTHARKC_CACHE=/proc/none $o/$n --cache-file $work/c2" \
    "no warm-up=env FUTHARKC_PROGRAM_OPTS=-XX:ActiveProcessorCount=2 $o/$n --cache-file $work/c2" \
    "first tier only=env FUTHARKC_PROGRAM_OPTS=-XX:TieredStopAtLevel=1 $o/$n --cache-file $work/c2"
}

first_calls() { # with nothing in a cache
  mkdir -p "$work/ours" "$work/original"
  printf '%s\n' "compile_original $here/original/finpar-LocVolCalib.c.gz" "compile_ours cuda ours finpar/LocVolCalib.fut" | xargs -P 4 -L 1 bash -c '"$@"' _
  local l=finpar-LocVolCalib
  python3 "$here/starts.py" "first=$here/sources/finpar/LocVolCalib-data/small.in" "original LocVolCalib=$work/original/$l" \
    "futharkc LocVolCalib=$work/ours/$l" "futharkc LocVolCalib, one processor=taskset -c 0 $work/ours/$l"
}

tables() { # each process with an empty cache of kernels, then with a full one
  local b e in when
  $F dataset -b -g '[10][10000]i64' > "$work/keys.in"; echo 100000i64 > "$work/number.in"
  for b in $backends; do
    echo "== compile, $b"; time $F "$b" -w "$here/programs/tables.fut" -o "$work/tables" || { status=1; continue; }
    for e in reduced_by_key distinct_keys distinct_pairs found found_pairs absent; do
      in=$work/keys.in; [[ $e != found* && $e != absent ]] || in=$work/number.in
      rm -rf "$FUTHARKC_CACHE/kernels"
      for when in first later; do
        echo "== $e, $b, $when"; time timeout 120 "$work/tables" -e "$e" -r 3 -t /dev/stdout < "$in" || status=1
      done
    done
  done
}

compare() {
  made=${KEEP:-$work}; mkdir -p "$made"/{ours,original,host,in/cache,in/results}
  export FUTHARKC_CACHE=$made/binaries
  local n needs only java="${java/-Xmx8g/-Xmx3g -XX:TieredStopAtLevel=1 -XX:+UseSerialGC}"
  export F="$java -p $modules -m futharkc.cli/futharkc.cli.Main"
  # Results of another compiler version are outdated.
  local stamp; stamp=$(cd "$modules" && find -L . -type f -print0 | sort -z | xargs -0 cat | cksum)
  if [ "$stamp" != "$(cat "$made/stamp" 2> /dev/null)" ]; then
    rm -rf "$made"/{ours,host,binaries,in/results} "$made"/in/cache/futharkc-*; mkdir -p "$made"/{ours,host,in/results}; echo "$stamp" > "$made/stamp"
  fi
  local -a how=(--kit "$here/kit" --ours "$made/ours" --theirs "$made/original" --inputs "$made/in" --out "$out" --only "${ONLY:-.}" --later "${LATER:-}" --over "${OVER:-1.5}")
  [ -n "${NO_HOST:-}" ] || how+=(--host "$made/host")
  # shellcheck disable=SC2206 # several files
  how+=(--resume ${RESUME:-} --known ${KNOWN:-})
  needs=$(python3 "$here/compare.py" "${how[@]}" --size "${SIZE:-gpu}" --needs)
  only=$(sed -n 's/^only //p' <<< "$needs")
  (cd "$here/kit" && python3 gen_inputs.py --size "${SIZE:-gpu}" --inputs "$made/in" --repo "$here/sources" --only "$only" --jobs "$(((jobs + 1) / 2))" > "$work/gen.log" 2>&1) &
  # All compilers run concurrently, the slowest (C, on large programs) first.
  { for n in $(sed -n 's/^theirs //p' <<< "$needs"); do echo "$here/original/$(echo "${n%.fut}" | tr / -).c.gz"; done | xargs -r ls -S 2> /dev/null | sed 's/^/warm_original /'
    sed -n 's/^ours /warm_ours /p; s/^host /compile_ours multicore host /p' <<< "$needs" | sort -r
  } | timeout $((limit / 2)) xargs -P "$jobs" -L 1 bash -c '"$@"' _
  wait $!
  echo "to do: $(sed -n 's/^cases //p' <<< "$needs") cases; there are $(ls "$made/ours" | grep -vc '\.log$'), $(ls "$made/host" | grep -vc '\.log$') and $(ls "$made/original" | grep -vc '\.err$') executables, inputs of $(du -sh "$made/in" | cut -f1), after $((SECONDS - start)) s"
  grep -v ' bytes, ' "$work/gen.log" | head -5
  python3 "$here/compare.py" "${how[@]}" --cards "$cards" --budget $((limit - (SECONDS - start) - 5)) --seconds "${CALLS:-0.6}" \
    --size "${SIZE:-gpu}" --device "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1), $(echo "$cards" | tr ',' '\n' | wc -l) of them side by side"
}

{ nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader; $F doctor; } > "$out/device.log" 2>&1
for step in $steps; do
  start=$SECONDS
  case $step in
    checks | launches | runtime | starts | first_calls | faults | autotune | flat | large | tables | devices) $step > "$out/$step.log" 2>&1; tail -3 "$out/$step.log" ;;
    compare) compare 2>&1 | tee "$out/compare.log" | tail -12 ;;
    operations) junit "$backends" futharkc.tests.device.OperationsTest > "$out/operations.log" 2>&1 || status=1; tail -1 "$out/operations.log" ;;
    kernels)
      # Each test has its own process, since a failure may make the device unusable.
      for b in $backends; do
        for t in blocksShareMemory atomicOperationsLoseNothing failuresAreReportedOnceAndTheNextCallWorks; do
          echo "== $b $t"; junit "$b" "futharkc.tests.device.KernelsTest#$t" || status=1
        done
        echo "== $b tiles"; junit "$b" futharkc.tests.device.TilesTest || status=1
      done > "$out/kernels.log" 2>&1; grep -e passed -e '^==' "$out/kernels.log" ;;
    shared)
      for b in $backends; do
        echo "== $b"; junit "$b" futharkc.tests.device.SharedDeviceTest futharkc.tests.device.DeviceOptionsTest || status=1
      done > "$out/shared.log" 2>&1; grep -e passed -e '^==' "$out/shared.log" ;;
    examples | suite)
      dir=$here/examples; [ "$step" = examples ] || dir=$here/${SUITE:?a folder with test programs}
      for b in $backends; do
        timeout "$limit" $F test --backend="$b" -j "$(((jobs + 1) / 2))" --no-progress --timeout=60 --by-folder --failures="$out/$step-$b.failed" "$dir" > "$out/$step-$b.log" 2>&1 || status=1
        tail -2 "$out/$step-$b.log"
      done ;;
    *) echo "no step $step"; exit 2 ;;
  esac
  echo "== $step: $((SECONDS - start)) s"
done
exit $status
