# Sets JDK25 to the home of a Java 25 (or newer) development kit, or to nothing. Sourced by the launcher and by CI.

jdk25_is_good() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 1
  # Shell built-ins read the release file, since starting a JVM for its version would take 50 ms.
  jdk25_version=
  while IFS='=' read -r key value; do
    [ "$key" = JAVA_VERSION ] && jdk25_version=${value#\"} && break
  done 2>/dev/null < "$1/release"
  jdk25_version=${jdk25_version%%[!0-9]*}
  [ "${jdk25_version:-0}" -ge 25 ]
}

jdk25_find() {
  JDK25=
  if [ -n "${FUTHARKC_JAVA:-}" ]; then
    # A JDK's home folder, or a java executable. The user's explicit choice is final.
    if [ -d "$FUTHARKC_JAVA" ]; then JDK25=$FUTHARKC_JAVA; else JDK25=${FUTHARKC_JAVA%/bin/java}; fi
    jdk25_is_good "$JDK25" && return 0
    JDK25=
    return 1
  fi
  for jdk25_home in "${JAVA_HOME:-}" /usr/lib/jvm/*25* /usr/lib/jvm/* /opt/*jdk*25* /opt/java/* \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/25* "${HOME:-/nonexistent}"/.jdks/*25* \
    /Library/Java/JavaVirtualMachines/*25*/Contents/Home; do
    if jdk25_is_good "$jdk25_home"; then JDK25=$jdk25_home; return 0; fi
  done
  jdk25_java=$(command -v java 2>/dev/null) || return 1
  jdk25_java=$(readlink -f "$jdk25_java" 2>/dev/null) || return 1
  if jdk25_is_good "${jdk25_java%/bin/java}"; then JDK25=${jdk25_java%/bin/java}; return 0; fi
  return 1
}

jdk25_missing() {
  if [ -n "${FUTHARKC_JAVA:-}" ]; then
    echo "futharkc: FUTHARKC_JAVA is $FUTHARKC_JAVA, which is not a Java development kit of version 25 or newer."
  else
    echo "futharkc: no Java development kit of version 25 or newer was found."
    echo "  Looked at JAVA_HOME, /usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks and the java on the PATH."
  fi
  echo "  Debian and Ubuntu: dist/setup.sh installs the package openjdk-25-jdk-headless"
  echo "  elsewhere: the archive of https://adoptium.net, unpacked anywhere"
  echo "  Then, if it is in none of those places: export FUTHARKC_JAVA=/path/to/the/jdk"
}
