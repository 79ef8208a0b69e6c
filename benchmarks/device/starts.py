#!/usr/bin/env python3
"""Measures the starts of server programs, up to their first answer, alternately: starts.py ROUNDS NAME=COMMAND...

The first start of each program fills its cache. No round begins after LIMIT seconds (an environment variable). For programs
whose names begin with 'futharkc', the output also has the times at which important classes are loaded. With first=FILE in
place of ROUNDS, measures the start and the first call of main on the values in the file, without a cache.
"""
import os, re, shlex, shutil, statistics, subprocess, sys, tempfile, time
from served import Calls, Server, ServerError

MARKS = (("main", r"ExecutableMain "), ("device's thread", r"runtime\.(Cuda|OpenCl)Api "), ("binding", r"(JCudaDriver|jocl\.CL) "),
         ("devices known", r"device\.DeviceInfo "), ("driver open", r"runtime\.(Cuda|OpenCl)Driver "), ("pool", r"device\.BufferPool "),
         ("functions bound from", r"(Cuda|OpenCl)Functions "), ("server", r"executable\.Server "), ("kernels", r"device\.KernelProgram "),
         ("binaries", r"device\.BinaryCache "), ("failures", r"device\.FailureWord "))


def start(command, env=None):
    server = Server(shlex.split(command), subprocess.DEVNULL, env)
    server.close()
    return server.start_seconds


def timeline(command, log):
    if os.path.exists(log):
        os.remove(log)
    start(command, dict(os.environ, FUTHARKC_PROGRAM_OPTS="-Xlog:class+load:file=%s:uptime" % log))
    found = []
    with open(log) as f:
        for line in f:
            for name, pattern in MARKS:
                if re.search(pattern, line):
                    found.append("%s %s" % (name, line[1:line.index("]")]))
    return ", ".join(found)


def first_call(name, command, file):
    folder = tempfile.mkdtemp()
    began = time.monotonic()
    try:
        server = Server(shlex.split(command), subprocess.DEVNULL, dict(os.environ, FUTHARKC_CACHE=folder))
        calls = Calls(server, "main", file, 120)
        loaded = time.monotonic()
        calls.call()
        print("%-34s with no cache: start %.2f s, first call %.2f s, both and the input %.2f s, second call %d us" % (
            name, server.start_seconds, time.monotonic() - loaded, time.monotonic() - began, calls.call()), flush=True)
        server.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    if sys.argv[1].startswith("first="):
        for program in sys.argv[2:]:
            name, command = program.split("=", 1)
            try:
                first_call(name, command, sys.argv[1][len("first="):])
            except (ServerError, OSError, StopIteration) as e:
                print("%s: %s" % (name, e))
        return
    rounds = int(sys.argv[1])
    programs = dict(p.split("=", 1) for p in sys.argv[2:])
    times = {}
    began, limit = time.monotonic(), float(os.environ.get("LIMIT", 3600)) * 0.8
    for r in range(rounds + 1):
        if r > 1 and (time.monotonic() - began) * (r + 1) / r > limit:
            break
        for name, command in programs.items():
            try:
                seconds = start(command)
            except (ServerError, OSError) as e:
                print("%s: %s" % (name, e))
                continue
            if r:
                times.setdefault(name, []).append(seconds)
            else:
                print("%-34s first start %.2f s" % (name, seconds), flush=True)
    for name, t in times.items():
        print("%-34s median of %d starts %.3f s, least %.3f s" % (name, len(t), statistics.median(t), min(t)))
    for name, command in programs.items():
        if name.startswith("futharkc"):
            print("%s, when classes were loaded: %s" % (name, timeline(command, "/tmp/classes-%d.log" % os.getpid())), flush=True)


if __name__ == "__main__":
    main()
