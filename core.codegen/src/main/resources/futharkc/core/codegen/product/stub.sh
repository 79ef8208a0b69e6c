#!/bin/sh
# A compiled Futhark program: this script, then a jar. FUTHARKC_JAVA or JAVA_HOME name the Java 25 to run it with (a home,
# or for the former also a java executable); FUTHARKC_PROGRAM_OPTS holds further options for the JVM.
self=$0
case $self in
  */*) ;;
  *) self=$(command -v -- "$0") ;;
esac

is_good() {
  [ -x "$1/bin/java" ] || return 1
  version=
  while IFS='=' read -r key value; do
    [ "$key" = JAVA_VERSION ] && version=${value#\"} && break
  done 2>/dev/null < "$1/release"
  release=${version%\"}
  version=${version%%[!0-9]*}
  [ "${version:-0}" -ge 25 ]
}

java=
if [ -n "${FUTHARKC_JAVA:-}" ]; then
  home=${FUTHARKC_JAVA%/bin/java}
  if ! is_good "$home"; then
    echo "$0: FUTHARKC_JAVA is $FUTHARKC_JAVA, which is no Java of version 25 or newer." >&2
    exit 1
  fi
  java=$home/bin/java
else
  for home in "${JAVA_HOME:-}" '@JAVA_HOME@' /usr/lib/jvm/*25*; do
    if [ -n "$home" ] && is_good "$home"; then
      java=$home/bin/java
      break
    fi
  done
fi
if [ -z "$java" ]; then
  echo "$0: no Java of version 25 or newer was found: set JAVA_HOME or FUTHARKC_JAVA to one." >&2
  exit 1
fi
# Vectors of 64 bytes do not pay. Where there are none of 32 either, the JVM would warn of the option.
vectors=
if grep -qs avx512 /proc/cpuinfo; then
  vectors=-XX:MaxVectorSize=32
fi
# Where nobody has said how names of files are written, Java would take letters beyond ASCII for mistakes.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
  C | POSIX) export LC_ALL=C.UTF-8 ;;
esac
# A colon separates the entries of a class path.
jar=$self
case $self in
  *:*)
    exec 9< "$self"
    jar=/dev/fd/9
    ;;
esac
# Classes as an earlier start has left them for later ones (see ClassArchive), under a name that ends with their checksum. If there
# is anything about them that the JVM does not like, it takes those in the jar, and is to be silent about it. What later versions
# call that is not known.
classes=
[ "$version" != 25 ] || classes=@CLASSES@-$release
if [ -n "${FUTHARKC_CACHE:-}" ]; then
  folder=$FUTHARKC_CACHE/classes
elif [ "${XDG_CACHE_HOME#/}" != "${XDG_CACHE_HOME:-}" ]; then
  folder=$XDG_CACHE_HOME/futharkc/classes
elif [ -d "${HOME:-}/Library/Caches" ]; then
  folder=$HOME/Library/Caches/futharkc/classes
else
  folder=${HOME:-}/.cache/futharkc/classes
fi
archive=
known=
if [ -n "${FUTHARKC_ARCHIVE:-}" ]; then
  archive=-XX:ArchiveClassesAtExit=$FUTHARKC_ARCHIVE
elif [ -n "$classes" ]; then
  for file in "$folder/$classes-"*.jsa; do
    case $file in
      *:*) ;;
      *)
        # The JVM would check those of the Java library as well, which takes it longer than all else.
        if [ -O "$file" ] && sum=$(cksum < "$file") && [ "$file" = "$folder/$classes-${sum%% *}.jsa" ]; then
          # An empty one says that this Java cannot make any, as it has none of its own classes.
          known=$file
          [ -s "$file" ] || continue
          archive=-XX:SharedArchiveFile=$file
          break
        fi
        ;;
    esac
  done 2>/dev/null
fi
# shellcheck disable=SC2086 # the options are meant to be split
exec "$java" -XX:+UseParallelGC -XX:MaxRAMPercentage=80 -Xmn64m -XX:+UseTransparentHugePages \
  $vectors @JVM@-XX:-DontCompileHugeMethods -XX:-UsePerfData -Xshare:auto -Xss64m --enable-native-access=ALL-UNNAMED \
  ${archive:+"$archive" "-Xlog:cds*=off" "-Xlog:aot*=off"} "-Dfutharkc.classes=$classes" "-Dfutharkc.archive=$known" \
  ${FUTHARKC_PROGRAM_OPTS:-} -cp "$jar" @MAIN@ @OPTIONS@"$@"
exit 1
