#!/usr/bin/env python3
"""Compares the times of benchmark programs on CPUs with those of the original compiler, for several numbers of threads.

Each case runs a process of each side, one after the other, on reserved processors. The result is the median of the second half
of its calls, since the JVM compiles during the first half. With four threads, one more call logs allocations, for the peak.
Cases run concurrently on the first half of the processors, each on as many as it has threads; a case with more threads runs
alone.
Writes OUT/cpu.md, a table, and OUT/cpu.json.

  KIT       a folder with cases.py, gen_inputs.py, as benchmarks/device/README.md describes it
  PROGRAMS  a checkout of the benchmark repository
  C         a folder of the original's C files, NAME.c or NAME.c.gz, emitted for `multicore`; compiled with gcc here
"""
import argparse, concurrent.futures as cf, gzip, json, math, os, queue, re, shlex, statistics, subprocess, sys, time

START = time.monotonic()
PEAK_THREADS = 4


def arguments():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("kit", "programs", "c", "work", "out"):
        ap.add_argument("--" + name, required=True)
    ap.add_argument("--compiler", required=True, help="the command that starts our compiler")
    ap.add_argument("--threads", default="1,4,16")
    ap.add_argument("--cores", default="0-15", help="the processors to use, threads of a core that another one is of last: ranges")
    ap.add_argument("--seconds", type=float, default=1.5, help="about how long the calls of one process take")
    ap.add_argument("--limit", type=float, default=1e9, help="seconds after which no case begins")
    ap.add_argument("--only", default=".", help="a regular expression on the cases")
    return ap.parse_args()


def build(a, cases, programs):
    """Builds the executables of both sides and the inputs, with one process per processor."""
    for side in ("ours", "original"):
        os.makedirs(os.path.join(a.work, side), exist_ok=True)
    inputs = subprocess.Popen([sys.executable, "gen_inputs.py", "--size", "cpu", "--repo", a.programs, "--inputs", os.path.join(a.work, "in"),
                               "--only", a.only, "--jobs", "8"], cwd=a.kit, stdout=subprocess.DEVNULL)

    def ours(program):
        exe = os.path.join(a.work, "ours", cases.exe_name(program))
        made = subprocess.run(shlex.split(a.compiler) + ["multicore", program, "-o", exe], cwd=a.programs, capture_output=True, text=True)
        return None if made.returncode == 0 else "%s: %s" % (program, made.stderr[-200:])

    def original(program):
        exe = os.path.join(a.work, "original", cases.exe_name(program))
        source = os.path.join(a.c, cases.exe_name(program) + ".c")
        if not os.path.exists(source) and not os.path.exists(source + ".gz"):
            return "%s: no C of the original's" % program
        with (open(source, "rb") if os.path.exists(source) else gzip.open(source + ".gz")) as f:
            made = subprocess.run(["gcc", "-O3", "-std=gnu11", "-w", "-x", "c", "-", "-o", exe, "-pthread", "-lm"], input=f.read(), capture_output=True)
        return None if made.returncode == 0 else "%s: %s" % (program, made.stderr[-200:])

    with cf.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(make, p) for make in (original, ours) for p in programs]
        for trouble in filter(None, (j.result() for j in jobs)):
            print(trouble)
    inputs.wait()
    print("built after %.0f s" % (time.monotonic() - START), flush=True)


def measure(a, cases, case, side, threads, cores, calls):
    """Returns the median of the second half of the calls in µs, and the peak in bytes; None for missing results."""
    exe = os.path.join(a.work, side, cases.exe_name(case["program"]))
    source = os.path.join(a.work, "in", cases.input_name(case["cpu"]))
    times = os.path.join(a.work, "times-%s-%d-%s" % (side, threads, re.sub(r"\W+", "_", case["id"])))
    pin = ["taskset", "-c", cores]
    row = {"us": None, "peak": None}
    try:
        with open(source, "rb") as f:
            subprocess.run(pin + [exe, "-e", case["entry"], "-n", "-t", times, "-r", str(calls), "--num-threads=%d" % threads],
                           stdin=f, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=90)
        us = [int(x) for x in open(times).read().split()]
        row["us"] = statistics.median(us[len(us) // 2:])
        if threads == PEAK_THREADS:
            with open(source, "rb") as f:
                log = subprocess.run(pin + [exe, "-e", case["entry"], "-n", "-L", "--num-threads=%d" % threads], stdin=f, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, timeout=90).stderr.decode(errors="replace")
            peaks = re.findall(r"now allocated: (\d+) bytes \(new peak\)|Peak memory usage for .*: (\d+) bytes", log)
            row["peak"] = max((int(x or y) for x, y in peaks), default=None)
    except (OSError, ValueError, subprocess.TimeoutExpired, statistics.StatisticsError) as e:
        row["error"] = str(e)[:200]
    return row


def enough(a, side, row):
    """Returns the number of calls of the next process of a side; our processes run twice as long, since the JVM compiles."""
    return max(8, min(400, int(a.seconds * (2e6 if side == "ours" else 1e6) / row["us"]))) if row["us"] else 8


def places(cores, threads):
    """Returns groups of processors for concurrent cases."""
    half = cores[:len(cores) // 2]
    groups = [half[i:i + threads] for i in range(0, len(half) - threads + 1, threads)] or [cores[:threads]]
    return [",".join(map(str, g)) for g in groups]


def mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else float("nan")


def table(results, threads):
    short = lambda id: id.replace(":main:", " ").replace(":", " ")
    ms = lambda us: "–" if us is None else "%.3g" % (us / 1000) if us < 999500 else "%.0f" % (us / 1000)
    rows, ratios = [], {n: [] for n in threads}
    gains = {"ours": [], "original": []}
    for id, r in sorted(results.items()):
        cells = [short(id)]
        for n in threads:
            x, y = (r.get("%s %d" % (s, n), {}).get("us") for s in ("ours", "original"))
            ratio = max(x, 100) / max(y, 100) if x and y else None
            if ratio:
                ratios[n].append(ratio)
            cells += [ms(x), ms(y), "–" if ratio is None else "%.2f" % ratio]
        for side in gains:
            first, last = (r.get("%s %d" % (side, n), {}).get("us") for n in (threads[0], threads[-1]))
            if first and last and first > 10000:
                gains[side].append(first / last)
        peaks = [r.get("%s %d" % (s, PEAK_THREADS), {}).get("peak") for s in ("ours", "original")]
        cells += ["–" if p is None else "%.1f" % (p / 1e6) for p in peaks]
        rows.append("| " + " | ".join(cells) + " |")
    head = ["case"] + [h for n in threads for h in ("ours %d" % n, "original %d" % n, "ratio")] + ["peak MB", "original"]
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)] + rows + [""]
    lines += ["%d threads: %.3f in geometric mean over %d cases" % (n, mean(ratios[n]), len(ratios[n])) for n in threads]
    lines += ["%s: %.2f times as fast with %d threads as with %d, over %d cases of 10 ms and more"
              % (s, mean(gains[s]), threads[-1], threads[0], len(gains[s])) for s in gains]
    return "\n".join(lines) + "\n"


def main():
    a = arguments()
    for name in ("kit", "programs", "c", "work", "out"):
        setattr(a, name, os.path.abspath(getattr(a, name)))
    os.makedirs(a.out, exist_ok=True)
    sys.path.insert(0, a.kit)
    import cases
    chosen = cases.select("cpu", a.only)
    build(a, cases, sorted({c["program"] for c in chosen}))
    threads = [int(n) for n in a.threads.split(",")]
    ranges = [list(map(int, r.split("-"))) for r in a.cores.split(",")]
    cores, results = [c for r in ranges for c in range(r[0], r[-1] + 1)], {c["id"]: {} for c in chosen}
    calls = {}
    for n in threads:
        free = queue.Queue()
        for p in places(cores, n):
            free.put(p)

        def one(case):
            if time.monotonic() - START > a.limit:
                return
            place = free.get()
            for side in ("original", "ours"):
                key = (case["id"], side)
                if key not in calls:
                    calls[key] = enough(a, side, measure(a, cases, case, side, n, place, 4))
                row = measure(a, cases, case, side, n, place, calls[key])
                calls[key] = enough(a, side, row)
                results[case["id"]]["%s %d" % (side, n)] = row
            free.put(place)

        slow = lambda c: -max((v["us"] or 0 for v in results[c["id"]].values()), default=0)
        with cf.ThreadPoolExecutor(free.qsize()) as pool:
            list(pool.map(one, sorted(chosen, key=slow)))
        print("%d threads: done after %.0f s" % (n, time.monotonic() - START), flush=True)
        with open(os.path.join(a.out, "cpu.json"), "w") as f:
            json.dump(results, f, indent=1)
        with open(os.path.join(a.out, "cpu.md"), "w") as f:
            f.write(table(results, threads))


main()
