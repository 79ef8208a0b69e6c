#!/usr/bin/env python3
"""Calls the entry points of large.fut on arrays of 5·10^9 elements, which stay on the device: large.py EXECUTABLE [ELEMENTS]."""
import os, struct, sys, tempfile
from compare import Server, ServerError

N = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000_000_000


def value(kind, shape, data):
    return b"b\x02" + bytes([len(shape)]) + kind.rjust(4).encode() + struct.pack("<%dq" % len(shape), *shape) + data


def main():
    folder = tempfile.mkdtemp()
    server, failed = Server([sys.argv[1]], sys.stderr), 0

    def put(name, kind, blob):
        file = os.path.join(folder, name)
        with open(file, "wb") as f:
            f.write(blob)
        server("restore", file, name, kind)

    def get(name):
        file = os.path.join(folder, "result")
        server("store", file, name)
        with open(file, "rb") as f:
            return f.read()

    def check(what, got, wanted):
        nonlocal failed
        failed += got != wanted
        print("%-40s %s" % (what, "ok" if got == wanted else "WRONG: %s, not %s" % (got, wanted)), flush=True)

    places = [0, 1, 2, 2**31 - 1, 2**31, 2**32 + 5, N - 1]
    places = [p for p in places if p < N]
    put("n", "i64", value("i64", [], struct.pack("<q", N)))
    put("is", "[]i64", value("i64", [len(places)], struct.pack("<%dq" % len(places), *places)))
    signed = lambda x: (x + 128) % 256 - 128
    at = lambda name: list(struct.unpack("<%db" % len(places), get(name)[-len(places):]))
    try:
        server("call", "made", "xs", "n", timeout=60)
        server("call", "total", "t", "xs", timeout=60)
        check("sum of %d elements" % N, struct.unpack("<q", get("t")[-8:])[0], sum(i % 3 for i in range(N % 3)) + N // 3 * 3)
        server("call", "at", "a", "xs", "is", timeout=60)
        check("elements", at("a"), [p % 3 for p in places])
        server("call", "sums", "ys", "xs", timeout=60)
        server("call", "at", "b", "ys", "is", timeout=60)
        check("elements of a scan", at("b"), [signed(p // 3 * 3 + (0, 1, 3)[p % 3]) for p in places])
        server("free", "ys")
        put("i", "i64", value("i64", [], struct.pack("<q", places[-2])))
        server("call", "changed", "zs", "xs", "i", timeout=60)
        server("call", "at", "c", "zs", "is", timeout=60)
        check("elements written", at("c"), [p % 3 for p in places[:-2]] + [100, 101])
        server("free", "zs")
        rows = N // 1000
        put("m", "i64", value("i64", [], struct.pack("<q", rows)))
        server("call", "transposed", "ts", "xs", "m", timeout=60)
        server("call", "at", "d", "ts", "is", timeout=60)
        check("elements of a transpose", at("d"), [(p % rows * 1000 + p // rows) % 3 for p in places])
        try:
            file = os.path.join(folder, "all")
            server("store", file, "xs", timeout=60)
            check("bytes of a file with all elements", os.path.getsize(file), N + 15)
            os.remove(file)
        except ServerError as e:
            print("as one file: " + str(e)[:200])
    except ServerError as e:
        failed += 1
        print("failed: %s" % e)
    server.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
