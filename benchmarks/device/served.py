"""A client of compiled programs that run as servers: see compare.py."""
import itertools, os, re, select, subprocess, time

OK, FAILURE = "%%% OK", "%%% FAILURE"


class ServerError(Exception):
    pass


class Server:
    """An executable that runs as a server."""

    def __init__(self, command, log, env=None, timeout=120):
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
        try:
            self.process.stdin.write((" ".join(words) + "\n").encode())
            self.process.stdin.flush()
        except OSError as e:
            self.kill()
            raise ServerError("ended with status %s" % self.process.returncode) from e
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


def quoted(word):
    return '"%s"' % word if " " in word else word


def outputs(server, entry):
    """Returns the types of the results; a server reports either several results, or one that may be a tuple."""
    try:
        return server("outputs", entry), False
    except ServerError:
        return server("output", entry), True


def components(server, name, kind):
    """Unpacks a tuple; returns the names of variables whose values have an external form."""
    try:
        fields = server("fields", quoted(kind))
    except ServerError:
        return [name]
    names = []
    for i, field in enumerate(fields):
        part, of = "%s_%d" % (name, i), field.split(" ", 1)
        server("project", part, name, of[0])
        names += components(server, part, of[1] if len(of) > 1 else "")
    return names


class Calls:
    """The calls of one case on a server, which keeps the inputs. Consumed arguments are loaded again for each call."""

    numbers = itertools.count()

    def __init__(self, server, entry, file, timeout=20):
        self.server, self.entry, self.file, self.timeout = server, entry, file, timeout
        self.number = next(Calls.numbers)
        self.types = server("inputs", entry)
        self.kinds, self.single = outputs(server, entry)
        self.reloads = any(t.startswith("*") for t in self.types)
        try:
            server("clear")
        except ServerError:
            pass
        self.loads, self.names, self.results, self.called = 0, [], [], False
        self.load()

    def load(self):
        self.loads += 1
        names = ["in%d_%d_%d" % (self.number, self.loads, i) for i in range(len(self.types))]
        words = [w for name, t in zip(names, self.types) for w in (name, quoted(t.lstrip("*")))]
        if names:
            self.server("restore", self.file, *words, timeout=90)
        self.names = names

    def forget(self):
        if self.results:
            self.server("free", *self.results)
            self.results = []

    def call(self):
        """Returns the time in µs that the server reports."""
        self.forget()
        if self.reloads and self.called:
            self.server("free", *self.names)
            self.load()
        self.called = True
        results = ["out%d_%d" % (self.number, i) for i in range(len(self.kinds))]
        lines = self.server("call", self.entry, *results, *self.names, timeout=self.timeout)
        self.results = results
        return next(int(line.split(":")[1]) for line in lines if line.startswith("runtime:"))

    def peak(self):
        """Returns the peak device memory in bytes since the inputs were loaded; None if the server does not report it."""
        text = " ".join(self.server("report"))
        found = re.findall(r"space 'device'\"?: *\"?(\d+)", text) or re.findall(r"\"(?:device|default space)\": *(\d+)", text)
        return int(found[-1]) if found else None

    def store(self, file):
        """Writes the results of the last call."""
        stored = list(self.results)
        if self.single:
            stored = components(self.server, self.results[0], self.kinds[0].lstrip("*"))
        self.server("store", file, *stored, timeout=90)
        self.results = list(dict.fromkeys(stored + self.results))

    def close(self):
        self.forget()
        if self.names:
            self.server("free", *self.names)
