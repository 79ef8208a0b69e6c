#!/usr/bin/env bash
# Provokes faults on a device, with one transcript each: faults.sh PROGRAM OTHER FOLDER
# PROGRAM and OTHER are faults.fut compiled for CUDA and for OpenCL (OTHER may be empty); FOLDER is a folder for caches.
# Each fault must be reported, and the program must work afterwards.
program=$1 other=$2 folder=$3; mkdir -p "$folder"; bad=0
transcript() { # WHAT PATTERN COMMAND: an error that says PATTERN
  local said status
  said=$(timeout 60 bash -c "$3" 2>&1); status=$?
  echo "== $1 (status $status)"; echo "$said" | cut -c1-300 | head -6 | sed 's/^/   /'
  { [ $status -ne 0 ] && [ $status -ne 124 ] && echo "$said" | grep -qE "$2"; } || { echo "   NOT AS EXPECTED: $2"; bad=$((bad + 1)); }
  works "$1"
}
works() {
  local said; said=$(echo 1000 | timeout 60 "$program" -e good 2>&1)
  [ "$said" = 332833500i64 ] || { echo "   NOT USABLE AFTER $1: $said" | cut -c1-300; bad=$((bad + 1)); }
}
export program other folder
works "nothing"
transcript "no device" 'no .*device' 'echo 1 | CUDA_VISIBLE_DEVICES= $program -e good'
transcript "no driver" 'CUDA driver was not found' 'echo 1 | FUTHARKC_CUDA_DRIVER=/nonexistent/libcuda.so $program -e good'
transcript "wrong device" 'Voodoo' 'echo 1 | $program -d Voodoo -e good'
transcript "kernels that do not compile" 'do not compile' 'echo 1 | $program --nvrtc-option=-Dint=nonsense -e good'
transcript "no compiler of kernels" 'NVRTC' 'echo 1 | FUTHARKC_CACHE=$folder/none CUDA_HOME=/nonexistent $program --nvrtc-option=--no-such-option -e good'
transcript "no memory" 'Out of memory' 'echo 9000000000 | $program -e memory -n'
transcript "block over the limit" 'ytes' 'echo 1000000000000000 | $program -e memory -n'
transcript "index" 'Index \[7\] out of bounds for array of shape \[3\]' 'echo "[1i64,2i64,3i64] [0i64,7i64,1i64]" | $program -e index'
transcript "illegal address" 'gone|lost|unusable' 'echo "[1i64,2i64,3i64] [0i64,70000000000000i64,1i64]" | $program -e stray'
cache=$folder/one.cache; rm -f "$cache"
echo 1000 | "$program" -e good --cache-file "$cache"
python3 - "$cache" << 'END'
import sys
b = bytearray(open(sys.argv[1], "rb").read()); b[len(b) // 2] ^= 255; open(sys.argv[1], "wb").write(b)
END
echo "== damaged cache: $(echo 1000 | "$program" -e good --cache-file "$cache" 2>&1)"
echo "== bytes of nothing for a cache: $(echo nonsense > "$cache"; echo 1000 | "$program" -e good --cache-file "$cache" 2>&1)"
echo "== eight processes that fill one cache at once, and read it:"
rm -rf "$folder/filled" "$cache"; mkdir -p "$folder/filled"; chmod 700 "$folder/filled"
for i in 1 2 3 4 5 6 7 8; do (echo 1000 | FUTHARKC_CACHE=$folder/filled "$program" -e good 2>&1; echo 1000 | "$program" -e good --cache-file "$cache" 2>&1) & done | sort | uniq -c | sed 's/^/   /'
wait
( echo 100000000 | env --default-signal=INT "$program" -e long > "$folder/long" 2>&1 & p=$!; sleep 4; kill -INT $p; s=$SECONDS; wait $p; echo "== interrupt from the terminal: status $?, after $((SECONDS - s)) s $(head -c 200 "$folder/long")" )
works "interrupt"
if [ -n "$other" ]; then
  echo "== OpenCL: $(echo 1000 | "$other" -e good 2>&1)"
  said=$(echo "[1i64,2i64,3i64] [0i64,7i64,1i64]" | "$other" -e index 2>&1); echo "   $said" | head -3
  said=$(echo 9000000000 | "$other" -e memory -n 2>&1); echo "   $said" | head -3
  said=$(echo "[1i64,2i64,3i64] [0i64,70000000000000i64,1i64]" | timeout 60 "$other" -e stray 2>&1); echo "   $said" | head -3
fi
echo "$bad not as expected"; [ $bad = 0 ]
