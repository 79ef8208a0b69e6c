#!/usr/bin/env bash
# skipped.sh REPORTS LIST: prints the skipped tests in surefire's reports below the folder REPORTS, with their reasons from LIST,
# and fails if LIST lacks one of them. A skipped class counts as a test with an empty name.
set -euo pipefail
reports=$1 list=$2
unknown=0
while read -r class name; do
  reason=$(awk -v c="$class" -v n="$name" '$1 == c && $2 == n { $1 = $2 = ""; sub(/^ +/, ""); print; exit }' "$list")
  if [ -n "$reason" ]; then
    echo "Skipped: $class.$name: $reason"
  else
    echo "Skipped and not in ${list##*/}: $class.${name:-(all tests)}"
    unknown=$((unknown + 1))
  fi
done < <(
  find "$reports" -path '*surefire-reports/TEST-*.xml' -exec cat {} + | tr '\n' ' ' | sed 's/<testcase /\n&/g' \
    | grep '^<testcase [^>]*[^/>]> *<skipped' \
    | sed -E 's/^<testcase ([^>]*)>.*/ \1/; s/.* name="([^"(]*)[^"]*".*/&\t\1/; s/.* classname="([^"]*)".*\t(.*)/\1 \2/' | sort -u
)
[ "$unknown" = 0 ]
