#!/usr/bin/env python3
"""Times two compilers' programs on devices, in turn, and compares their results with each other and with the processor's.

Both sides are executables that serve commands (compiled with --server): inputs and results stay on the device, and a
case costs no new process. A program is started by both sides on one device. For each of its cases both load the inputs,
make a first call, and then take turns in rounds of calls; the first call of a round is not counted, since it may have to
wait for the device to change hands. Several devices are used side by side, each for other programs.

    compare.py --kit KIT --ours DIR --theirs DIR --inputs DIR --out DIR [--host DIR] [--cards 0,1] [--only REGEX]
               [--later REGEX] [--budget SECONDS]

KIT has cases.py (the cases, and the names of their inputs and executables) and futdata.py (Futhark's binary format).
HOST has our executables for the host's processors, whose results count as right. OUT/compare.json and OUT/compare.md,
the table, are rewritten after every program, so that a run that is cut off keeps what it has. What takes over 1.5 times
as long is run once more with -P, for OUT/profile.md.
"""
import argparse, concurrent.futures, json, math, multiprocessing, os, shutil, statistics, subprocess, sys, threading, time
from served import Calls, Server, ServerError

ROUNDS, OVER = 3, 1.5


class Side:
    """One of the two compilers: where its executables are, and how they are started."""

    def __init__(self, name, folder, cache):
        self.name, self.folder, self.cache = name, folder, cache

    def exists(self, program):
        return os.path.exists(os.path.join(self.folder, program))

    def server(self, program, log, card, *more):
        if not self.exists(program):
            raise ServerError("does not compile")
        # All kernels are compiled at the first start, by both sides, and none in a call.
        command = [os.path.join(self.folder, program), *more, "--cache-file", os.path.join(self.cache, self.name + "-" + program)]
        return Server(command, log, dict(os.environ, CUDA_VISIBLE_DEVICES=card))


def take_turns(calls, a):
    """Times of several sides: (first, others) of each, in microseconds."""
    firsts = [c.call() for c in calls]
    times = [[] for _ in calls]
    guess = [c.call() for c in calls]
    slow = max(guess) / 1e6
    for c, g, t in zip(calls, guess, times):
        if c.reloads or slow > a.seconds:
            t.append(g)
    rounds = 1 if slow > 2 * a.seconds else 2 if any(c.reloads for c in calls) else ROUNDS
    for _ in range(rounds):
        for c, g, t in zip(calls, guess, times):
            n = max(1, min(2 if c.reloads else a.runs, int(a.seconds * 1e6 / ROUNDS / max(1, g))))
            if g < 1e5 and not c.reloads:
                c.call()
            t += [c.call() for _ in range(n)]
    return list(zip(firsts, times))


def difference(kit, mine, theirs):
    """What differs between two files of values; 'same' if they agree."""
    sys.path.insert(0, kit)
    import futdata
    try:
        xs, ys = list(futdata.values(mine)), list(futdata.values(theirs))
    except (ValueError, OSError) as e:
        return str(e)
    if len(xs) != len(ys):
        return "%d values, %d" % (len(xs), len(ys))
    notes = [(i, futdata.mismatch(x, y)) for i, (x, y) in enumerate(zip(xs, ys))]
    return "; ".join("value %d: %s" % (i, note) for i, note in notes if note) or "same"


def profile(side, program, case, file, log, card):
    """A profiled call: its µs, and what the server reports of it."""
    server = side.server(program, log, card, "-P")
    try:
        calls = Calls(server, case["entry"], file)
        server("pause_profiling")
        calls.call()
        server("unpause_profiling")
        whole = calls.call()
        return whole, server("report")
    finally:
        server.close()


def kernels(lines):
    """Totals of a report by kernel, the longest first: ((name, place), [launches, µs, bytes])."""
    totals = {}
    for e in json.loads(" ".join(lines))["events"]:
        if e["name"] == "copy_host_to_dev":
            continue
        t = totals.setdefault((e["name"], e.get("provenance", "")), [0, 0.0, 0])
        t[0] += 1
        t[1] += e["duration"]
        t[2] += int(e.get("details", {}).get("bytes", 0) or 0)
    return sorted(totals.items(), key=lambda kv: -kv[1][1])


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def mb(row):
    return "%.0f" % (row["peak_bytes"] / 1e6) if row.get("peak_bytes") else ""


def ratio(row, ours, theirs):
    mine, other = row.get(ours, {}), row.get(theirs, {})
    return mine["median_us"] / max(1, other["median_us"]) if "median_us" in mine and "median_us" in other else None


def table(rows, order, sides, starts, device):
    ours, theirs = (s.name for s in sides)
    text = ["Times of one call in µs, median after the first; peak of device memory in MB, inputs included. %s.\n" % device,
            "| program | case | %s | %s | ratio | first | first | peak | peak | beside | multicore |" % (ours, theirs),
            "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |"]
    ratios, over, wrong, checked = [], 0, 0, 0
    for case in order:
        if case not in rows:
            continue
        row = rows[case]
        program, entry, name = case.split(":")
        mine, other = row.get(ours, {}), row.get(theirs, {})
        r = ratio(row, ours, theirs)
        same, right = row.get("same", ""), row.get("host", "")
        checked += right == "same"
        if "same" not in (same, right):
            wrong += 1
        elif r is not None:
            ratios.append(r)
            over += r > 2
        cell = lambda x, k: "%.0f" % x[k] if k in x else x.get("error", "")[:80].replace("|", "/") if k == "median_us" else ""
        text.append("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |" % (
            program, name if entry == "main" else entry + " " + name, cell(mine, "median_us"), cell(other, "median_us"),
            "" if r is None else "%.2f" % r, cell(mine, "first_us"), cell(other, "first_us"), mb(mine), mb(other),
            same[:100].replace("|", "/"), right[:100].replace("|", "/")))
    text.append("\nGeometric mean of the ratios: %.3f over %d cases; %d of them over 2; %d results as multicore's; %d as neither's."
                % (mean(ratios), len(ratios), over, checked, wrong))
    for what in ("with kernels in the cache", "with no cache, all starting at a time"):
        for s in sides:
            seconds = starts.get(s.name + " " + what)
            if seconds:
                text.append("Start to the first answer %s, %s: median %.2f s, most %.2f s." % (what, s.name, statistics.median(seconds), max(seconds)))
    return "\n".join(text) + "\n"


class Comparison:
    """The whole run: what is to be done, and what is known."""

    def __init__(self, a, cases, sides, log):
        self.a, self.cases, self.sides, self.log = a, cases, sides, log
        self.began = time.monotonic()
        self.lock = threading.Lock()
        self.rows, self.starts = {}, {}
        self.all = cases.select(a.size, a.only)
        self.programs = {}
        for c in self.all:
            self.programs.setdefault(cases.exe_name(c["program"]), []).append(c)
        # What is known already goes last; before that, what takes longest to load.
        import re
        late = lambda c: bool(a.later and re.search(a.later, c["id"]))
        self.todo = sorted(self.programs, key=lambda p: (all(map(late, self.programs[p])), -sum(self.size(c) for c in self.programs[p])))
        self.hosted, self.host_todo, self.host_us, self.host_errors = set(), [], {}, {}
        self.there, self.compared, self.comparing = {}, {}, 0
        self.results = os.path.join(a.inputs, "results")
        shutil.rmtree(self.results, ignore_errors=True)
        os.makedirs(self.results)
        self.differences = concurrent.futures.ProcessPoolExecutor(6, multiprocessing.get_context("spawn"))

    def left(self):
        return self.a.budget - (time.monotonic() - self.began)

    def say(self, text):
        print("%4.0f s  %s" % (time.monotonic() - self.began, text), flush=True)

    def file(self, case):
        return os.path.join(self.a.inputs, self.cases.input_name(case[self.a.size]))

    def size(self, case):
        return os.path.getsize(self.file(case)) if os.path.exists(self.file(case)) else 0

    def result(self, side, case):
        return os.path.join(self.results, side + "-" + case["id"].replace("/", "-").replace(":", "-"))

    def save(self):
        with self.lock:
            for name, text in (("compare.json", json.dumps({"device": self.a.device, "cases": self.rows, "starts": self.starts})),
                               ("compare.md", table(self.rows, [c["id"] for c in self.all], self.sides, self.starts, self.a.device))):
                path = os.path.join(self.a.out, name)
                with open(path + ".part", "w") as f:
                    f.write(text)
                os.replace(path + ".part", path)

    def started(self, side, what, seconds):
        with self.lock:
            self.starts.setdefault(side.name + " " + what, []).append(seconds)

    def warm(self, cards):
        """Starts everything once, so that all kernels are in caches; for a third of the time at most."""
        work = [(s, p) for p in self.todo for s in self.sides if s.exists(p)]

        def one(side, program, card):
            if self.left() < self.a.budget * 2 / 3:
                return
            try:
                server = side.server(program, self.log, card)
                self.started(side, "with no cache, all starting at a time", server.start_seconds)
                server.close()
            except ServerError as e:
                self.say("%s, %s: %s" % (side.name, program, e))

        with concurrent.futures.ThreadPoolExecutor(self.a.jobs) as pool:
            for i, (side, program) in enumerate(work):
                pool.submit(one, side, program, cards[i % len(cards)])
        self.say("all started once")

    def case(self, case, servers, program, card):
        """Measures a case on servers that are running, one of each side; those that fail are taken out."""
        row, calls = {s.name: {} for s in self.sides}, {}

        def guarded(side, work):
            try:
                if servers.get(side.name) is None:
                    servers[side.name] = side.server(program, self.log, card)
                    self.started(side, "with kernels in the cache", servers[side.name].start_seconds)
                return work()
            except (ServerError, OSError, ValueError, IndexError, StopIteration) as e:
                row[side.name]["error"] = str(e) or repr(e)
                calls.pop(side.name, None)
                if servers.get(side.name) is not None:
                    servers[side.name].kill()
                    servers[side.name] = None

        for side in self.sides:
            def load(side=side):
                calls[side.name] = Calls(servers[side.name], case["entry"], self.file(case), self.a.timeout)
            guarded(side, load)
        try:
            times = take_turns(list(calls.values()), self.a) if calls else []
        except (ServerError, OSError, StopIteration):
            # One of them failed: each by itself, so that the other has its figures.
            times = []
            for side in self.sides:
                def alone(side=side):
                    if side.name in calls:
                        calls.pop(side.name).close()
                    calls[side.name] = Calls(servers[side.name], case["entry"], self.file(case), self.a.timeout)
                    return take_turns([calls[side.name]], self.a)[0]
                if servers.get(side.name) is not None and servers[side.name].process.poll() is not None:
                    servers[side.name] = None
                t = guarded(side, alone)
                if t is not None:
                    times.append(t)
        for (name, c), (first, runs) in zip(list(calls.items()), times):
            side = next(s for s in self.sides if s.name == name)

            def finish(c=c, side=side, first=first, runs=runs):
                row[side.name].update(first_us=first, runs_us=runs, median_us=statistics.median(runs), least_us=min(runs), peak_bytes=c.peak())
                c.store(self.result(side.name, case))
                c.close()
            guarded(side, finish)
        return row

    def program(self, program, card):
        """Everything about a program, on one card."""
        servers = {}
        for case in self.programs[program]:
            if self.left() < 10:
                break
            row = self.case(case, servers, program, card)
            with self.lock:
                self.rows[case["id"]] = row
            self.arrived(case, "cards")
        for server in servers.values():
            if server is not None:
                server.close()
        self.save()
        self.say("  ".join("%s %s" % (c["id"].split(":", 1)[1], " / ".join(str(self.rows[c["id"]].get(s.name, {}).get("median_us", "-")) for s in self.sides))
                           for c in self.programs[program] if c["id"] in self.rows) + "  " + program)
        for case in self.programs[program]:
            self.explain(case, program, card)

    def explain(self, case, program, card):
        ours, theirs = self.sides
        r = ratio(self.rows.get(case["id"], {}), ours.name, theirs.name)
        if r is None or r < OVER or self.left() < 20:
            return
        text = "## %s, %.2f" % (case["id"], r)
        try:
            whole, report = profile(ours, program, case, self.file(case), self.log, card)
            totals = kernels(report)
            text += ", %d µs profiled, %.0f µs in kernels and copies\n\n| kernel | from | launches | µs | GB/s |\n| --- | --- | ---: | ---: | ---: |\n" % (
                whole, sum(t[1] for _, t in totals))
            for (name, place), (count, micros, moved) in totals[:12]:
                text += "| %s | %s | %d | %.1f | %s |\n" % (name, place.split(" ")[0][-60:], count, micros,
                                                          "%.0f" % (moved / micros / 1e3) if moved and micros else "")
            whole, report = profile(theirs, program, case, self.file(case), self.log, card)
            text += "\nThe other, %d µs profiled:\n\n" % whole
            try:
                for (name, _), (count, micros, _) in kernels(report)[:12]:
                    text += "    %s: %d, %.1f\n" % (name, count, micros)
            except (ValueError, KeyError):
                text += "".join("    %s\n" % line for line in report[:20])
        except (ServerError, OSError, ValueError, KeyError, StopIteration) as e:
            text += ": %s\n" % (str(e) or repr(e))
        with self.lock, open(os.path.join(self.a.out, "profile.md"), "a") as f:
            f.write(text + "\n")

    def arrived(self, case, what):
        """Compares results as soon as they are there: those of both sides, and ours with the processors'."""
        mine, other, host = (self.result(s, case) for s in [s.name for s in self.sides] + ["host"])
        with self.lock:
            there = self.there.setdefault(case["id"], set())
            there.add(what)
            both = {"cards", "host"} <= there
        if what == "cards" and os.path.exists(mine) and os.path.exists(other):
            self.note(case, "same", mine, other, [other])
        elif what == "cards" and os.path.exists(other):
            os.remove(other)
        if both and os.path.exists(mine) and os.path.exists(host):
            self.note(case, "host", mine, host, [mine, host])

    def note(self, case, key, mine, other, spent):
        def noted(future):
            with self.lock:
                self.rows[case["id"]][key] = future.result() if not future.exception() else repr(future.exception())
                self.compared[case["id"]] = self.compared.get(case["id"], 0) + 1
                self.comparing -= 1
            for file in spent:
                # Ours is needed once more if the processors are faster than the cards.
                if file != mine or self.compared[case["id"]] == 2:
                    os.remove(file)
            self.save()
        with self.lock:
            self.comparing += 1
        self.differences.submit(difference, self.a.kit, mine, other).add_done_callback(noted)

    def on_host(self, cores):
        """Runs programs on some processors, the cards' next ones first; those that take long once more at the end."""
        while self.left() > 15:
            with self.lock:
                if not self.host_todo:
                    return
                program, limit = self.host_todo.pop(0)
            server, slow = None, False
            for case in self.programs[program]:
                if "host" in self.there.get(case["id"], ()) or self.left() < 10:
                    continue
                try:
                    if server is None:
                        pin = ["taskset", "-c", ",".join(map(str, cores))] if shutil.which("taskset") else []
                        server = Server(pin + [os.path.join(self.a.host, program), "--num-threads", str(len(cores))], self.log)
                        self.hosted.add(server)
                    calls = Calls(server, case["entry"], self.file(case), max(5, min(limit, self.left() - 5)))
                    micros = calls.call()
                    calls.store(self.result("host", case))
                    calls.close()
                    with self.lock:
                        self.host_us[case["id"]] = micros
                        self.host_errors.pop(case["id"], None)
                    self.arrived(case, "host")
                except (ServerError, OSError, StopIteration) as e:
                    with self.lock:
                        self.host_errors[case["id"]] = str(e) or repr(e)
                    slow = slow or str(e) == "timeout"
                    if server is not None:
                        server.kill()
                        server = None
            if server is not None:
                server.close()
                self.hosted.discard(server)
            if slow and limit < 100:
                with self.lock:
                    self.host_todo.append((program, 10 * limit))

    def run(self, cards):
        if self.a.jobs:
            self.warm(cards)
        todo = list(self.todo)

        def work(card):
            while True:
                with self.lock:
                    if not todo or self.left() < 20:
                        return
                    program = todo.pop(0)
                try:
                    self.program(program, card)
                except Exception as e:  # the other programs go on
                    self.say("%s: %r" % (program, e))

        # Two thirds of the processors for the results to compare with, the rest for what is timed.
        cores = sorted(os.sched_getaffinity(0))
        groups = max(1, min(6, len(cores) // 8))
        share = max(1, len(cores) * 2 // 3 // groups)
        self.host_todo = [(p, 12) for p in todo if self.a.host and os.path.exists(os.path.join(self.a.host, p))]
        hosting = [threading.Thread(target=self.on_host, args=(cores[-share * (i + 1):len(cores) - share * i],), daemon=True) for i in range(groups)]
        working = [threading.Thread(target=work, args=(card,), daemon=True) for card in cards]
        for t in hosting + working:
            t.start()
        for t in working:
            t.join()
        self.say("all timed")
        for t in hosting:
            t.join(max(0, self.left()))
        for case, error in self.host_errors.items():
            self.rows.get(case, {}).setdefault("host", error)
        for case, micros in self.host_us.items():
            self.rows.get(case, {}).setdefault("host_us", micros)
        while self.left() > 0 and self.comparing:
            time.sleep(0.2)
        self.save()

    def stop(self):
        """Ends the process, whatever is still being checked."""
        processes = list((self.differences._processes or {}).values())
        self.differences.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()
        for server in list(self.hosted):
            server.kill()
        sys.stdout.flush()
        os._exit(0)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("kit", "ours", "theirs", "inputs", "out"):
        ap.add_argument("--" + name, required=True)
    ap.add_argument("--host", default="", help="our executables for the host")
    ap.add_argument("--cards", default="0", help="as in CUDA_VISIBLE_DEVICES")
    ap.add_argument("--only", default=".", help="the cases that are wanted")
    ap.add_argument("--later", default="", help="cases that go last")
    ap.add_argument("--size", default="gpu")
    ap.add_argument("--budget", type=float, default=300, help="seconds for everything")
    ap.add_argument("--runs", type=int, default=100, help="calls in a round, at most")
    ap.add_argument("--seconds", type=float, default=1.0, help="for all calls of a side")
    ap.add_argument("--timeout", type=float, default=20, help="seconds that a call may take")
    ap.add_argument("--jobs", type=int, default=8, help="how many programs are started at a time for their caches; 0: none")
    ap.add_argument("--device", default="")
    a = ap.parse_args()
    sys.path.insert(0, a.kit)
    import cases
    os.makedirs(a.out, exist_ok=True)
    cache = os.path.join(a.inputs, "cache")
    os.makedirs(cache, exist_ok=True)
    sides = [Side("futharkc", a.ours, cache), Side("original", a.theirs, cache)]
    with open(os.path.join(a.out, "stderr.log"), "ab") as log:
        comparison = Comparison(a, cases, sides, log)
        comparison.run(a.cards.split(","))
        with open(os.path.join(a.out, "compare.md")) as f:
            print(f.read()[-700:])
        comparison.say("end")
        comparison.stop()


if __name__ == "__main__":
    main()
