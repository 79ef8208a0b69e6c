#!/usr/bin/env python3
"""Compares the times and results of two compilers' programs on devices, and the results with those of the host's processors.

Both sides are executables with --server, so that inputs and results stay on the device, and a case needs no new process. Both
sides of a program run on the same device. For each case both load the inputs, make a first call, and then take turns in rounds
of calls. The first call of a round is not counted, since the device may have to switch contexts. Several devices run different
programs concurrently.

    compare.py --kit KIT --ours DIR --theirs DIR --inputs DIR --out DIR [--host DIR] [--cards 0,1] [--only REGEX]
               [--later REGEX] [--budget SECONDS] [--resume FILE...] [--known FILE...] [--needs]

KIT has cases.py (the cases, and the names of their inputs and executables) and futdata.py (Futhark's binary format).
HOST has our executables for the host's processors, whose results are the reference; they run on separate processors.
OUT/compare.json and OUT/compare.md (the table) are rewritten after every program, so that an interrupted run keeps its
results. Cases that take over 1.5 times as long run once more with -P at the end, for OUT/profile.md.

RESUME is the compare.json of earlier runs. Its rows are kept, and its measured cases are not measured again; a case without
a comparison with the processors is called once more. KNOWN only affects the order: cases that are missing there, or took over
1.5 times as long, come first. --needs prints the requirements of a run ('ours PROGRAM', 'theirs PROGRAM', 'host PROGRAM',
'cases COUNT', 'only REGEX') and exits.
"""
import argparse, concurrent.futures, json, math, multiprocessing, os, re, shutil, statistics, subprocess, sys, threading, time
from served import Calls, Server, ServerError

ROUNDS, OVER = 3, 1.5


class Side:
    """One of the two compilers, with the folder of its executables and the command that starts them."""

    def __init__(self, name, folder, cache):
        self.name, self.folder, self.cache, self.pin = name, folder, cache, []

    def exists(self, program):
        return os.path.exists(os.path.join(self.folder, program))

    def server(self, program, log, card, *more):
        if not self.exists(program):
            raise ServerError("does not compile")
        # Both sides compile all kernels at the first start, so that no call includes a compilation.
        command = self.pin + [os.path.join(self.folder, program), *more, "--cache-file", os.path.join(self.cache, self.name + "-" + program)]
        return Server(command, log, dict(os.environ, CUDA_VISIBLE_DEVICES=card))


def take_turns(calls, a):
    """Returns the times of each side in microseconds: (first call, later calls)."""
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
    """Returns the difference between two files of values; 'same' if there is none."""
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
    """Makes a profiled call; returns its µs and the server's report."""
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
    """Returns the totals of a report by kernel, the longest first: ((name, source position), [launches, µs, bytes])."""
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


def timed(row, sides):
    """Tests whether a case needs no more calls on the cards: it was measured on both sides, or tried twice."""
    mine, other = (row.get(s.name, {}) for s in sides)
    return "median_us" in mine and "median_us" in other or row.get("tries", 0) > 1


def settled(row):
    """Tests whether our result has been compared with that of the processors."""
    return row.get("host", "").startswith(("same", "value", "1", "2", "3"))


def merged(files):
    """Merges the rows of several runs; rows with more measurements take precedence."""
    rows, starts = {}, {}
    for file in files:
        if not os.path.exists(file):
            continue
        with open(file) as f:
            run = json.load(f)
        for case, row in run["cases"].items():
            old = rows.get(case, {})
            figures = any("median_us" in side for side in row.values() if isinstance(side, dict))
            # Later times replace others; a comparison with the processors stays until there is another.
            rows[case] = {**row, **old, **(row if figures else {})}
            for source in (old, row):
                if settled(source):
                    rows[case].update((k, source[k]) for k in ("host", "host_us") if k in source)
        starts.update(run.get("starts", {}))
    return rows, starts


def table(rows, order, sides, starts, device):
    ours, theirs = (s.name for s in sides)
    text = ["Times of one call in µs, median after the first; peak of device memory in MB, inputs included. %s.\n" % device,
            "| program | case | %s | %s | ratio | first | first | peak | peak | beside | multicore |" % (ours, theirs),
            "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |"]
    ratios, over, wrong, checked, open_ = [], 0, 0, 0, 0
    for case in order:
        if case not in rows:
            continue
        row = rows[case]
        program, entry, name = case.split(":")
        mine, other = row.get(ours, {}), row.get(theirs, {})
        r = ratio(row, ours, theirs)
        same, right = row.get("same", ""), row.get("host", "")
        checked += right == "same"
        if not same and not right:
            open_ += 1
        elif "same" not in (same, right):
            wrong += 1
        if r is not None and (not same or "same" in (same, right)):
            ratios.append(r)
            over += r > 2
        cell = lambda x, k: "%.0f" % x[k] if k in x else x.get("error", "")[:80].replace("|", "/") if k == "median_us" else ""
        text.append("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |" % (
            program, name if entry == "main" else entry + " " + name, cell(mine, "median_us"), cell(other, "median_us"),
            "" if r is None else "%.2f" % r, cell(mine, "first_us"), cell(other, "first_us"), mb(mine), mb(other),
            same[:100].replace("|", "/"), right[:100].replace("|", "/")))
    text.append("\nGeometric mean of the ratios: %.3f over %d cases; %d of them over 2; %d results as multicore's; %d as neither's; %d not compared."
                % (mean(ratios), len(ratios), over, checked, wrong, open_))
    for s in sides:
        seconds = starts.get(s.name + " with kernels in the cache")
        if seconds:
            text.append("Start to the first answer with kernels in the cache, %s: median %.2f s, most %.2f s." % (s.name, statistics.median(seconds), max(seconds)))
    return "\n".join(text) + "\n"


class Comparison:
    """A run: the cases to measure, and the results so far."""

    def __init__(self, a, cases, sides, log):
        self.a, self.cases, self.sides, self.log = a, cases, sides, log
        self.began = time.monotonic()
        self.lock = threading.Lock()
        self.rows, self.starts = merged(a.resume)
        self.known = {**merged(a.known)[0], **self.rows}
        self.all = cases.select(a.size, a.only)
        self.rows = {c["id"]: self.rows[c["id"]] for c in self.all if c["id"] in self.rows}
        self.results = os.path.join(a.inputs, "results")
        self.host_us, self.host_errors, self.comparing, self.spent = {}, {}, 0, {}
        self.timing, self.hosted = True, set()
        self.todo = self.programs(lambda c: not timed(self.row(c), sides) or self.lacks(c) and not os.path.exists(self.result(sides[0].name, c)))
        self.host_todo = [(p, cs, 20) for p, cs in self.programs(lambda c: self.lacks(c) and not self.long(c))]
        self.host_todo += [(p, cs, 200) for p, cs in self.programs(lambda c: self.lacks(c) and self.long(c))]

    def row(self, case):
        return self.rows.get(case["id"], {})

    def lacks(self, case):
        """Tests whether the case needs a comparison with the processors."""
        return bool(self.a.host) and not settled(self.row(case))

    def long(self, case):
        """Tests whether the processors took long for the case in an earlier run."""
        row = self.known.get(case["id"], {})
        return row.get("host_us", 0) > 1.5e7 or row.get("host") == "timeout"

    def programs(self, wanted):
        """Returns the programs with their remaining cases: the most valuable ones first, then the quickest to load."""
        found = {}
        for c in self.all:
            if wanted(c):
                found.setdefault(self.cases.exe_name(c["program"]), []).append(c)
        names = [s.name for s in self.sides]

        def rank(item):
            ratios = [ratio(self.known.get(c["id"], {}), *names) for c in item[1]]
            late = bool(self.a.later) and all(re.search(self.a.later, c["id"]) for c in item[1])
            return late, not any(r is None or r > OVER for r in ratios), sum(map(self.size, item[1]))
        return sorted(found.items(), key=rank)

    def to_explain(self):
        """Returns the slow cases without a profile: (ratio, case), the slowest first."""
        names = [s.name for s in self.sides]
        found = [(ratio(self.row(c), *names), c) for c in self.all if not self.row(c).get("profiled")]
        return sorted(((r, c) for r, c in found if r is not None and r > self.a.over), key=lambda rc: -rc[0])

    def needs(self):
        """Returns the requirements of this run as lines."""
        files = {self.cases.exe_name(c["program"]): c["program"] for c in self.all}
        lines = ["ours " + files[p] for p, _ in self.todo]
        lines += ["theirs " + files[p] for p, cs in self.todo if not all(timed(self.row(c), self.sides) for c in cs)]
        lines += ["host " + files[p] for p in dict.fromkeys(p for p, _, _ in self.host_todo)]
        slow = [c for _, c in self.to_explain()]
        lines += [side + c["program"] for c in slow for side in ("ours ", "theirs ")]
        wanted = {c["id"] for c in slow} | {c["id"] for _, cs in self.todo for c in cs} | {c["id"] for _, cs, _ in self.host_todo for c in cs}
        return sorted(set(lines), key=lines.index) + ["cases %d" % len(wanted), "only ^(%s)$" % "|".join(map(re.escape, sorted(wanted)))]

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

    def side_by_side(self, work):
        """Runs an action for both sides concurrently."""
        threads = [threading.Thread(target=work, args=(side,)) for side in self.sides]
        for t in threads:
            t.start()
        for t in threads:
            t.join()

    def case(self, case, servers, program, card):
        """Measures a case on the running servers of both sides; drops servers that fail."""
        row, calls = {s.name: {} for s in self.sides}, {}

        def guarded(side, work):
            try:
                if servers.get(side.name) is None:
                    servers[side.name] = side.server(program, self.log, card)
                    with self.lock:
                        self.starts.setdefault(side.name + " with kernels in the cache", []).append(servers[side.name].start_seconds)
                return work()
            except (ServerError, OSError, ValueError, IndexError, StopIteration) as e:
                row[side.name]["error"] = str(e) or repr(e)
                calls.pop(side.name, None)
                if servers.get(side.name) is not None:
                    servers[side.name].kill()
                    servers[side.name] = None

        def load(side):
            loaded = guarded(side, lambda: Calls(servers[side.name], case["entry"], self.file(case), self.a.timeout))
            if loaded is not None:
                calls[side.name] = loaded

        self.side_by_side(load)
        order = [s.name for s in self.sides if s.name in calls]
        try:
            times = take_turns([calls[n] for n in order], self.a) if calls else []
        except (ServerError, OSError, StopIteration):
            # One of them failed: each by itself, so that the other has its figures.
            times, order = [], []
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
                    order.append(side.name)
        figures = dict(zip(order, times))

        def finish(side):
            if side.name not in figures:
                return
            first, runs = figures[side.name]
            c = calls[side.name]
            row[side.name].update(first_us=first, runs_us=runs, median_us=statistics.median(runs), least_us=min(runs), peak_bytes=c.peak())
            self.stored(c, side.name, case)
            c.close()
        self.side_by_side(lambda side: guarded(side, lambda: finish(side)))
        return row

    def stored(self, calls, side, case):
        calls.store(self.result(side, case) + ".part")
        os.replace(self.result(side, case) + ".part", self.result(side, case))

    def once_more(self, case, servers, program, card):
        """Calls a measured case once more, for its result only."""
        name = self.sides[0].name
        try:
            if servers.get(name) is None:
                servers[name] = self.sides[0].server(program, self.log, card)
            calls = Calls(servers[name], case["entry"], self.file(case), self.a.timeout)
            calls.call()
            self.stored(calls, name, case)
            calls.close()
        except (ServerError, OSError, StopIteration) as e:
            self.say("%s, once more: %s" % (case["id"], e))
            servers[name] = None

    def program(self, program, todo, card):
        """Measures all cases of a program on one card."""
        servers = {}
        for case in todo:
            if self.left() < 10:
                break
            if timed(self.row(case), self.sides):
                self.once_more(case, servers, program, card)
            else:
                old, row = self.row(case), self.case(case, servers, program, card)
                with self.lock:
                    self.rows[case["id"]] = {**{k: old[k] for k in ("host", "host_us", "same") if k in old}, **row, "tries": old.get("tries", 0) + 1}
            self.arrived(case)
        for server in servers.values():
            if server is not None:
                server.close()
        self.save()
        self.say("  ".join("%s %s" % (c["id"].split(":", 1)[1], " / ".join(str(self.row(c).get(s.name, {}).get("median_us", "-")) for s in self.sides))
                           for c in todo if c["id"] in self.rows) + "  " + program)

    def explain(self, r, case, card):
        ours, theirs, program = *self.sides, self.cases.exe_name(case["program"])
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
            self.rows[case["id"]]["profiled"] = True

    def arrived(self, case):
        """Compares results as soon as they are complete: those of both sides, and ours with those of the processors."""
        mine, other, host = (self.result(s, case) for s in [s.name for s in self.sides] + ["host"])
        pairs = []
        with self.lock:
            taken = self.spent.setdefault(case["id"], set())
            if "same" not in taken and os.path.exists(mine) and os.path.exists(other):
                pairs.append(("same", other))
            if "host" not in taken and os.path.exists(mine) and os.path.exists(host) and not settled(self.row(case)):
                pairs.append(("host", host))
            taken.update(key for key, _ in pairs)
            self.comparing += len(pairs)
        for key, file in pairs:
            self.differences.submit(difference, self.a.kit, mine, file).add_done_callback(lambda f, key=key, file=file: self.noted(case, key, file, mine, f))

    def noted(self, case, key, file, mine, future):
        with self.lock:
            row = self.rows.setdefault(case["id"], {})
            row[key] = future.result() if not future.exception() else repr(future.exception())
            self.spent[case["id"]].discard(key)
            os.remove(file)
            # Ours is needed until both have been compared with it.
            if os.path.exists(mine) and not self.spent[case["id"]] and (settled(row) or not self.a.host):
                os.remove(mine)
            self.comparing -= 1
        self.save()

    def cores(self, group, groups):
        """Returns the processors of a group that computes results; while cards are measured, the groups have two thirds of all."""
        share = max(1, (len(self.processors) * 2 // 3 if self.timing else len(self.processors)) // groups)
        return self.processors[len(self.processors) - share * (group + 1):len(self.processors) - share * group]

    def on_host(self, group, groups):
        """Runs programs on a group of processors, in the order of the cards; slow ones run again at the end."""
        while self.left() > 15:
            with self.lock:
                if not self.host_todo:
                    return
                program, todo, limit = self.host_todo.pop(0)
            server, slow = None, []
            for case in todo:
                if os.path.exists(self.result("host", case)) or not os.path.exists(os.path.join(self.a.host, program)):
                    self.arrived(case)
                    continue
                if self.left() < 10:
                    break
                try:
                    if server is None:
                        cores = self.cores(group, groups)
                        pin = ["taskset", "-c", ",".join(map(str, cores))] if shutil.which("taskset") else []
                        server = Server(pin + [os.path.join(self.a.host, program), "--num-threads", str(len(cores))], self.log)
                        self.hosted.add(server)
                    calls = Calls(server, case["entry"], self.file(case), max(5, min(limit, self.left() - 5)))
                    micros = calls.call()
                    self.stored(calls, "host", case)
                    calls.close()
                    with self.lock:
                        self.host_us[case["id"]] = micros
                        self.host_errors.pop(case["id"], None)
                    self.arrived(case)
                except (ServerError, OSError, StopIteration) as e:
                    with self.lock:
                        self.host_errors[case["id"]] = str(e) or repr(e)
                    if str(e) == "timeout" and limit < 100:
                        slow.append(case)
                    if server is not None:
                        server.kill()
                        server = None
            if server is not None:
                server.close()
                self.hosted.discard(server)
            if slow:
                with self.lock:
                    self.host_todo.append((program, slow, 200))

    def run(self, cards):
        os.makedirs(self.results, exist_ok=True)
        self.processors = sorted(os.sched_getaffinity(0))
        groups = max(1, min(6, len(self.processors) // 5)) if self.host_todo else 0
        others = self.processors[-(len(self.processors) * 2 // 3):] if groups else self.processors
        for s in self.sides:
            s.pin = ["taskset", "-c", ",".join(map(str, self.processors[:-len(others)]))] if groups and len(others) > 4 and shutil.which("taskset") else []
        self.differences = concurrent.futures.ProcessPoolExecutor(max(2, min(6, len(others) // 3)), multiprocessing.get_context("spawn"),
                                                                  os.sched_setaffinity, (0, others))
        for c in self.all:
            self.arrived(c)
        todo = list(self.todo)

        def work(card):
            while True:
                with self.lock:
                    if not todo or self.left() < 20:
                        return
                    program, cases = todo.pop(0)
                try:
                    self.program(program, cases, card)
                except Exception as e:  # the other programs go on
                    self.say("%s: %r" % (program, e))

        hosting = [threading.Thread(target=self.on_host, args=(i, groups), daemon=True) for i in range(groups)]
        working = [threading.Thread(target=work, args=(card,), daemon=True) for card in cards]
        for t in hosting + working:
            t.start()
        for t in working:
            t.join()
        self.say("all timed" if not todo else "%d programs not timed" % len(todo))
        for r, case in self.to_explain():
            if self.left() > 20:
                self.explain(r, case, cards[0])
        self.timing = False
        self.say("slow ones profiled")
        for t in hosting:
            t.join(max(0, self.left()))
        while self.left() > 0 and self.comparing:
            time.sleep(0.2)
        with self.lock:
            for case, error in self.host_errors.items():
                if not settled(self.rows.get(case, {})):
                    self.rows.setdefault(case, {})["host"] = error
            for case, micros in self.host_us.items():
                self.rows.setdefault(case, {})["host_us"] = micros
        self.save()

    def stop(self):
        """Ends the process without waiting for comparisons."""
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
    ap.add_argument("--resume", nargs="*", default=[], help="compare.json of earlier runs, the last one last")
    ap.add_argument("--known", nargs="*", default=[], help="compare.json of other runs, which say what is slow")
    ap.add_argument("--needs", action="store_true")
    ap.add_argument("--over", type=float, default=OVER, help="ratio over which a case is profiled")
    ap.add_argument("--device", default="")
    a = ap.parse_args()
    sys.path.insert(0, a.kit)
    import cases
    cache = os.path.join(a.inputs, "cache")
    sides = [Side("futharkc", a.ours, cache), Side("original", a.theirs, cache)]
    if a.needs:
        print("\n".join(Comparison(a, cases, sides, None).needs()))
        return
    for folder in (a.out, cache):
        os.makedirs(folder, exist_ok=True)
    with open(os.path.join(a.out, "stderr.log"), "ab") as log:
        comparison = Comparison(a, cases, sides, log)
        comparison.run(a.cards.split(","))
        with open(os.path.join(a.out, "compare.md")) as f:
            print(f.read()[-700:])
        comparison.say("end")
        comparison.stop()


if __name__ == "__main__":
    main()
