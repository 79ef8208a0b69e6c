#!/usr/bin/env python3
"""Measures the kernels of a program's entry points, which all take the same input.

    kernels.py EXECUTABLE INPUT ENTRY...     EXECUTABLE is compiled with --server

Prints, for each entry point, the median time of three calls. Prints, for each kernel and copy, the time, the bytes, the speed,
and the ratio to the speed of a copy on the device. The first entry point should be such a copy.
"""
import json, statistics, sys
from served import Server, ServerError, outputs, quoted


def load(server, file, types):
    """Loads the values of a file; returns their names."""
    names = ["in%d" % i for i in range(len(types))]
    server("restore", file, *[w for n, t in zip(names, types) for w in (n, quoted(t.lstrip("*")))], timeout=90)
    return names


def events(server):
    """Returns the measurements since the server's start."""
    return json.loads(" ".join(server("report", timeout=60)))["events"]


def measure(server, entry, names, calls=3):
    """Returns, for each of several calls, its µs and its events by kernel: name -> [launches, µs, bytes]."""
    kinds, _ = outputs(server, entry)
    results = ["r%d" % i for i in range(len(kinds))]
    found, seen = [], len(events(server))
    for call in range(calls + 1):
        lines = server("call", entry, *results, *names, timeout=60)
        totals = {}
        new = events(server)[seen:]
        seen += len(new)
        for e in new:
            t = totals.setdefault(e["name"], [0, 0.0, 0])
            t[0] += 1
            t[1] += e["duration"]
            t[2] += int(e["details"].get("bytes", 0))
        server("free", *results)
        if call:   # the first one warms up
            found.append((next(int(x.split(":")[1]) for x in lines if x.startswith("runtime:")), totals))
    return found


def main():
    executable, file, *entries = sys.argv[1:]
    copy = None
    print("| entry point | µs | in kernels | GB/s | of a copy | kernels: launches, µs |\n| --- | ---: | ---: | ---: | ---: | --- |")
    server, names = None, []
    for entry in entries:
        try:
            if server is None:
                server = Server([executable, "-P"], sys.stderr)
                names = load(server, file, server("inputs", entry))
            calls = measure(server, entry, names)
        except (ServerError, OSError) as e:
            print("| %s | %s |" % (entry, e), flush=True)
            if server is not None:
                server.kill()
                server = None
            continue
        whole = statistics.median(w for w, _ in calls)
        sums = [(sum(t[1] for t in totals.values()), sum(t[2] for t in totals.values())) for _, totals in calls]
        micros, moved = statistics.median(s[0] for s in sums), sums[0][1]
        speed = moved / micros / 1e3 if micros else 0
        copy = copy or speed
        print("| %s | %d | %.0f | %.0f | %.0f %% | %s |" % (
            entry, whole, micros, speed, 100 * speed / copy,
            ", ".join("%s: %d, %.0f" % (n, t[0], t[1]) for n, t in calls[-1][1].items())), flush=True)
    if server is not None:
        server.close()


if __name__ == "__main__":
    main()
