#!/usr/bin/env python3
"""Times two compilers' programs on one device, in turn, and compares their results.

Both sides are executables that serve commands (compiled with --server): inputs and results stay on the device, and a
case costs no new process. For each program and side: start it, load the inputs, time the first call and further ones,
read the peak memory, write the results to a file. Where the results differ the table says so.

    compare.py --kit KIT --ours DIR --theirs DIR --inputs DIR --out DIR [--only REGEX] [--budget SECONDS] [--profile]

KIT has cases.py (the cases, and the names of their inputs and executables) and futdata.py (Futhark's binary format).
OUT/compare.json is rewritten after every program, so that a run that is cut off keeps what it has; OUT/compare.md is the
table. With --profile the programs that take over 1.5 times as long are run once more with -P, for OUT/profile.md.
"""
import argparse, json, math, os, re, select, shutil, statistics, subprocess, sys, threading, time

OK, FAILURE = "%%% OK", "%%% FAILURE"


class ServerError(Exception):
    pass


class Server:
    """An executable that serves commands."""

    def __init__(self, command, log, env=None, timeout=60):
        self.start = time.monotonic()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=env)
        self.buffer = b""
        self.answer("the start", timeout)
        self.start_seconds = time.monotonic() - self.start

    def line(self, deadline):
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                self.kill()
                raise ServerError("timeout")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                self.kill()
                raise ServerError("ended with status %s" % self.process.returncode)
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode(errors="replace").strip()

    def answer(self, what, timeout):
        deadline, lines, failed = time.monotonic() + timeout, [], False
        while True:
            line = self.line(deadline)
            if line == OK:
                break
            if line == FAILURE:
                failed, lines = True, []
            else:
                lines.append(line)
        if failed:
            raise ServerError("%s: %s" % (what, " ".join(lines)[:200]))
        return lines

    def __call__(self, *words, timeout=30):
        self.process.stdin.write((" ".join(words) + "\n").encode())
        self.process.stdin.flush()
        return self.answer(words[0], timeout)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            self.kill()


class Side:
    """One of the two compilers: where its executables are, and how they are started."""

    def __init__(self, name, folder, options, cache):
        self.name, self.folder, self.options, self.cache = name, folder, options, cache

    def exists(self, program):
        return os.path.exists(os.path.join(self.folder, program))

    def server(self, program, log, *more):
        command = [os.path.join(self.folder, program), *self.options, *more]
        # All kernels are compiled at the first start, by both sides, and none in a call.
        command += ["--cache-file", os.path.join(self.cache, self.name + "-" + program)]
        return Server(command, log)


def quoted(word):
    return '"%s"' % word


def outputs(server, entry):
    """The types of the results, for servers that have several and for those that have one, perhaps a tuple."""
    try:
        return server("outputs", entry), False
    except ServerError:
        return server("output", entry), True


def load(server, file, types, n):
    names = ["in%d_%d" % (n, i) for i in range(len(types))]
    words = [w for name, t in zip(names, types) for w in (name, quoted(t.lstrip("*")) if " " in t else t.lstrip("*"))]
    if names:
        server("restore", file, *words, timeout=60)
    return names


def components(server, name, kind):
    """Takes a tuple apart: names of variables whose values have an external form."""
    try:
        fields = server("fields", quoted(kind) if " " in kind else kind)
    except ServerError:
        return [name]
    names = []
    for i, field in enumerate(fields):
        part, of = "%s_%d" % (name, i), field.split(" ", 1)
        server("project", part, name, of[0])
        names += components(server, part, of[1] if len(of) > 1 else "")
    return names


def peak(server):
    text = " ".join(server("report"))
    found = re.findall(r"space 'device'\"?: *\"?(\d+)", text) or re.findall(r"\"(?:device|default space)\": *(\d+)", text)
    return int(found[-1]) if found else None


def run(server, case, file, result, a):
    """One case on a running server: what was measured; writes the results to a file."""
    entry = case["entry"]
    types = server("inputs", entry)
    kinds, single = outputs(server, entry)
    consumes = any(t.startswith("*") for t in types)
    try:
        server("clear")
    except ServerError:
        pass
    names, n, times, row = load(server, file, types, 0), 0, [], {}
    began = time.monotonic()
    results = ["out%d" % i for i in range(len(kinds))]
    while True:
        lines = server("call", entry, *results, *names, timeout=a.timeout)
        micros = [int(line.split(":")[1]) for line in lines if line.startswith("runtime:")]
        times.append(micros[0])
        spent = time.monotonic() - began
        last = len(times) > a.runs or len(times) > 3 and spent > a.seconds or len(times) > 1 and spent > 4 * a.seconds
        if last:
            break
        server("free", *results)
        if consumes:
            server("free", *names)
            n += 1
            names = load(server, file, types, n)
    row["first_us"], row["runs_us"] = times[0], times[1:] or times
    row["median_us"], row["least_us"] = statistics.median(row["runs_us"]), min(row["runs_us"])
    row["peak_bytes"] = peak(server)
    stored = results
    if single:
        stored = components(server, results[0], kinds[0].lstrip("*"))
    server("store", result, *stored, timeout=60)
    server("free", *set(stored) | set(results), *names)
    return row


def difference(kit, mine, theirs):
    """What differs between two files of values; empty if they agree."""
    try:
        xs, ys = list(kit.values(mine)), list(kit.values(theirs))
    except ValueError as e:
        return str(e)
    notes = ["value %d: %s" % (i, kit.mismatch(x, y)) for i, (x, y) in enumerate(zip(xs, ys)) if kit.mismatch(x, y)]
    return "; ".join(notes) if len(xs) == len(ys) else "%d values, %d" % (len(xs), len(ys))


def profile(side, program, case, file, log):
    """A profiled call: its µs, and its totals by kernel: ((name, place), [launches, µs, bytes])."""
    server = side.server(program, log, "-P")
    try:
        types = server("inputs", case["entry"])
        kinds, _ = outputs(server, case["entry"])
        names = load(server, file, types, 0)
        server("pause_profiling")
        server("call", case["entry"], *["a%d" % i for i in range(len(kinds))], *names, timeout=30)
        if any(t.startswith("*") for t in types):
            names = load(server, file, types, 1)
        server("unpause_profiling")
        lines = server("call", case["entry"], *["b%d" % i for i in range(len(kinds))], *names, timeout=30)
        events = json.loads(" ".join(server("report")))["events"]
    finally:
        server.close()
    totals = {}
    for e in events:
        if e["name"] == "copy_host_to_dev":
            continue
        t = totals.setdefault((e["name"], e.get("provenance", "")), [0, 0.0, 0])
        t[0] += 1
        t[1] += e["duration"]
        t[2] += int(e.get("details", {}).get("bytes", 0) or 0)
    whole = next((int(x.split(":")[1]) for x in lines if x.startswith("runtime:")), 0)
    return whole, sorted(totals.items(), key=lambda kv: -kv[1][1])


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def mb(row):
    return "%.0f" % (row["peak_bytes"] / 1e6) if row.get("peak_bytes") else ""


def table(rows, sides, starts, device):
    ours, theirs = (s.name for s in sides)
    text = ["Times of one call in µs, median after the first; peak of device memory in MB, inputs included. %s.\n" % device,
            "| program | case | %s | %s | ratio | first | first | peak | peak | results |" % (ours, theirs),
            "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"]
    ratios, over, wrong = [], 0, 0
    for case, row in rows.items():
        program, entry, name = case.split(":")
        mine, other = row.get(ours, {}), row.get(theirs, {})
        ratio = ""
        if "median_us" in mine and "median_us" in other:
            r = mine["median_us"] / max(1, other["median_us"])
            if row.get("same") == "same":
                ratios.append(r)
                over += r > 2
            else:
                wrong += 1
            ratio = "%.2f" % r
        cell = lambda r, k: "%.0f" % r[k] if k in r else r.get("error", "")[:80].replace("|", "/") if k == "median_us" else ""
        text.append("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |" % (
            program, name if entry == "main" else entry + " " + name, cell(mine, "median_us"), cell(other, "median_us"), ratio,
            cell(mine, "first_us"), cell(other, "first_us"), mb(mine), mb(other), row.get("same", "")[:100].replace("|", "/")))
    text.append("\nGeometric mean of the ratios: %.2f over %d cases with equal results; %d of them over 2; %d with other results."
                % (mean(ratios), len(ratios), over, wrong))
    for s in sides:
        if starts.get(s.name):
            text.append("Start to the first answer, kernels from the cache, %s: median %.2f s, most %.2f s."
                        % (s.name, statistics.median(starts[s.name]), max(starts[s.name])))
    return "\n".join(text) + "\n"


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("kit", "ours", "theirs", "inputs", "out"):
        ap.add_argument("--" + name, required=True)
    ap.add_argument("--only", default=".")
    ap.add_argument("--size", default="gpu")
    ap.add_argument("--budget", type=float, default=300, help="seconds for everything")
    ap.add_argument("--runs", type=int, default=10)
    ap.add_argument("--seconds", type=float, default=1.0, help="for the calls of a case; at least three are made")
    ap.add_argument("--timeout", type=float, default=20, help="seconds a call may take")
    ap.add_argument("--profile", action="store_true")
    ap.add_argument("--prewarm", type=int, default=8, help="how many programs are started at a time for their caches; 0: none")
    ap.add_argument("--device", default="")
    a = ap.parse_args()
    began = time.monotonic()
    left = lambda: a.budget - (time.monotonic() - began)
    sys.path.insert(0, a.kit)
    import cases, futdata
    os.makedirs(a.out, exist_ok=True)
    work = os.path.join(a.inputs, "results")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    cache = os.path.join(a.inputs, "cache")
    os.makedirs(cache, exist_ok=True)
    sides = [Side("futharkc", a.ours, [], cache), Side("original", a.theirs, [], cache)]
    log = open(os.path.join(a.out, "stderr.log"), "ab")
    programs, starts, rows, comparing = {}, {}, {}, []
    for c in cases.select(a.size, a.only):
        programs.setdefault(cases.exe_name(c["program"]), []).append(c)
    # A start takes longer than most cases: those first of which it serves many.
    programs = dict(sorted(programs.items(), key=lambda p: -len(p[1])))

    if a.prewarm:
        todo = [(s, p) for p in programs for s in sides if s.exists(p)]
        lock = threading.Lock()

        def warm():
            while True:
                with lock:
                    if not todo or left() < a.budget / 2:
                        return
                    side, program = todo.pop(0)
                try:
                    side.server(program, log).close()
                except ServerError as e:
                    print("%s, %s: %s" % (side.name, program, e), flush=True)

        threads = [threading.Thread(target=warm) for _ in range(a.prewarm)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        print("%4.0f s  all started once" % (time.monotonic() - began), flush=True)

    def save():
        with open(os.path.join(a.out, "compare.json"), "w") as f:
            json.dump({"device": a.device, "cases": rows, "starts": starts}, f)
        with open(os.path.join(a.out, "compare.md"), "w") as f:
            f.write(table(rows, sides, starts, a.device))

    def compare(case, files):
        rows[case]["same"] = difference(futdata, *files) or "same"
        for f in files:
            os.remove(f)

    for program, its in programs.items():
        if left() < 15:
            break
        for side in sides:
            server = None
            for c in its:
                row = rows.setdefault(c["id"], {})
                file, result = os.path.join(a.inputs, cases.input_name(c[a.size])), os.path.join(work, "%s-%d" % (side.name, its.index(c)))
                try:
                    if not side.exists(program):
                        raise ServerError("does not compile")
                    if server is None:
                        server = side.server(program, log)
                        starts.setdefault(side.name, []).append(server.start_seconds)
                    row[side.name] = run(server, c, file, result, a)
                except (ServerError, OSError, ValueError, IndexError) as e:
                    row[side.name] = {"error": str(e)}
                    if server is not None:
                        server.kill()
                        server = None
            if server is not None:
                server.close()
        for i, c in enumerate(its):
            files = [os.path.join(work, "%s-%d" % (s.name, i)) for s in sides]
            if all("median_us" in rows[c["id"]].get(s.name, {}) for s in sides) and all(map(os.path.exists, files)):
                kept = [f + "-" + program for f in files]
                for f, k in zip(files, kept):
                    os.rename(f, k)
                comparing.append(threading.Thread(target=compare, args=(c["id"], kept)))
                comparing[-1].start()
        save()
        print("%4.0f s  %s" % (time.monotonic() - began, "  ".join(
            "%s %s" % (c["id"].split(":", 1)[1], " / ".join(str(rows[c["id"]].get(s.name, {}).get("median_us", "-")) for s in sides))
            for c in its) + "  " + program), flush=True)
    for t in comparing:
        t.join()
    save()
    if a.profile:
        slow = sorted(((r["futharkc"]["median_us"] / max(1, r["original"]["median_us"]), c) for c, r in rows.items()
                       if all("median_us" in r.get(s.name, {}) for s in sides)), reverse=True)
        with open(os.path.join(a.out, "profile.md"), "w") as f:
            for ratio, case in slow:
                if left() < 8 or ratio < 1.5:
                    break
                c = next(x for x in cases.select(a.size) if x["id"] == case)
                try:
                    whole, totals = profile(sides[0], cases.exe_name(c["program"]), c, os.path.join(a.inputs, cases.input_name(c[a.size])), log)
                except (ServerError, OSError, ValueError) as e:
                    f.write("## %s, %.2f: %s\n\n" % (case, ratio, e))
                    continue
                f.write("## %s, %.2f, %d µs profiled, %.0f µs in kernels and copies\n\n| kernel | from | launches | µs | GB/s |\n| --- | --- | ---: | ---: | ---: |\n"
                        % (case, ratio, whole, sum(t[1] for _, t in totals)))
                for (name, place), (count, micros, moved) in totals[:12]:
                    f.write("| %s | %s | %d | %.1f | %s |\n" % (name, place.split(" ")[0][-60:], count, micros,
                                                            "%.0f" % (moved / micros / 1e3) if moved and micros else ""))
                f.write("\n")
                f.flush()
    print(open(os.path.join(a.out, "compare.md")).read()[-600:])
    print("%4.0f s  end" % (time.monotonic() - began))


if __name__ == "__main__":
    main()
