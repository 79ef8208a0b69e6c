#!/bin/sh
# Installs the compiler from its archive, or removes an installation.
#
#   ./install.sh [--prefix DIR] [--force]   install below DIR (default: /usr/local for root, ~/.local for others)
#   ./install.sh --uninstall [--prefix DIR] remove an installation
#
# An installation has these files:
#
#   DIR/lib/futharkc/                       the compiler with its Java
#   DIR/bin/futharkc                        a link to its launcher
#   DIR/share/man/man1/futharkc*.1          manual pages
#   DIR/share/bash-completion, zsh, fish    completions of command lines
#
# The compiler needs no file outside DIR/lib/futharkc, and does not write there. Several users can share it.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
prefix=
action=install
force=
fail() {
  echo "install.sh: $*" >&2
  exit 1
}
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) [ $# -gt 1 ] || fail "--prefix needs a folder."; prefix=$2; shift ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --uninstall) action=uninstall ;;
    --force) force=1 ;;
    -h | --help) sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown argument $1. See --help." ;;
  esac
  shift
done
if [ -z "$prefix" ]; then
  if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=${HOME:?}/.local; fi
fi
case $prefix in
  *:*) fail "$prefix: the folder's name must not have a colon." ;;
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac
target=$prefix/lib/futharkc
list=$target/installed

# Creates a folder below the prefix. Prints the folders that did not exist, each after its parent, with a slash at the end.
make_folder() {
  path=
  rest=$1/
  while [ -n "$rest" ]; do
    path=$path${path:+/}${rest%%/*}
    rest=${rest#*/}
    if ! [ -d "$prefix/$path" ]; then
      mkdir -- "$prefix/$path"
      echo "$path/"
    fi
  done
}

# Removes the files that the list of an installation names, and the folders that it created if they are empty.
remove() {
  [ -f "$list" ] || fail "$target is not an installation of futharkc."
  installed=$(sort -r "$list")
  echo "$installed" | while IFS= read -r file; do
    case $file in
      bin/futharkc | share/*[!/]) rm -f -- "$prefix/$file" ;;
    esac
  done
  rm -rf -- "$target"
  echo "$installed" | while IFS= read -r file; do
    case $file in
      bin/ | lib/ | share/*/ | share/) rmdir -- "$prefix/$file" 2> /dev/null || true ;;
    esac
  done
}

if [ "$action" = uninstall ]; then
  remove
  echo "Removed $target."
  exit 0
fi

[ -x "$here/lib/runtime/bin/java" ] || fail "run this script in the unpacked archive."
case $here/ in "$target/"*) fail "this is an installation. Run the script of the archive." ;; esac
if { [ -e "$target" ] || [ -h "$target" ]; } && ! [ -f "$list" ]; then
  fail "$target exists and is not an installation of futharkc."
fi
link=$prefix/bin/futharkc
if { [ -e "$link" ] || [ -h "$link" ]; } && [ -z "$force" ] && ! [ -f "$list" ]; then
  fail "$link exists and is not part of an installation. With --force, it is replaced."
fi

mkdir -p -- "$prefix"
created=$(make_folder lib)
fresh=$target~new
rm -rf -- "$fresh"
trap 'rm -rf -- "$fresh"' EXIT
mkdir -- "$fresh"
# With the times of files: Java's own archive of classes depends on them.
cp -R -p -- "$here/." "$fresh/"
[ "$(id -u)" != 0 ] || chown -R 0:0 -- "$fresh"
if [ -f "$list" ]; then
  created=$created$(echo && grep '/$' "$list" || true)
  remove
fi
mv -- "$fresh" "$target"
trap - EXIT
files=$(cd "$here" && find share -type f)
{
  echo "$created"
  make_folder bin
  echo bin/futharkc
  echo "$files"
} > "$list"
rm -f -- "$link"
ln -s ../lib/futharkc/bin/futharkc "$link"
echo "$files" | while IFS= read -r file; do
  make_folder "${file%/*}" >> "$list"
  rm -f -- "$prefix/$file"
  cp -- "$here/$file" "$prefix/$file"
done
# The start-up archive holds for the final folder only.
. "$target/lib/launch.sh"
trained=$(mktemp -d)
train "$target/lib/runtime" "$target/lib/modules" "$target/lib/futharkc.aot" "$target/lib/train.fut" "$trained/program" \
  > /dev/null 2>&1 || true
rm -rf -- "$trained"
chmod -R a+rX -- "$target"
echo "Installed futharkc in $target; the command is $link."
case :$PATH: in
  *":$prefix/bin:"*) ;;
  *) echo "Add $prefix/bin to your PATH." ;;
esac
