#!/usr/bin/env python3
"""Writes a page with the messages of futharkc and of the original compiler for the mistakes in mistakes.txt.

    compare.py FUTHARKC ORIGINAL > docs/results/messages.md

FUTHARKC and ORIGINAL are the commands of the two compilers.
"""
import collections, concurrent.futures, datetime, os, re, subprocess, sys, tempfile

IGNORED = re.compile(r"^(For more information|and https?:|See https?:|  https?:|If you find this error message)", re.M)


def message(command, program):
    """Returns the messages of a compiler, without references to documents, and its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "main.fut"), "w") as file:
            file.write(program + "\n")
        run = subprocess.run([command, "check", "main.fut"], cwd=folder, capture_output=True, text=True)
    lines = (run.stdout + run.stderr).split("\n")
    kept = [line.rstrip() for line in lines if not IGNORED.match(line)]
    return re.sub(r"\n{2,}", "\n\n", "\n".join(kept)).strip(), run.returncode


def main():
    ours, theirs = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "mistakes.txt")) as file:
        mistakes = [[x.strip() for x in line.split("|", 2)] for line in file if not line.startswith("#")]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        both = [list(pool.map(lambda m: message(command, m[2]), mistakes)) for command in (ours, theirs)]
    counts = collections.Counter(judgement for _, judgement, _ in mistakes)
    print("# Messages\n")
    print("The messages of `futharkc` and of the original compiler for usual mistakes, without references to documents.")
    print("[The list](../../benchmarks/messages/mistakes.txt) says what *better* and *equal* mean. `benchmarks/messages/compare.py` writes this page.\n")
    print("| | |\n|---|---|")
    print("| date | %s |" % datetime.date.today().strftime("%-d %B %Y"))
    print("| original | 0.25.32 |")
    print("| judgement of our message | %s |" % ", ".join("%d %s" % (counts[j], j) for j in ("better", "equal", "worse")))
    for (name, judgement, program), (a, x), (b, y) in zip(mistakes, *both):
        if x == 0 or y == 0:
            print("accepted by one compiler: " + name, file=sys.stderr)
        print("\n## %s: %s\n" % (name[0].upper() + name[1:], judgement))
        print("```futhark\n%s\n```\n\n```text\n%s\n```\n\nOriginal:\n\n```text\n%s\n```" % (program, a, b))


main()
