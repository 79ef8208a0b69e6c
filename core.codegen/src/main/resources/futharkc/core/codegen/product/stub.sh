#!/bin/sh
# A compiled Futhark program: this script, followed by a jar. FUTHARKC_JAVA or JAVA_HOME names a JDK 25 home to run it with
# (FUTHARKC_JAVA may also name a java executable). FUTHARKC_PROGRAM_OPTS holds further options for the JVM.
# The JVM would take files of its own for closed standard streams. Writing to an output that is opened for reading fails.
true 6>&2 || exec 2> /dev/null
exec 7> /dev/null
{ true 6<&0; } 2>&7 || exec < /dev/null
{ true 6>&1; } 2>&7 || exec 1< /dev/null
exec 7>&-
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
    echo "$0: FUTHARKC_JAVA is $FUTHARKC_JAVA, which is not a Java of version 25 or newer: set it to one." >&2
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
# Limits vectors to 32 bytes, because those of 64 bytes do not pay off. Without AVX-512, the JVM might warn of the option.
vectors=
if grep -qs avx512 /proc/cpuinfo; then
  vectors=-XX:MaxVectorSize=32
fi
# Without a locale, Java rejects file names with letters beyond ASCII.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
  C | POSIX) export LC_ALL=C.UTF-8 ;;
esac
# A colon separates the entries of a class path, so a file with a colon in its name is opened by descriptor.
jar=$self
case $self in
  *:*)
    exec 9< "$self"
    jar=/dev/fd/9
    ;;
esac
# The ahead-of-time cache of an earlier start (see AotCache). Its name begins with a checksum of the program's classes, since the JVM
# does not check that a cache belongs to a program. Where a call trains, each entry point has its own cache. If the JVM rejects a cache,
# it loads the classes from the jar without a message. Only Java 25 is known to accept these options.
entry=@ENTRY@
if [ -n "$entry" ]; then
  option=
  for word; do
    case $option:$word in
      -e:* | --entry-point:*) entry=$word ;;
      *:-e?*) entry=${word#-e} ;;
      *:--entry-point=*) entry=${word#*=} ;;
    esac
    option=$word
  done
  case $entry in
    *[!A-Za-z0-9_]*) entry=others ;;
  esac
fi
classes=
[ "$version" != 25 ] || classes=@CLASSES@${entry:+-$entry}-$release
if [ -n "${FUTHARKC_CACHE:-}" ]; then
  folder=$FUTHARKC_CACHE/classes
elif [ "${XDG_CACHE_HOME#/}" != "${XDG_CACHE_HOME:-}" ]; then
  folder=$XDG_CACHE_HOME/futharkc/classes
elif [ -d "${HOME:-}/Library/Caches" ]; then
  folder=$HOME/Library/Caches/futharkc/classes
else
  folder=${HOME:-}/.cache/futharkc/classes
fi
# Tests that no user except this one and root can change or replace a folder, as CacheFolder of the run-time system does: each
# folder on the path belongs to one of them, only its owner can write to it, and none is a symbolic link. Others may write to
# folders of root with the sticky bit.
is_private() {
  path=$1
  [ -O "$path" ] || return 1
  case $path in
    *'
'*) return 1 ;;
    /*) ;;
    *) path=$PWD/$path ;;
  esac
  set -- /
  while [ -n "$path" ]; do
    set -- "$@" "$path"
    path=${path%/*}
  done
  user=$(id -u) && listed=$(ls -ldn "$@") || return 1
  while read -r mode _ owner _; do
    case $mode in
      d????-??-*) [ "$owner" = "$user" ] || [ "$owner" = 0 ] || return 1 ;;
      d????????[tT]*) [ "$owner" = 0 ] || return 1 ;;
      *) return 1 ;;
    esac
  done << EOF
$listed
EOF
  return 0
}

cache=
known=
if [ -n "${FUTHARKC_AOT_CACHE:-}" ]; then
  cache=-XX:AOTCacheOutput=$FUTHARKC_AOT_CACHE
elif [ -n "$classes" ] && [ -d "$folder" ] && is_private "$folder"; then
  for file in "$folder/$classes-"*.aot; do
    case $file in
      *:*) ;;
      *)
        # The script checks the checksum, because the JVM's own check includes the Java library and takes too long.
        # The file is opened once, so that the JVM maps the file that the script has checked.
        if [ -O "$file" ] && [ ! -h "$file" ] && command exec 8< "$file" \
          && sum=$({ printf %s "$classes"; cat <&8; } | cksum) && [ "$file" = "$folder/$classes-${sum%% *}.aot" ]; then
          # An empty cache records that training has failed.
          known=$file
          [ -s "$file" ] || continue
          opened=$file
          [ ! -e /proc/self/fd/8 ] || opened=/proc/self/fd/8
          cache=-XX:AOTCache=$opened
          break
        fi
        ;;
    esac
  done 2>/dev/null
fi
# Under a limit of virtual memory (ulimit -v), the heap gets a third, and the areas that the JVM reserves are small.
heap=-XX:MaxRAMPercentage=80
limit=$(ulimit -v)
case $limit in
  *[!0-9]*) ;;
  *)
    if [ "$limit" -lt 1700000 ]; then
      echo "$0: the limit of virtual memory (ulimit -v) is $limit KiB; the JVM needs at least 1700000 KiB." >&2
      exit 1
    fi
    heap="-Xmx$((limit / 3))k -XX:CompressedClassSpaceSize=48m -XX:ReservedCodeCacheSize=64m -XX:ParallelGCThreads=2 -Xlog:os+thread=off"
    export MALLOC_ARENA_MAX=2
    ;;
esac
# shellcheck disable=SC2086 # the options are meant to be split
exec "$java" -XX:+UseParallelGC $heap -Xmn64m -XX:+UseTransparentHugePages \
  $vectors @JVM@-XX:-DontCompileHugeMethods -XX:-UsePerfData -Xss64m --enable-native-access=ALL-UNNAMED \
  ${cache:+"$cache" "-Xlog:cds*=off" "-Xlog:aot*=off"} "-Dfutharkc.classes=$classes" "-Dfutharkc.cache=$known" "-Dfutharkc.called=$0" \
  ${FUTHARKC_PROGRAM_OPTS:-} -cp "$jar" @MAIN@ @OPTIONS@"$@"
exit 1
