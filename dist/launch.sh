# Functions of the launchers: that of a checkout, and that of an installation. Sourced.

# Opens closed standard streams: the JVM would take files of its own for them. Writing to an output that is opened for reading
# fails.
open_streams() {
  true 6>&2 || exec 2> /dev/null
  exec 7> /dev/null
  { true 6<&0; } 2>&7 || exec < /dev/null
  { true 6>&1; } 2>&7 || exec 1< /dev/null
  exec 7>&-
}

# Checks the name of the compiler's folder.
check_home() {
  case $1 in
    *:*)
      echo "futharkc: $1: Java's module path cannot hold a folder whose name has a colon. Move it, or rename it." >&2
      exit 1
      ;;
  esac
}

main=futharkc.cli/futharkc.cli.Main
# Who may call native code: the bindings of devices, and the library that looks for these.
native=--enable-native-access=ALL-UNNAMED,futharkc.core.runtime,jcuda,jocl,org.jline.terminal.ffm
# Commands that only compile are over in a second: no second compiler tier, no parallel collector.
lean="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC $native"

# Makes the start-up archive by a training run: classes linked ahead of time, javac among them, as far as compiling a program
# needs them. Without an archive, everything only starts slower.
#
#   train JAVA MODULES ARCHIVE PROGRAM EXECUTABLE
train() {
  rm -f "$3"
  # shellcheck disable=SC2086 # the options are meant to be split
  "$1/bin/java" -XX:AOTCacheOutput="$3" $lean -p "$2" -m "$main" multicore "$4" -o "$5" < /dev/null || rm -f "$3"
}

# Replaces this process by the compiler.
#
#   start JAVA MODULES ARCHIVE ARGUMENT...
start() {
  java=$1/bin/java
  modules=$2
  archive=$3
  shift 3
  # Where nobody has said how names of files are written, Java would take letters beyond ASCII for mistakes.
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) export LC_ALL=C.UTF-8 ;;
  esac
  # What runs programs in this very process gets the full machine.
  flags=$lean
  case ${1:-} in run | repl | eval | script | literate | test | bench) flags="-XX:+UseParallelGC $native" ;; esac
  for argument do
    case $argument in -- | --check-passes) flags="-XX:+UseParallelGC $native" ;; esac
  done
  if [ -f "$archive" ]; then
    # An archive that does not fit is no reason to say anything: it only makes the start faster.
    set -- "-XX:AOTCache=$archive" -Xlog:disable "-Dfutharkc.archive=$archive" -p "$modules" ${FUTHARKC_JVM_OPTS:-} \
      -m "$main" "$@"
  else
    set -- -p "$modules" ${FUTHARKC_JVM_OPTS:-} -m "$main" "$@"
  fi
  # Under a limit of virtual memory (ulimit -v), the heap gets a third, and the areas that the JVM reserves are small.
  limit=$(ulimit -v)
  case $limit in
    *[!0-9]*) ;;
    *)
      if [ "$limit" -lt 2000000 ]; then
        echo "futharkc: the limit of virtual memory (ulimit -v) is $limit KiB; the JVM needs at least 2000000 KiB." >&2
        exit 1
      fi
      flags="$flags -Xmx$((limit / 3))k -XX:CompressedClassSpaceSize=48m -XX:ReservedCodeCacheSize=64m -Dfutharkc.stack=64 -Xlog:os+thread=off"
      export MALLOC_ARENA_MAX=2
      ;;
  esac
  # shellcheck disable=SC2086 # the options are meant to be split
  exec "$java" $flags "$@"
}
