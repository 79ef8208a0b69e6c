#!/bin/sh
# Tries the archive as a new user would: on a machine that need not have Java, in folders of its own, without the environment of
# the caller. Usage: dist/check-archive.sh ARCHIVE
set -eu
archive=$(readlink -f -- "$1")
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# Not /usr/lib/jvm and the like: only what the scripts call.
mkdir "$work/bin" "$work/home"
for tool in awk basename cat chmod chown cksum cp date dirname env find grep head id ln ls mkdir mktemp mv od readlink rm rmdir sed sh \
  sleep sort tail tar touch tr uname gzip; do
  path=$(command -v "$tool") && ln -s "$path" "$work/bin/$tool"
done
clean() { env -i PATH="$work/bin" HOME="$work/home" "$@"; }
step() { echo "check-archive: $*"; }
fail() { echo "check-archive: $*" >&2; exit 1; }
expect() {
  expected=$1
  shift
  actual=$("$@") || fail "'$*' failed: $actual"
  [ "$actual" = "$expected" ] || fail "'$*' printed '$actual', not '$expected'"
}

step "size"
size=$(wc -c < "$archive")
[ "$size" -le 62914560 ] || fail "the archive has $size bytes, more than 60 MiB"

step "unpack and run"
mkdir "$work/unpacked" "$work/programs"
clean tar -xzf "$archive" -C "$work/unpacked"
home=$(echo "$work"/unpacked/futharkc-*)
cat > "$work/programs/hello.fut" << 'PROGRAM'
def main (n: i64) : i64 = reduce (+) 0 (map (* 2) (iota n))
PROGRAM
cd "$work/programs"
version=$(clean "$home/bin/futharkc" --version)
clean "$home/bin/futharkc" check hello.fut
expect 90i64 clean "$home/bin/futharkc" hello.fut -- 10
clean "$home/bin/futharkc" multicore hello.fut -o hello
expect 9900i64 sh -c "echo 100 | env -i PATH='$work/bin' HOME='$work/home' ./hello"

step "install, twice"
prefix=$work/prefix
clean "$home/install.sh" --prefix "$prefix"
clean "$home/install.sh" --prefix "$prefix" > /dev/null
# The installation needs no write access, and not the unpacked archive.
rm -rf "$work/unpacked"
chmod -R a-w "$prefix"
expect "$version" clean "$prefix/bin/futharkc" --version
clean "$prefix/bin/futharkc" c hello.fut -o hello
expect 90i64 sh -c "echo 10 | env -i PATH='$work/bin' HOME='$work/home' ./hello"
expect 3 clean "$prefix/bin/futharkc" eval '1 + 2'
for file in man/man1/futharkc.1 man/man1/futharkc-check.1 bash-completion/completions/futharkc zsh/site-functions/_futharkc \
  fish/vendor_completions.d/futharkc.fish; do
  [ -s "$prefix/share/$file" ] || fail "there is no share/$file"
done
if ls /etc/OpenCL/vendors/*.icd > /dev/null 2>&1; then
  step "OpenCL"
  clean "$prefix/bin/futharkc" opencl hello.fut -o hello-opencl
  # PoCL needs a linker.
  expect 90i64 sh -c "echo 10 | env -i PATH='$PATH' HOME='$work/home' ./hello-opencl"
fi

step "uninstall"
chmod -R u+w "$prefix"
touch "$prefix/share/man/man1/other.1"
clean "$prefix/lib/futharkc/install.sh" --uninstall --prefix "$prefix"
[ "$(cd "$prefix" && find . -type f)" = ./share/man/man1/other.1 ] || fail "files are left: $(find "$prefix" -type f | head)"
step "passed"
