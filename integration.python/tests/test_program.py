"""Tests of calls. FUTHARKC_TESTS names a folder with the executables of shapes.fut, folds.fut and pairs.fut."""

import gc
import io
import os
import stat
import tempfile
import threading
import time
import unittest

import numpy as np

import futharkc
from futharkc import data

FOLDER = os.environ["FUTHARKC_TESTS"]


class ProgramTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shapes = futharkc.load(os.path.join(FOLDER, "shapes"))

    @classmethod
    def tearDownClass(cls):
        cls.shapes.close()

    def test_arrays(self):
        scaled = self.shapes.scale(2, np.array([1.0, 2.5]))
        self.assertEqual(scaled.dtype, np.float64)
        np.testing.assert_array_equal(scaled, [2, 5])
        np.testing.assert_array_equal(self.shapes.scale(2.5, [2, 4]), [5, 10])
        table = np.arange(6, dtype=np.int32).reshape(2, 3)
        np.testing.assert_array_equal(self.shapes.transposed(table), table.T)
        np.testing.assert_array_equal(self.shapes.transposed(table.T), table)
        self.assertEqual(self.shapes.transposed(np.zeros((0, 3), np.int32)).shape, (3, 0))
        np.testing.assert_array_equal(self.shapes.flags(3), [True, False, True])

    def test_consumed_arguments_keep_their_values(self):
        xs = np.array([1, 2], np.int32)
        np.testing.assert_array_equal(self.shapes.incremented(xs), [2, 2])
        np.testing.assert_array_equal(xs, [1, 2])

    def test_scalars_and_tuples(self):
        self.assertEqual(self.shapes.divmod(7, 2), (3, 1))
        self.assertEqual(self.shapes.class_(np.uint8(3), [True]), 203)
        total, halves = self.shapes.half(np.float16(1), np.array([2], np.float16))
        self.assertEqual((total, halves.dtype), (3, np.float16))

    def test_opaque_values(self):
        grid = self.shapes.grid(2)
        self.assertEqual(grid.type, "[][]point")
        counter = self.shapes.new_counter(4)
        self.assertEqual(self.shapes.counter_value(counter), 7)
        with self.assertRaises(TypeError):
            self.shapes.counter_value(3)
        with futharkc.load(os.path.join(FOLDER, "folds")) as folds:
            self.assertEqual(folds.one().a, 1)
            with self.assertRaises(AttributeError):
                _ = folds.one().z
            with self.assertRaises(TypeError):
                folds.join(counter, counter)
            product = folds.join(folds.one(), folds.one())
            self.assertEqual((product.a, product.b), (1, 0))

    def test_dropped_values_are_freed(self):
        for _ in range(50):
            self.shapes.new_counter(4)
        gc.collect()
        self.shapes.divmod(1, 1)
        self.assertLessEqual(len(self.shapes._dropped), 1)

    def test_errors(self):
        with self.assertRaises(futharkc.Error) as caught:
            self.shapes.call("close", np.zeros(2, np.int32))
        self.assertEqual(str(caught.exception), "Index [10] out of bounds for array of shape [2].")
        self.assertIn("shapes.fut:", caught.exception.backtrace)
        with self.assertRaises(AttributeError):
            self.shapes.nothing()
        with self.assertRaises(TypeError):
            self.shapes.divmod(1)
        for wrong in ([1.5], np.zeros((1, 1)), 3):
            with self.assertRaises(TypeError):
                self.shapes.same(wrong)
        for wrong in (2**31, 1.5, True):
            with self.assertRaises(TypeError):
                self.shapes.divmod(wrong, 1)
        self.assertEqual(self.shapes.divmod(7, 2), (3, 1))

    def test_tuples_and_records_as_arguments(self):
        with futharkc.load(os.path.join(FOLDER, "pairs")) as pairs:
            self.assertEqual(pairs.neighbours(np.int32(42)), (41, 43))
            self.assertEqual(pairs.difference(pairs.neighbours(np.int32(1337))), 2)
            (x, ys), z = pairs.nested(3)
            self.assertEqual((x, ys.tolist(), z), (3, [3, 3], 6))
            self.assertEqual(pairs.flattened(pairs.nested(3)).tolist(), [3, 3, 3, 6])
            self.assertEqual(pairs.added({"values": [1, 2], "name": 1}, pairs.counted(2)).tolist(), [1, 3])
            for wrong in ((1, 2, 3), (1,), {"x": 1}, 3):
                with self.assertRaises(TypeError):
                    pairs.difference(wrong)
            with self.assertRaises(futharkc.Error):
                pairs.flattened(((1, np.arange(3, dtype=np.int32)), 4))
            ys = np.array([2, 3], np.int32)
            self.assertEqual(pairs.flattened(((1, ys), 4)).tolist(), [1, 2, 3, 4])

    def test_sizes_of_records_are_checked(self):
        with futharkc.load(os.path.join(FOLDER, "pairs")) as pairs:
            one, many = pairs.counted(1), pairs.counted(1000)
            self.assertEqual(pairs.added(one, one).tolist(), [0])
            with self.assertRaisesRegex(futharkc.Error, "invalid|size"):
                pairs.added(one, many)
            self.assertEqual(len(pairs.added(many, many)), 1000)

    def test_an_error_does_not_last(self):
        with futharkc.load(os.path.join(FOLDER, "pairs")) as pairs:
            xs = np.array([1, 2, 3], np.float32)
            with self.assertRaisesRegex(futharkc.Error, r"Index \[-1\] out of bounds"):
                pairs.chosen(xs, np.array([-1], np.int32))
            self.assertEqual(pairs.chosen(xs, np.array([0], np.int32)).tolist(), [1])

    def test_threads(self):
        results = []
        threads = [
            threading.Thread(target=lambda i=i: results.append(self.shapes.divmod(i, 1)[0] == i)) for i in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [True] * 8)

    def test_closed_programs(self):
        program = futharkc.load(os.path.join(FOLDER, "folds"), options=["--num-threads=1"])
        folder = program._folder
        self.assertTrue(os.path.isdir(folder))
        program.close()
        program.close()
        self.assertFalse(os.path.isdir(folder))
        with self.assertRaises(futharkc.Error):
            futharkc.load(os.path.join(FOLDER, "folds"), options=["--no-such-option"])

    def test_compiler(self):
        with tempfile.TemporaryDirectory() as folder:
            compiler = os.path.join(folder, "compiler")
            with open(compiler, "w") as script:
                script.write(f'#!/bin/sh\n[ "$1" = c ] || {{ echo wrong >&2; exit 2; }}\ncp {FOLDER}/folds "$4"\n')
            os.chmod(compiler, stat.S_IRWXU)
            with futharkc.load("any.fut", target="c", compiler=compiler) as program:
                self.assertEqual(program.sum(np.array([1, 2])), 3)
            with self.assertRaisesRegex(futharkc.Error, "wrong"):
                futharkc.load("any.fut", compiler=compiler)

    def test_a_megabyte_takes_little_time(self):
        xs = np.arange(131072, dtype=np.float64)
        times = []
        for _ in range(20):
            start = time.perf_counter()
            self.shapes.scale(2.0, xs)
            times.append(time.perf_counter() - start)
        print(f"call with 1 MB in and out: {1000 * min(times):.2f} ms")


class DataTest(unittest.TestCase):
    def test_values_survive(self):
        for name in ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64", "bool"):
            element = data.dtype(name)
            for value in (np.ones((), element), np.ones((2, 3), element), np.ones((0, 2), element)):
                file = io.BytesIO()
                data.write(file, value, "[]" * value.ndim + name)
                file.seek(0)
                read = data.read(file)
                self.assertEqual(read.dtype, element)
                np.testing.assert_array_equal(read, value)

    def test_other_types(self):
        self.assertIsNone(data.primitive("point"))
        self.assertIsNone(data.primitive("[](i32, i32)"))
        with self.assertRaises(ValueError):
            data.read(io.BytesIO(b"text"))


if __name__ == "__main__":
    unittest.main()
