#!/bin/sh
# Installs what the build and the tests of the compiler need and this machine lacks: a JDK 25, Maven, git, and PoCL (OpenCL on
# CPUs). On Debian and Ubuntu, packages are installed after a question.
#
#   dist/setup.sh [--yes] [--without-opencl]
#
#   --yes             install without a question
#   --without-opencl  leave PoCL out, which only programs with OpenCL and the tests need
#
# The exit code is 0 if nothing is missing in the end.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/find-jdk.sh"

yes=
opencl=1
for argument do
  case $argument in
    --yes | -y) yes=1 ;;
    --without-opencl) opencl= ;;
    -h | --help) sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "setup.sh: unknown argument $argument. See --help." >&2; exit 1 ;;
  esac
done

has_opencl() { ls "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd > /dev/null 2>&1; }
missing() {
  list=
  jdk25_find || list="$list JDK-25"
  command -v mvn > /dev/null || list="$list Maven"
  command -v git > /dev/null || list="$list git"
  [ -z "$opencl" ] || has_opencl || list="$list PoCL"
  echo "$list"
}

list=$(missing)
[ -n "$list" ] || exit 0
echo "Missing on this machine:$list"
command -v apt-get > /dev/null || {
  jdk25_find || jdk25_missing
  echo "This script installs packages on Debian and Ubuntu only. Install the missing software, and run it again."
  exit 1
}
if [ -z "$yes" ]; then
  if ! [ -t 0 ]; then
    echo "Run $0 --yes to install it."
    exit 1
  fi
  printf 'Install it with apt-get? [y/N] '
  read -r answer || answer=
  case $answer in y | Y | yes) ;; *) exit 1 ;; esac
fi

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif [ -t 0 ]; then sudo "$@"; else sudo -n "$@"; fi
}
install_packages() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install "$@" > /dev/null
}

# Prints the server from which this machine gets the packages of its own Debian release.
debian_mirror() {
  codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  # shellcheck disable=SC2016 # apt-get replaces these names
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(ORIGIN) $(REPO_URI)' 'Created-By: Packages' \
    | awk -v release="$codename" '$1 == release && $2 == "main" && $3 == "Debian" && !n++ { print $4 }'
}

# Installs the JDK of Debian 13, with its C library, on an older Debian.
install_java_from_newer_debian() {
  grep -q '^ID=debian' /etc/os-release || return 1
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || { echo "No source of Debian packages is configured here."; return 1; }
  source=/etc/apt/sources.list.d/futharkc-java.list
  pin=/etc/apt/preferences.d/futharkc-java
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" | as_root tee "$source" > /dev/null
  printf 'Package: *\nPin: release n=trixie\nPin-Priority: 50\n' | as_root tee "$pin" > /dev/null
  status=0
  { as_root apt-get -qq update && install_packages -t trixie openjdk-25-jdk-headless; } || status=$?
  as_root rm -f "$source" "$pin"
  return $status
}

as_root apt-get -qq update
jdk25_find || install_packages openjdk-25-jdk-headless || install_java_from_newer_debian || true
command -v mvn > /dev/null || install_packages maven || true
command -v git > /dev/null || install_packages git || true
[ -z "$opencl" ] || has_opencl || install_packages ocl-icd-libopencl1 pocl-opencl-icd || true

list=$(missing)
[ -n "$list" ] || exit 0
echo "Could not be installed:$list"
jdk25_find || jdk25_missing
exit 1
