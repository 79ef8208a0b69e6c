#!/usr/bin/env python3
"""Prints a table of the reads and writes of elements by the host, in the text of compiled programs.

Usage: transfers.py FOLDER PROGRAM...

Each program is a path in the folder. The table has the numbers without and with the passes that
avoid reads: read statements, waits, waits in loops, written elements, written elements in loops,
kernels, and kernels in loops. Programs without reads and writes have no row.
"""
import subprocess
import sys

WITHOUT = "-migration,-merge-gpu-bodies,-read-batching,-speculative-launch"
COLUMNS = ["reads", "waits", "in loops", "writes", "in loops", "kernels", "in loops"]


def text(program, passes):
    """Returns the imperative GPU program, as text."""
    command = ["./futharkc", "dev", "--gpu-imp", "-w", "--passes=" + passes, program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def counts(program):
    """Returns the counts of a program, in the order of the columns."""
    blocks = []
    count = dict.fromkeys(["ask", "await", "await+", "write", "write+", "launch", "launch+"], 0)
    for line in program.split("\n"):
        words = line.split()
        if not words:
            continue
        if words[0] == "}":
            if blocks:
                blocks.pop()
            if words[-1] == "{":
                blocks.append("if")
            continue
        if "launch" not in blocks:
            loop = "while" in blocks or "for" in blocks
            for key in [words[0], words[0] + "+"]:
                if key in count and (loop or not key.endswith("+")):
                    count[key] += 1
        if words[-1] == "{":
            blocks.append(words[0])
    return list(count.values())


def main():
    if len(sys.argv) < 3:
        sys.exit("Usage: transfers.py FOLDER PROGRAM...")
    folder = sys.argv[1]
    print("| program | " + " | ".join(COLUMNS) + " |")
    print("|---|" + "---:|" * len(COLUMNS))
    for name in sys.argv[2:]:
        program = folder + "/" + name + ".fut"
        without = counts(text(program, WITHOUT))
        with_passes = counts(text(program, "default"))
        if sum(without[:5]) + sum(with_passes[:5]) == 0:
            continue
        cells = [str(a) if a == b else "%d → %d" % (a, b) for a, b in zip(without, with_passes)]
        print("| " + name + " | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
