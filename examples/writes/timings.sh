#!/bin/sh
# Measures the searches without fusion passes, with each of them, and with both:
#   ./timings.sh FUTHARKC [ONLY]
# Prints, for each search and graph, the median of at least ten runs in microseconds.
set -e
futharkc=${1:-futharkc}
only=${2:+--only=$2}
cd "$(dirname "$0")"
for passes in default,-fusion,-write-fusion default,-write-fusion default,-fusion default; do
  echo "--passes=$passes"
  "$futharkc" bench --no-convergence-phase --runs=10 $only --passes=$passes bfs.fut |
    sed -n 's/^bfs.fut: \(with_[a-z]*\): \([0-9A-Za-z]*\): .*median \([0-9]*\).*/  \1 \2 \3/p'
done
