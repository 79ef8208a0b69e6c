#!/usr/bin/env bash
# Tries out the run time on a machine with a card, which need not have Java.
#
#   device.sh bundle DIR   here, after a build: collects what is needed in DIR (Java's run time, jars, a C program)
#   device.sh run [WHAT]   there, from within DIR: checks, and times of launches, transfers and memory; WHAT is a list of
#                          check, time, start, or all (default)
#
# There: CUDA_HOME is CUDA's toolkit (default /usr/local/cuda), CUDA_DRIVER_LIB the folder of the driver's libraries.
# NVIDIA's OpenCL is registered in /etc/OpenCL/vendors if nothing is there yet. The exit code is 1 if a check failed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

bundle() {
  local to=$1 home modules
  home=$(cd "$here/.." && pwd)
  modules=$home/dist/target/modules
  . "$home/dist/find-jdk.sh"
  jdk25_find || { jdk25_missing >&2; exit 1; }
  mkdir -p "$to/lib"
  [ -d "$to/java" ] || "$JDK25/bin/jlink" --add-modules java.base,java.logging --strip-debug --no-header-files \
    --no-man-pages --output "$to/java"
  for jar in core.runtime backend.cuda backend.opencl jcuda jocl; do cp "$modules/$jar"-*.jar "$to/lib/"; done
  cp "$home"/benchmarks/target/benchmarks-*.jar "$to/lib/"
  cp "$here/device.sh" "$here/launches.c" "$to/"
  # The loader that finds OpenCL drivers may be missing there.
  for loader in /usr/lib/x86_64-linux-gnu/libOpenCL.so.1; do [ ! -e "$loader" ] || { mkdir -p "$to/loader"; cp -L "$loader" "$to/loader/"; }; done
  du -sh "$to"
}

run() {
  local what=${1:-all} status=0 cuda=${CUDA_HOME:-/usr/local/cuda} driver=${CUDA_DRIVER_LIB:-/usr/local/nvidia/lib64}
  local work java
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  export CUDA_HOME=$cuda FUTHARKC_CACHE=$work/cache LD_LIBRARY_PATH=$driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  if ! ldconfig -p | grep -q 'libOpenCL\.so\.1 '; then LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$here/loader; fi
  if ! ls /etc/OpenCL/vendors/*.icd > /dev/null 2>&1; then
    mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd
  fi
  java="$here/java/bin/java -XX:+UseParallelGC -Xmx8g --enable-native-access=ALL-UNNAMED -cp $here/lib/*"
  java="$java futharkc.benchmarks.device.DeviceBenchmark"
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader || true
  $java cuda doctor x || true
  case $what in *check* | all)
    for api in cuda opencl; do
      echo "== checks, $api"
      timeout 120 $java $api check || status=1
    done ;;
  esac
  case $what in *time* | all)
    echo "== times, C"
    $java cuda ptx "$work/kernels.ptx"
    mkdir -p "$work/link" && ln -sf "$driver/libcuda.so.1" "$work/link/libcuda.so"
    [ -e "$work/link/libcuda.so" ] || ln -sf "$(ldconfig -p | awk '/libcuda\.so\.1 / { print $NF; exit }')" "$work/link/libcuda.so"
    if cc -O2 -o "$work/launches" "$here/launches.c" -I"$cuda/include" -L"$work/link" -lcuda; then
      "$work/launches" "$work/kernels.ptx" || status=1
    fi
    for api in cuda opencl; do
      echo "== times, $api"
      timeout 150 $java $api time "$work/kernels.ptx" || status=1
    done
    if [ -x "$work/launches" ]; then
      echo "== times, C, again"
      "$work/launches" "$work/kernels.ptx" || status=1
    fi ;;
  esac
  case $what in *start* | all)
    for api in cuda opencl; do
      rm -rf "$FUTHARKC_CACHE"
      for i in 1 2 3 4; do $java $api start | sed "s/^/$api, start $i: /"; done
    done ;;
  esac
  return $status
}

case ${1:-} in
  bundle) bundle "${2:?a folder}" ;;
  run) run "${2:-all}" ;;
  *) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
