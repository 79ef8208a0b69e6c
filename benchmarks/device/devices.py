#!/usr/bin/env python3
"""Times calls of devices.fut on 1, 2, 4, ... devices of one host, with the data on the devices, and compares the results.

    devices.py EXECUTABLE [--log-size 28] [--bodies 200000] [--runs 10] [--devices 1,2,4]

The executable is that of 'futharkc cuda devices.fut' or 'futharkc opencl devices.fut'. The script prints a table: the median time of each
call on each number of devices, and its ratio to one device's. It ends with status 1 if a result differs from one device's."""
import argparse, os, statistics, subprocess, sys, tempfile


def run(program, entry, source, target, devices, runs, scratch):
    times = os.path.join(scratch, "times")
    command = [program, "-e", entry, "-b"]
    if devices:
        command += ["--devices", ",".join("#%d" % i for i in range(devices))]
    if runs:
        command += ["-r", str(runs), "-t", times]
    with open(source, "rb") as read, open(target, "wb") as write:
        subprocess.run(command, stdin=read, stdout=write, check=True)
    if not runs:
        return 0
    with open(times) as lines:
        return statistics.median(float(line) for line in lines)


def scalar(n):
    return b"b\x02\x00 i64" + n.to_bytes(8, "little", signed=True)


def put(path, *contents):
    with open(path, "wb") as out:
        for content in contents:
            if isinstance(content, bytes):
                out.write(content)
            else:
                with open(content[0], "rb") as source:
                    while block := source.read(1 << 24):
                        out.write(block)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("executable")
    parser.add_argument("--log-size", type=int, default=28)
    parser.add_argument("--bodies", type=int, default=200_000)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--devices", default="1,2,4")
    options = parser.parse_args()
    program = os.path.abspath(options.executable)
    counts = [int(n) for n in options.devices.split(",")]
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        file = lambda name: os.path.join(scratch, name)
        run(program, "numbers", put(file("n"), scalar(1 << options.log_size)), file("xs"), 0, 0, scratch)
        run(program, "points", put(file("m"), scalar(options.bodies)), file("points"), 0, 0, scratch)
        # The first of the two values is also the array that is split.
        head = 7 + 2 * 8 + options.bodies * 12
        with open(file("points"), "rb") as points:
            positions = points.read(head)
        put(file("bodies"), (file("points"),), positions)
        print("%-8s%10s%12s%10s  %s" % ("call", "devices", "median ms", "ratio", "result"))
        for entry, source in ("series", "xs"), ("fold", "xs"), ("nbody", "bodies"):
            first = 0
            for count in counts:
                target = file("%s-%d" % (entry, count))
                time = run(program, entry, file(source), target, count, options.runs, scratch)
                first = first or time
                same = subprocess.run(["cmp", "-s", file("%s-%d" % (entry, counts[0])), target]).returncode == 0
                wrong += not same
                print("%-8s%10d%12.3f%10.2f  %s" % (entry, count, time / 1000, first / time, "same" if same else "DIFFERS"), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
