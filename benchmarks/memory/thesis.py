#!/usr/bin/env python3
"""Measures memory and time of programs with and without memory merging, and compares them with a thesis.

The programs are those of the public repository diku-dk/futhark-benchmarks that the thesis "Memory Block Merging in Futhark"
(2018, appendix B) measured and that still exist. Inputs have the sizes of the thesis' data sets and random elements; small
data sets are read from the repository.

    thesis.py --futharkc "java … -m futharkc.cli/futharkc.cli.Main" --programs futhark-benchmarks --target multicore --out results

writes `thesis-TARGET.md` and `.json`. They contain, for each program and data set, the number of statements that allocate
blocks, and the peak memory, copied bytes and time of a call, with and without the passes `coalesce` and `reuse`. They also
contain the thesis' peaks before and after merging.

The script compiles all programs, the long ones first, and writes the inputs. Each case then runs once for its memory, several
cases at a time. In the remaining time, both variants of a program run as servers and take turns, the largest data set of each
program first. The ratio is the median over pairs of calls. Allocations are counted last, or separately by `--count FILE`,
which needs no device.

Several runs can produce one table: `--resume OUT` takes over the results of an earlier run, and `--blocks FILE` the counted
allocations. Executables and inputs in the folder WORK are kept. Requires numpy.
"""
import argparse
import json
import os
import re
import statistics
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "device"))
from served import Calls, Server, ServerError

CODES = {"i8": "i1", "u8": "u1", "u16": "u2", "i32": "i4", "i64": "i8", "f32": "f4", "f64": "f8"}


def array(kind, *shape, lo=0.0, hi=1.0):
    return lambda rng: encode(kind, shape, rng.random(shape) * (hi - lo) + lo)


def scalar(kind, value):
    return lambda rng: encode(kind, (), numpy.asarray(value))


def values(kind, elements):
    return lambda rng: encode(kind, numpy.asarray(elements).shape, numpy.asarray(elements))


def encode(kind, shape, elements):
    head = b"b" + struct.pack("<BB", 2, len(shape)) + kind.rjust(4).encode() + struct.pack("<%dq" % len(shape), *shape)
    return head + numpy.ascontiguousarray(elements).astype("<" + CODES[kind]).tobytes()


def file(path):
    return path


def image(n):
    return array("i32", n, n, lo=0, hi=256)


def dominant(n):
    def make(rng):
        matrix = rng.random((n, n))
        matrix[numpy.arange(n), numpy.arange(n)] += n
        return encode("f32", (n, n), matrix)
    return make


def graph(nodes, degree):
    """Returns the first edge and the number of edges of each node, and the destinations of all edges."""
    starts = numpy.arange(nodes) * degree
    return [values("i32", starts), values("i32", numpy.full(nodes, degree)),
            array("i32", nodes * degree, lo=0, hi=nodes)]


def boxes(side, particles):
    """Returns a cube of boxes with particles, and the neighbours of each box, at most 26."""
    cells = [(c % side, c // side % side, c // side // side) for c in range(side ** 3)]
    steps = [(x, y, z) for z in (-1, 0, 1) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y, z) != (0, 0, 0)]
    near = []
    for cell in cells:
        there = [tuple(a + b for a, b in zip(cell, s)) for s in steps]
        there = [(x, y, z, (z * side + y) * side + x) for x, y, z in there if all(0 <= v < side for v in (x, y, z))]
        near.append((there + [(0, 0, 0, 0)] * (26 - len(there)), len(there)))
    args = [scalar("f32", 0.5)]
    args += [values("i32", [c[a] for c in cells]) for a in range(3)] + [values("i32", list(range(len(cells))))]
    args += [values("i32", [[n[0][k][a] for n in near] for k in range(26)]) for a in range(4)]
    args += [values("i32", [n[1] for n in near])]
    return args + [array("f32", len(cells), particles, lo=0.1, hi=1.0) for _ in range(5)]


def channel(width, height):
    """Returns a grid of unit squares, open on three sides, with a wall at the bottom."""
    n = width * height
    at = numpy.arange(n)
    sides = [numpy.where(at % width > 0, at - 1, -2), numpy.where((at + 1) % width > 0, at + 1, -2),
             numpy.where(at >= width, at - width, -1), numpy.where(at < n - width, at + width, -2)]
    normals = numpy.zeros((3, 4, n))
    normals[0, 0], normals[0, 1], normals[1, 2], normals[1, 3] = -1, 1, -1, 1
    return [values("f32", numpy.ones(n)), values("i32", numpy.stack(sides)), values("f32", normals)]


def bodies(n):
    return ([scalar("i32", 1), scalar("f32", 50.0), scalar("f32", 1.0)]
            + [array("f32", n, lo=-1000, hi=1000) for _ in range(3)] + [array("f32", n, lo=0.1, hi=10)]
            + [array("f32", n, lo=-1) for _ in range(3)])


def mriq(k, x):
    return [array("f32", k) for _ in range(3)] + [array("f32", x) for _ in range(3)] + [array("f32", k) for _ in range(2)]


def tpacf(d, r):
    return [array("f64", d, hi=360), array("f64", d, lo=-90, hi=90),
            array("f64", r, d, hi=360), array("f64", r, d, lo=-90, hi=90)]


def frame(w, h):
    return [scalar("i32", w), scalar("i32", h), scalar("f32", -0.7), scalar("f32", 0.0), scalar("f32", 3.067),
            scalar("i32", 100), scalar("f32", 16.0)]


def fluid(n):
    return [array("f32", n, n, lo=-1), array("f32", n, n, lo=-1), array("f32", n, n), scalar("i32", 1), scalar("i32", 40),
            scalar("f32", 0.1), scalar("f32", 0.0001), scalar("f32", 0.00001)]


LVC, OPT = "finpar/LocVolCalib", "finpar/OptionPricing"

# Program, data set, arguments, and the thesis' peaks in kB: before and after merging on its CPU, and on its GPU.
CASES = [
    ("accelerate/canny/canny", "lena256", [scalar("f32", 50.0), scalar("f32", 100.0), image(256)], (2380.496, 807.632, None, None)),
    ("accelerate/canny/canny", "lena512", [scalar("f32", 50.0), scalar("f32", 100.0), image(512)],
     (9502.276, 3210.820, 10551.876, 3211.844)),
    ("accelerate/crystal/crystal", "#4", [scalar("i32", 2000), scalar("f32", 30.0), scalar("i32", 50), scalar("i32", 1), scalar("f32", 1.0)],
     (16000.0, 16000.0, 16000.0, 16000.0)),
    ("accelerate/fluid/fluid", "medium", fluid(100), (1082.016, 790.704, 1082.016, 790.704)),
    ("accelerate/mandelbrot/mandelbrot", "#2", frame(2000, 2000), (16000.0, 16000.0, 16000.0, 16000.0)),
    ("accelerate/nbody/nbody", "1000", bodies(1000), (112.0, 100.0, None, None)),
    ("accelerate/nbody/nbody", "10000", bodies(10000), (1120.0, 1000.0, 1120.0, 1000.0)),
    ("accelerate/nbody/nbody", "100000", bodies(100000), (11200.0, 10000.0, 11200.0, 10000.0)),
    ("accelerate/tunnel/tunnel", "#2", [scalar("f32", 10.0), scalar("i32", 2000), scalar("i32", 2000)], (16008.0, 16008.0, 16000.0, 16000.0)),
    (LVC, "small", [file(LVC + "-data/small.in")], (140.432, 139.152, 13118.864, 7349.584)),
    (LVC, "medium", [file(LVC + "-data/medium.in")], (141.776, 139.600, 104998.736, 58729.808)),
    (LVC, "large", [file(LVC + "-data/large.in")], (1066.960, 1063.888, 1677997.008, 939536.336)),
    (OPT, "small", [file(OPT + "-data/small.in")], (0.236, 0.212, 2097.860, 1442.488)),
    (OPT, "medium", [file(OPT + "-data/medium.in")], (2.660, 2.564, 18352.788, 14813.832)),
    (OPT, "large", [file(OPT + "-data/large.in")], (187.992, 182.104, 1299602.544, 1058823.268)),
    ("jgf/crypt/crypt", "medium", [array("u16", 52, hi=65536), array("u16", 52, hi=65536), array("u8", 10**6, hi=256)],
     (3000.208, 3000.208, 7003.152, 6003.152)),
    ("jgf/crypt/keys", "userkey0", [file("jgf/crypt/crypt-data/userkey0.txt")], (None, None, 0.224, 0.224)),
    ("jgf/series/series", "10000", [scalar("i64", 10000)], (320.0, 160.0, 320.0, 160.0)),
    ("jgf/series/series", "100000", [scalar("i64", 100000)], (3200.0, 1600.0, 3200.0, 1600.0)),
    ("parboil/mri-q/mri-q", "small", mriq(3072, 32768), (729.088, 729.088, 729.088, 729.088)),
    ("parboil/mri-q/mri-q", "large", mriq(2048, 262144), (5292.032, 5292.032, 5292.032, 5292.032)),
    ("parboil/sgemm/sgemm", "medium", [array("f32", 1024, 992), array("f32", 992, 1056), array("f32", 1024, 1056), scalar("f32", 1.0), scalar("f32", 2.0)],
     (16904.192, 16904.192, 16904.192, 16904.192)),
    ("parboil/stencil/stencil", "small", [scalar("i32", 100), scalar("i32", 32), array("f32", 128, 128)], (6307.840, 6307.840, 6307.840, 6307.840)),
    ("parboil/tpacf/tpacf", "small", tpacf(487, 100), (957.296, 957.296, 23624.248, 23546.192)),
    ("parboil/tpacf/tpacf", "medium", tpacf(4096, 100), (7915.448, 7915.448, 197582.200, 197186.552)),
    ("rodinia/backprop/backprop", "medium", [file("rodinia/backprop/data/medium.in")], (209715.976, 142606.984, 352324.396, 272632.408)),
    ("rodinia/bfs/bfs_iter_work_ok", "4096", graph(4096, 6), (None, None, None, None)),
    ("rodinia/bfs/bfs_iter_work_ok", "1M", graph(1000000, 6), (None, None, None, None)),
    ("rodinia/bfs/bfs_filt_padded_fused", "4096", graph(4096, 6), (220.923, 200.442, 262.078, 225.149)),
    ("rodinia/bfs/bfs_filt_padded_fused", "1M", graph(1000000, 6), (53803.283, 48803.282, 63899.670, 54899.157)),
    ("rodinia/cfd/cfd", "097K", channel(312, 311), (22514.692, 18632.852, 28356.172, 26415.252)),
    ("rodinia/hotspot/hotspot", "512", [scalar("i32", 360), array("f32", 512, 512, lo=320, hi=345), array("f32", 512, 512, hi=0.001)],
     (4194.304, 4194.304, 4194.304, 4194.304)),
    ("rodinia/hotspot/hotspot", "1024", [scalar("i32", 360), array("f32", 1024, 1024, lo=320, hi=345), array("f32", 1024, 1024, hi=0.001)],
     (16777.216, 16777.216, 16777.216, 16777.216)),
    ("rodinia/kmeans/kmeans", "204800", [scalar("i32", 0), scalar("i32", 5), scalar("i32", 20), array("f32", 204800, 34)],
     (61445.868, 61442.412, 249633.380, 208442.372)),
    ("rodinia/kmeans/kmeans", "kdd_cup", [scalar("i32", 0), scalar("i32", 5), scalar("i32", 20), array("f32", 494019, 34)],
     (148209.420, 148207.260, 435610.224, 350728.712)),
    ("rodinia/lavaMD/lavaMD", "10_boxes", boxes(10, 100), (4052.0, 4052.0, 6164.0, 6164.0)),
    ("rodinia/lud/lud", "64", [dominant(64)], (None, None, 335.872, 286.976)),
    ("rodinia/lud/lud", "256", [dominant(256)], (2061.568, 1790.208, 2789.376, 2392.320)),
    ("rodinia/lud/lud", "512", [dominant(512)], (8288.512, 7229.696, 10817.536, 9470.208)),
    ("rodinia/lud/lud", "2048", [dominant(2048)], (133730.560, 116936.960, 169086.976, 151027.968)),
    ("rodinia/myocyte/myocyte", "small", [file("rodinia/myocyte/data/small.in")], (17.172, 11.712, 5685.382, 2889.498)),
    ("rodinia/myocyte/myocyte", "medium", [file("rodinia/myocyte/data/medium.in")], (23871.912, 23866.452, 787218.989, 405537.325)),
    ("rodinia/nn/nn", "medium", [scalar("i32", 100), scalar("f32", 30.0), scalar("f32", 90.0), array("f32", 855280, lo=7, hi=64), array("f32", 855280, hi=360)],
     (10264.160, 10264.160, 10265.192, 10265.192)),
    ("rodinia/pathfinder/pathfinder", "medium", [file("rodinia/pathfinder/data/medium.in")], (41200.120, 41200.120, 41200.120, 41200.120)),
    ("rodinia/srad/srad", "image", [array("u8", 502, 458, hi=256)], (8506.892, 8506.892, 8513.948, 7591.252)),
]
VARIANTS = {"with": [], "without": ["--passes=-coalesce,-reuse"]}


def exe(a, program, variant):
    return os.path.join(a.work, program.replace("/", "-") + "." + variant)


def compiled(a, program, variant):
    """Compiles a program unless it is there; returns what went wrong if something did."""
    if os.path.exists(exe(a, program, variant) + ".done"):
        return None
    left = a.limit - (time.time() - a.start)
    if left < 1:
        return "no time left"
    try:
        done = subprocess.run(a.futharkc.split() + [a.target, "-w", source(a, program), "-o", exe(a, program, variant)]
                              + VARIANTS[variant], capture_output=True, text=True, timeout=left)
    except subprocess.TimeoutExpired:
        return "no time left"
    if done.returncode != 0:
        return (done.stderr or done.stdout)[:300]
    open(exe(a, program, variant) + ".done", "w").close()
    return None


def source(a, program):
    return os.path.join(a.programs, program + ".fut")


def blocks(a, program, variant):
    """How many statements of a program allocate memory."""
    rep = "--gpu-mem" if a.target in ("cuda", "opencl") else "--mc-mem"
    shown = subprocess.run(a.futharkc.split() + ["dev", "-w", rep, "--metrics", source(a, program)] + VARIANTS[variant],
                           capture_output=True, text=True)
    return sum(map(int, re.findall(r"^Alloc (\d+)$", shown.stdout, re.M)))


def written(a, case):
    path = os.path.join(a.work, (case[0] + "-" + case[1]).replace("/", "-").replace("#", "") + ".in")
    if os.path.exists(path):
        return path
    rng = numpy.random.default_rng(7)
    with open(path + ".part", "wb") as out:
        for arg in case[2]:
            if isinstance(arg, str):
                with open(os.path.join(a.programs, arg), "rb") as there:
                    out.write(there.read())
            else:
                out.write(arg(rng))
    os.rename(path + ".part", path)
    return path


def space(a):
    """Where the target's arrays are, as an executable names it."""
    return "space 'device'" if a.target in ("cuda", "opencl") else "default space"


def memory(a, case, path):
    """Peak and copied bytes of a call of each variant; or the error."""
    found = {}
    for v in VARIANTS:
        if time.time() - a.start > a.limit:
            return "no time left"
        with open(path, "rb") as args:
            try:
                done = subprocess.run([exe(a, case[0], v), "-n", "-D", "-r", "1"] + a.run_with.split(), stdin=args, capture_output=True, text=True,
                                      timeout=a.timeout)
            except subprocess.TimeoutExpired:
                return "over %d s" % a.timeout
        if done.returncode != 0:
            return (done.stderr or "exit %d" % done.returncode)[:200]
        peak = re.search("Peak memory usage for %s: (\\d+) bytes" % space(a), done.stderr)
        copied = re.search("Copied in %s: (\\d+) bytes" % space(a), done.stderr)
        found[v] = {"peak": int(peak.group(1)) if peak else None, "copied": int(copied.group(1)) // 2 if copied else None}
    return found


def times(a, case, path):
    """Pairs of times in us, of each variant in turn, after half of the time (and two pairs at least) to warm up: the first
    hundreds of calls of a program that a JVM runs are up to fifty times slower, and as unequal. A time is the median of some
    calls, if they are short: the first one after the other program's may take twice as long as the next."""
    servers = {}
    try:
        with open(os.path.join(a.work, "servers.log"), "ab") as log:
            with ThreadPoolExecutor(len(VARIANTS)) as both:
                started = {v: both.submit(Server, [exe(a, case[0], v), "--server"], log) for v in VARIANTS}
            for v in VARIANTS:
                servers[v] = started[v].result()
            calls = {v: Calls(servers[v], "main", path, a.timeout) for v in VARIANTS}
            pairs, start, warm, group = [], time.time(), None, 1
            while True:
                order = list(VARIANTS) if len(pairs) % 2 == 0 else list(VARIANTS)[::-1]
                us = {v: None for v in order}
                for v in order:
                    us[v] = statistics.median([calls[v].call() for _ in range(group)][group // 4:])
                pairs.append(us)
                passed = time.time() - start
                if warm is None and passed > a.seconds / 2 and len(pairs) > 1:
                    warm = len(pairs)
                    group = max(1, min(12, int(20000 / max(1, *us.values()))))
                if warm is not None and len(pairs) > warm and passed > a.seconds:
                    return pairs[warm:]
    except ServerError as e:
        return str(e)[:200]
    finally:
        for server in servers.values():
            server.kill()


def timed(row, pairs):
    """Adds what pairs of calls say; what went wrong is said beside the memory."""
    if isinstance(pairs, str):
        row["wrong"] = pairs
        return
    for v in VARIANTS:
        row[v]["us"] = statistics.median(p[v] for p in pairs)
    ratios = sorted(p["with"] / max(1, p["without"]) for p in pairs)
    n = len(ratios)
    row.update(pairs=n, ratio=statistics.median(ratios), quartiles=[ratios[n // 4], ratios[3 * n // 4]])


def kb(n):
    return "" if n is None else "%.0f" % (n / 1000) if n >= 10**5 else "%.1f" % (n / 1000)


def table(a, rows):
    gpu = a.target in ("cuda", "opencl")
    lines = ["| program | data | blocks | peak, kB | copied, kB | time, us | ratio | thesis, kB |", "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for case in CASES:
        r = rows.get(name(case))
        if r is None:
            continue
        before, after = case[3][2:] if gpu else case[3][:2]
        thesis = "" if before is None else "%g → %g" % (before, after)
        if isinstance(r, str):
            lines.append("| %s | %s | %s | | | | | %s |" % (case[0], case[1], r.replace("\n", " "), thesis))
            continue
        w, o = r["with"], r["without"]
        cells = [case[0], case[1], "%d → %d" % (o["blocks"], w["blocks"]) if "blocks" in o and "blocks" in w else "", "%s → %s" % (kb(o["peak"]), kb(w["peak"])),
                 "%s → %s" % (kb(o["copied"]), kb(w["copied"]))]
        if "pairs" in r:
            cells += ["%.0f → %.0f" % (o["us"], w["us"]), "%.2f (%.2f to %.2f, %d)" % (r["ratio"], *r["quartiles"], r["pairs"])]
        else:
            cells += [r.get("wrong", "").replace("\n", " "), ""]
        lines.append("| " + " | ".join(cells + [thesis]) + " |")
    with open(os.path.join(a.out, "thesis-%s.md" % a.target), "w") as out:
        out.write("\n".join(lines) + "\n")
    with open(os.path.join(a.out, "thesis-%s.json" % a.target), "w") as out:
        json.dump(rows, out, indent=1)


def name(case):
    return case[0] + ":" + case[1]


def largest_first(cases):
    """The last data set of each program, then the ones before."""
    by_program = {}
    for c in cases:
        by_program.setdefault(c[0], []).insert(0, c)
    return [cs[k] for k in range(max(map(len, by_program.values()))) for cs in by_program.values() if k < len(cs)]


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--futharkc", required=True, help="how to start the compiler")
    p.add_argument("--programs", required=True, help="a checkout of diku-dk/futhark-benchmarks")
    p.add_argument("--target", default="multicore")
    p.add_argument("--out", default=".")
    p.add_argument("--work", help="where executables and inputs go (default: OUT/work)")
    p.add_argument("--only", default="", help="a regular expression for programs")
    p.add_argument("--limit", type=float, default=1e6, help="end after so many seconds")
    p.add_argument("--seconds", type=float, default=2, help="about how long the calls of a case take; 0: memory only")
    p.add_argument("--timeout", type=float, default=25, help="seconds for a run of a program, or a call")
    p.add_argument("--run-with", default="", help="options for the runs that measure memory, as --num-threads=1")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--resume", nargs="*", default=[], help="earlier OUT folders: what has been timed there is taken over")
    p.add_argument("--blocks", help="a file of --count")
    p.add_argument("--count", metavar="FILE", help="count blocks into FILE, and end")
    a = p.parse_args()
    a.start = time.time()
    a.work = a.work or os.path.join(a.out, "work-" + a.target)
    os.makedirs(a.work, exist_ok=True)
    os.makedirs(a.out, exist_ok=True)
    cases = [c for c in CASES if re.search(a.only, c[0])]
    programs = list(dict.fromkeys(c[0] for c in cases))
    if a.count:
        count(a, programs)
        return
    rows = taken_over(a)
    cases = [c for c in cases if not {"pairs", "wrong"} & set(rows.get(name(c), ()))]
    programs = list(dict.fromkeys(c[0] for c in cases))
    measure(a, cases, programs, rows)
    if a.blocks and os.path.exists(a.blocks):
        with open(a.blocks) as there:
            counts = json.load(there).get(a.target, {})
    else:
        counts = counted(a, programs)
    for case in CASES:
        if isinstance(rows.get(name(case)), dict):
            for v, n in counts.get(case[0], {}).items():
                rows[name(case)][v]["blocks"] = n
    table(a, rows)
    print("ended after %.0f s" % (time.time() - a.start), flush=True)


def taken_over(a):
    """The rows of earlier runs."""
    rows = {}
    for folder in a.resume:
        path = os.path.join(folder, "thesis-%s.json" % a.target)
        if os.path.exists(path):
            with open(path) as there:
                rows.update({k: r for k, r in json.load(there).items() if isinstance(r, dict)})
    return rows


def measure(a, cases, programs, rows):
    with ThreadPoolExecutor(a.jobs) as pool:
        longest = sorted(programs, key=lambda p: -os.path.getsize(source(a, p)))
        tasks = [(p, v) for p in longest for v in VARIANTS]
        done = {t: pool.submit(compiled, a, *t) for t in tasks}
        paths = {name(c): pool.submit(written, a, c) for c in cases}
        wrong = {p: next((w for w in (done[p, v].result() for v in VARIANTS) if w), None) for p in longest}
        paths = {k: f.result() for k, f in paths.items()}
    print("compiled after %.0f s" % (time.time() - a.start), flush=True)
    cases = largest_first(cases)
    with ThreadPoolExecutor(max(1, min(a.jobs // 2, 8))) as pool:
        for case, row in zip(cases, pool.map(lambda c: rows.get(name(c)) or wrong[c[0]] or memory(a, c, paths[name(c)]), cases)):
            rows[name(case)] = row
    table(a, rows)
    print("memory after %.0f s" % (time.time() - a.start), flush=True)
    if a.seconds <= 0:
        return
    for case in cases:
        if time.time() - a.start > a.limit - a.seconds - 3:
            break
        if isinstance(rows[name(case)], dict):
            timed(rows[name(case)], times(a, case, paths[name(case)]))
            table(a, rows)
            print(name(case), rows[name(case)], flush=True)


def counted(a, programs):
    """The blocks of programs, of each variant, as far as time goes."""
    with ThreadPoolExecutor(a.jobs) as pool:
        tasks = [(p, v) for p in programs for v in VARIANTS]
        found = pool.map(lambda t: blocks(a, *t) if time.time() - a.start < a.limit else None, tasks)
        counts = {}
        for (program, variant), n in zip(tasks, found):
            if n is not None:
                counts.setdefault(program, {})[variant] = n
        return counts


def count(a, programs):
    there = {}
    if os.path.exists(a.count):
        with open(a.count) as earlier:
            there = json.load(earlier)
    there[a.target] = counted(a, programs)
    with open(a.count, "w") as out:
        json.dump(there, out, indent=1)


main()
