"""Programs that run as servers."""

import keyword
import os
import shutil
import subprocess
import tempfile
import threading

from futharkc import data


class Error(Exception):
    """A failure of the compiler or of a program.

    backtrace: the positions in the source, innermost first; empty if unknown
    """

    def __init__(self, message, backtrace=""):
        super().__init__(message)
        self.backtrace = backtrace


class Opaque:
    """A value of a type without NumPy form. It stays in the program, which frees it when Python drops it.

    type: the name of the Futhark type
    """

    def __init__(self, program, name, type_name):
        self._program = program
        self._name = name
        self.type = type_name

    def __repr__(self):
        return f"<value of type {self.type}>"

    def __del__(self):
        self._program._free_later(self._name)

    def __getattr__(self, field):
        if field.startswith("_"):
            raise AttributeError(field)
        fields = self._program._fields(self.type)
        if field not in fields:
            raise AttributeError(f"{self.type} has no field {field}")
        return self._program._project(self, field, fields[field])


def _memory_folder():
    return "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else None


def load(file, target="multicore", device=None, options=(), compiler=None):
    """Compiles a program and starts it.

    file: a program, whose name ends in .fut, or an executable that futharkc has made
    target: multicore, c, opencl or cuda; no effect for executables
    device: a part of the device's name, or "#k" for the k-th device
    options: further options of the executable, such as "--num-threads=4"
    compiler: the command of the compiler, by default the variable FUTHARKC, or futharkc
    Raises Error if the program is wrong.
    """
    folder = tempfile.mkdtemp(prefix="futharkc-", dir=_memory_folder())
    try:
        executable = os.fspath(file)
        if executable.endswith(".fut"):
            source, executable = executable, os.path.join(folder, "program")
            command = compiler or os.environ.get("FUTHARKC", "futharkc")
            made = subprocess.run(
                [command, target, source, "-o", executable], capture_output=True, text=True, check=False
            )
            if made.returncode != 0:
                raise Error(made.stderr.strip() or made.stdout.strip())
        more = [] if device is None else ["--device", device]
        return Program([os.path.abspath(executable), "--server", *more, *options], folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


class Program:
    """A running program, with a method for each entry point.

    Arguments are NumPy arrays and scalars, values that convert to these without loss, tuples and dictionaries of
    these for tuples and records, and results of other calls. Arrays and scalars come back as NumPy values, tuples of these as tuples, all else as Opaque.
    Threads may share a program; calls run one at a time.
    """

    def __init__(self, command, folder):
        self._folder = folder
        self._lock = threading.RLock()
        self._count = 0
        self._dropped = []
        self._records = {}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        # The messages are read in a thread of their own, because a full pipe would stop the program.
        self._messages = []
        self._reader = threading.Thread(target=lambda: self._messages.extend(self._process.stderr), daemon=True)
        self._reader.start()
        try:
            self._answer()
            self.entry_points = self._command("entry_points")
            self._inputs = {e: self._command("inputs", e) for e in self.entry_points}
            self._outputs = {e: self._command("outputs", e)[0] for e in self.entry_points}
        except BaseException:
            self.close()
            raise

    def __getattr__(self, name):
        if name.startswith("_") or name == "entry_points":
            raise AttributeError(name)
        entry = name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
        if entry not in self.entry_points:
            raise AttributeError(f"no entry point {name}; there are: {', '.join(self.entry_points)}")

        def call(*arguments):
            return self.call(entry, *arguments)

        call.__name__ = name
        return call

    def __dir__(self):
        return [*super().__dir__(), *self.entry_points]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def call(self, entry, *arguments):
        """Calls an entry point.

        Raises Error if the program fails, TypeError for arguments of wrong types.
        """
        with self._lock:
            if entry not in self.entry_points:
                raise AttributeError(f"no entry point {entry}")
            types = [t.lstrip("*") for t in self._inputs[entry]]
            if len(types) != len(arguments):
                raise TypeError(f"{entry} takes {len(types)} arguments, not {len(arguments)}")
            values, records = [], []
            names = [
                self._place(argument, type_name, f"argument {i + 1} of {entry}", values, records)
                for i, (argument, type_name) in enumerate(zip(arguments, types))
            ]
            temporary = [name for name, *_ in values + records]
            result, result_type = self._fresh(), self._outputs[entry].lstrip("*")
            is_data = data.primitive(result_type) is not None
            # All commands are sent at once: each wait for an answer would cost more than most calls.
            commands = []
            if values:
                with self._overwritten() as file:
                    for _, argument, type_name in values:
                        data.write(file, argument, type_name)
                    file.truncate()
                variables = [word for name, _, type_name in values for word in (name, type_name)]
                commands.append(("restore", self._path(), *variables))
            commands += [("new", name, type_name, *parts) for name, type_name, parts in records]
            commands.append(("call", entry, result, *names))
            if temporary:
                commands.append(("free", *temporary))
            if is_data:
                commands += [("store", self._result_path(), result), ("free", result)]
            self._commands(commands)
            return self._read() if is_data else self._value(result, result_type)

    def _place(self, argument, type_name, what, values, records):
        """Names the variable of an argument.

        values, records: receive the variables to make first, of NumPy values and of records
        """
        if isinstance(argument, Opaque):
            if argument._program is not self:
                raise TypeError(f"{what} belongs to another program")
            return argument._name
        if data.primitive(type_name) is not None:
            values.append((self._fresh(), argument, type_name))
            return values[-1][0]
        fields = self._fields(type_name) if isinstance(argument, (tuple, dict)) else {}
        keys = argument.keys() if isinstance(argument, dict) else map(str, range(len(argument) if fields else 0))
        if not fields or set(keys) != set(fields):
            raise TypeError(f"{what} must be a value of type {type_name}")
        parts = argument if isinstance(argument, dict) else {str(i): part for i, part in enumerate(argument)}
        names = [self._place(parts[f], t, f"{what}, field {f},", values, records) for f, t in fields.items()]
        records.append((self._fresh(), type_name, names))
        return records[-1][0]

    def _value(self, name, type_name):
        """Converts a variable of the server to a Python value, and frees it unless the value keeps it."""
        if data.primitive(type_name) is not None:
            try:
                return self._store(name)
            finally:
                self._command("free", name)
        value = Opaque(self, name, type_name)
        fields = self._fields_of(name) if type_name.startswith("(") else {}
        if list(fields) == [str(i) for i in range(len(fields))] and fields:
            return tuple(self._project(value, f, t) for f, t in fields.items())
        return value

    def _project(self, value, field, type_name):
        with self._lock:
            part = self._fresh()
            self._command("project", part, value._name, field)
            return self._value(part, type_name)

    def _fields(self, type_name):
        """Returns the types of the fields of a record, by name; empty for other types."""
        if type_name not in self._records:
            try:
                lines = self._command("fields", type_name)
                self._records[type_name] = dict(line.split(" ", 1) for line in lines)
            except Error:
                self._records[type_name] = {}
        return self._records[type_name]

    def _fields_of(self, name):
        return self._fields(self._command("type", name)[0])

    def _fresh(self):
        self._count += 1
        return f"v{self._count}"

    # Two files, since a small result would otherwise give up the memory of large arguments.

    def _path(self):
        return os.path.join(self._folder, "arguments")

    def _result_path(self):
        return os.path.join(self._folder, "result")

    def _overwritten(self):
        """Opens the shared file without giving up its memory, which the next value needs again."""
        return open(os.open(self._path(), os.O_WRONLY | os.O_CREAT, 0o600), "wb")

    def _store(self, name):
        self._command("store", self._result_path(), name)
        return self._read()

    def _read(self):
        with open(self._result_path(), "rb") as file:
            return data.read(file)

    def _free_later(self, name):
        # A list, because Python may drop a value in the middle of a command.
        self._dropped.append(name)

    def _command(self, *words):
        """Runs a command and returns the lines of its answer."""
        return self._commands([words])[0]

    def _commands(self, commands):
        """Runs commands one after the other and returns the lines of each answer.

        Raises the first failure, after the answers to all commands.
        """
        with self._lock:
            dropped = []
            while self._dropped:
                dropped.append(self._dropped.pop())
            if dropped:
                commands = [("free", *dropped), *commands]
            if self._process.poll() is not None:
                raise Error(self._ending())
            try:
                self._process.stdin.write("".join(" ".join(map(_quoted, words)) + "\n" for words in commands))
                self._process.stdin.flush()
            except BrokenPipeError:
                raise Error(self._ending()) from None
            answers, failure = [], None
            for _ in commands:
                try:
                    answers.append(self._answer())
                except Error as error:
                    failure = failure or error
                    answers.append([])
            if failure is not None:
                raise failure
            return answers[1:] if dropped else answers

    def _answer(self):
        lines, failure = [], None
        for line in self._process.stdout:
            line = line.rstrip("\n")
            if line == "%%% OK":
                if failure is not None:
                    text = "\n".join(lines[failure:]).strip()
                    message, _, backtrace = text.partition("\n\nBacktrace:\n")
                    raise Error(message.removeprefix("Error: "), backtrace)
                return lines
            if line == "%%% FAILURE":
                failure = len(lines)
            else:
                lines.append(line)
        raise Error(self._ending())

    def _ending(self):
        self._reader.join(1)
        return "The program has ended. " + "".join(self._messages).strip()

    def close(self):
        """Ends the program."""
        process = self.__dict__.get("_process")
        if process is not None:
            process.stdin.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()
            self._reader.join(1)
            process.stderr.close()
            del self._process
        shutil.rmtree(self.__dict__.get("_folder", ""), ignore_errors=True)


def _quoted(word):
    return '"' + word + '"' if " " in word else word
