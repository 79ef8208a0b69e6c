#!/usr/bin/env bash
# Collects the files that run.sh needs on a machine with a GPU. That machine needs neither Java nor this project.
#
#   pack.sh FOLDER         after a build (mvn -DskipTests package); FOLDER is created anew
#
# Optional variables, for the comparison with the original compiler (see README.md):
#   KIT       a folder with cases.py, gen_inputs.py and futdata.py
#   PROGRAMS  a checkout of the benchmark repository, from which the cases' programs, libraries and small data files are copied
#   ORIGINAL  the original compiler, which must be able to emit CUDA C; CACHE (default: target/original) keeps its C files
# Folders of another build: MODULES (default dist/target/modules), TESTS (default tests/target/test-classes) and
# TESTLIBS (JUnit's jars).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); home=$(cd "$here/../.." && pwd)
to=${1:?a folder}; rm -rf "$to"; mkdir -p "$to"; to=$(cd "$to" && pwd)
modules=${MODULES:-$home/dist/target/modules} tests=${TESTS:-$home/tests/target/test-classes} cache=${CACHE:-$home/target/original}

. "$home/dist/find-jdk.sh"
jdk25_find || { jdk25_missing >&2; exit 1; }
"$JDK25/bin/jlink" --add-modules java.se,jdk.compiler,jdk.unsupported,jdk.incubator.vector,jdk.zipfs,jdk.jfr --strip-debug \
  --no-header-files --no-man-pages --generate-cds-archive --output "$to/java"
mkdir "$to/modules"; cp -r "$modules"/. "$to/modules/"
mkdir "$to/benchmarks"
for jar in "$home"/benchmarks/target/benchmarks-*.jar; do [ ! -e "$jar" ] || { cp "$jar" "$to/benchmarks/"; }; done
if [ -d "$tests/futharkc/tests/device" ] && [ -n "${TESTLIBS:-}" ]; then
  mkdir -p "$to/tests/futharkc/tests" "$to/testlibs"
  cp -r "$tests"/futharkc/tests/{device,kernels} "$to/tests/futharkc/tests/"; cp "$TESTLIBS"/*.jar "$to/testlibs/"
  cp "$(dirname "$tests")"/tests-*.jar "$to/testlibs/"
fi
cp "$here"/run.sh "$here"/compare.py "$here"/served.py "$here"/starts.py "$here"/faults.sh "$here"/kernels.py "$here"/large.py "$here"/devices.py "$here"/launches.c "$here"/RunTests.java "$to/"
mkdir "$to/programs"; cp "$here"/*.fut "$to/programs/"; cp -r "$home/examples" "$to/examples"
# The other machine may have no OpenCL loader.
for loader in /usr/lib/*-linux-gnu/libOpenCL.so.1; do [ ! -e "$loader" ] || { mkdir -p "$to/loader"; cp -L "$loader" "$to/loader/"; }; done

if [ -n "${KIT:-}" ]; then
  mkdir "$to/kit" "$to/sources" "$to/original"
  cp "$KIT"/{cases,gen_inputs,futdata}.py "$to/kit/"
  mkdir -p "$cache"
  python3 "$to/kit/cases.py" --programs | while read -r program; do
    name=$(echo "${program%.fut}" | tr / -)
    if [ -n "${ORIGINAL:-}" ] && [ ! -e "$cache/$name.c.gz" ]; then
      # The C compiler is replaced, since this machine may have no CUDA.
      (cd "$PROGRAMS" && CC=true "$ORIGINAL" cuda --server "$program" -o "$cache/$name") 2> "$cache/$name.err" || true
      [ ! -e "$cache/$name.c" ] || gzip -9 -f "$cache/$name.c"
    fi
    [ ! -e "$cache/$name.c.gz" ] || cp "$cache/$name.c.gz" "$to/original/"
  done
  # All sources are copied, since programs import each other and libraries; of the data, only the files of the cases.
  (cd "$PROGRAMS" && { find . -name '*.fut' -type f; python3 -c '
import sys; sys.path.insert(0, sys.argv[1])
import cases
for side in "cpu", "gpu":
    for c in cases.select(side):
        for x in c[side]:
            if isinstance(x, dict) and "file" in x: print("./" + x["file"])' "$to/kit"; } | sort -u | tar cf - -T -) | tar xf - -C "$to/sources"
fi
du -sh "$to"
