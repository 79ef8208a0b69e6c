package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Exp;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Metrics;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.TuningParameter;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Value;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests of the forms that flattening gives to each kind of nest, and of the results of flattened
 * programs.
 */
final class FlatteningRulesTest {
  private static final Compiler COMPILER = Compiler.create();

  /** The sizes for which programs run: rows and columns. */
  private static final int[][] SIZES = {{3, 4}, {1, 1}, {4, 4}, {0, 3}};

  /**
   * The thresholds that choose the outermost version, an intermediate one, and the innermost.
   * Kernels omit the intermediate one.
   */
  private static final long[] THRESHOLDS = {0, 4, 1 << 30};

  private static Source source(String body) {
    return Source.ofText(
        "rules.fut",
        "#[noinline] def sums [n] (xs: [n]i32) (k: i64) = map (+ i32.i64 k) (scan (+) 0 xs)\n"
            + "#[noinline] def upTo (k: i64) : []i64 = filter (> 1) (iota k)\n"
            + "entry main [n][m] (xss: [n][m]i32) (is: [n]i64) =\n  "
            + body);
  }

  /** Returns the program with kernels. */
  private static Ir kernels(Source source) {
    return COMPILER.optimise(source, CompilerOptions.DEFAULT, Rep.GPU_IMP).ir().program();
  }

  private static Program flattened(Source source) {
    return COMPILER.optimise(source, CompilerOptions.DEFAULT, Rep.GPU).program();
  }

  /** Returns arguments: integers from -9 to 9, and small counts. */
  private static List<Value> arguments(int rows, int columns) {
    int[] xss = new int[rows * columns];
    for (int i = 0; i < xss.length; i++) {
      xss[i] = i * 7 % 19 - 9;
    }
    long[] is = new long[rows];
    for (int i = 0; i < rows; i++) {
      is[i] = i * 3L % 5;
    }
    return List.of(
        new ArrayValue(ElemType.I32, new long[] {rows, columns}, xss),
        new ArrayValue(ElemType.I64, new long[] {rows}, is));
  }

  private static String result(Ir p, int[] size, Options options) {
    StringBuilder text = new StringBuilder();
    for (Value v : Interpreter.run(p, "main", arguments(size[0], size[1]), options)) {
      if (v instanceof ArrayValue a) {
        text.append(Arrays.toString(a.shape()));
        for (int i = 0; i < a.size(); i++) {
          text.append(" ").append(a.element(i));
        }
      } else {
        text.append(v);
      }
    }
    return text.toString();
  }

  private static void sameResults(Source source, Program flat) {
    Program start =
        COMPILER
            .optimise(source, CompilerOptions.DEFAULT.withPasses("none").withThreads(1), null)
            .program();
    Ir kernels = kernels(source);
    for (int[] size : SIZES) {
      String expected = result(start, size, Options.DEFAULT);
      for (long threshold : THRESHOLDS) {
        Options watched = Options.DEFAULT.withThreshold(threshold).withWatched(true);
        assertEquals(expected, result(flat, size, watched), "threshold " + threshold);
        if (size[0] != 3 || threshold == 4) {
          continue;
        }
        Options plain = Options.DEFAULT.withThreshold(threshold);
        assertEquals(expected, result(kernels, size, plain), "kernels, threshold " + threshold);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Single operations.
        "map2 (\\i xs -> i + length xs) is xss | SegMap 1",
        "i64.sum is | /SegRed 1",
        "scan (+) 0 is | /SegScan 1",
        // Maps of reductions and scans.
        "map (scan (+) 0) xss | SegScan 1, If 0",
        "map (\\xs -> i32.sum (map (+ i32.i64 (length xs)) xs)) xss | SegRed 1",
        "map (\\k -> i64.sum (map (+ 2) (iota k))) is"
            + " | /If/True/SegMap 1, /If/False/SegScan 1, /If/False/SegMap 2,"
            + " /If/False/Apply/segiota 1",
        "scan (map2 (+)) (replicate m 0) (map (scan (+) 0) xss) | /If/True/SegScan 1,"
            + " /If/False/SegScan 2",
        // Attributes.
        "map (\\xs -> let ys = map (\\x -> let zs = opaque (map (+ 2) (iota (1 + i64.i32 (i32.abs"
            + " x)))) in zs[0]) xs in i64.sum ys + last ([m] ++ ys)) xss | /If/True/SegMap 1,"
            + " /If/False/If/True/SegMap/SegRed 1",
        "#[flattening(only_inner)] map (\\xs -> i32.maximum (map (\\x -> i32.sum (map (+ x) xs))"
            + " xs)) xss | If 0",
        "#[flattening(no_outer)] map (\\xs -> i32.sum (scan (+) 0 xs)) xss"
            + " | /If/True/SegMap/SegScan 1, /If/False/SegScan 1, CmpSizeLe 1",
        "#[flattening(no_intra)] map (\\xs -> i32.sum (scan (+) 0 xs)) xss"
            + " | /If/True/SegMap/Loop 2, /If/False/SegScan 1, CmpSizeLe 1",
        "#[incremental_flattening(no_intra)] map (\\xs -> i32.sum (scan (+) 0 xs)) xss"
            + " | CmpSizeLe 1",
        "map (\\xs -> i32.sum (scan (+) 0 xs)) xss | CmpSizeLe 2",
        "#[flattening(only_intra)] map (\\xs -> i32.sum (scan (+) 0 xs)) xss"
            + " | If 0, /SegMap/SegScan 1",
        "#[sequential_inner] map (\\xs -> i32.sum xs) xss | /SegMap/Loop 1, If 0",
        "#[sequential_outer] map (\\xs -> i32.sum xs) xss | /Loop/SegRed 1",
        "#[flattening(only_inner)] #[sequential_inner] reduce (map2 (+)) (replicate m 0) xss"
            + " | SegRed 1, Loop 0",
        // A thread sums the row that it computes.
        "#[flattening(only_inner)] #[sequential_inner] reduce (map2 (+)) (replicate m 0) (map (scan"
            + " (+) 0) xss) | SegMap 1, /SegMap/Loop 1, SegRed 1",
        "#[sequential] map (\\xs -> scan (+) 0 xs) xss | SegMap 0, SegScan 0, SegRed 0",
        "#[flattening(sequentialise_nonuniform)] #[flattening(only_inner)] map (\\k -> i64.sum"
            + " (map (\\x -> x * k) (iota k))) is | SegMap 1, SegScan 0, SegRed 0",
        "map (\\xs -> i32.sum (map (+ xs[0]) xs)) xss | If 1, SegMap 1, SegRed 1",
        // A sequential computation of a thread is fused into the next operation.
        "i64.sum (scan (+) 0 (map (\\i -> loop i while i < 1000 do i * 2 + 1) (iota m))) |"
            + " /SegScan/Loop 1, Loop 1",
        // An update of a slice of the same size in every segment remains an update; others become
        // element writes.
        "#[flattening(only_inner)] map (\\xs -> let ys = copy xs in ys with [0:m / 2] = map (+ 1)"
            + " xs[0:m / 2]) xss | Update 1, WithAcc 0",
        "#[flattening(only_inner)] map2 (\\xs k -> let ys = copy xs let h = i64.min k m in ys with"
            + " [0:h] = map (+ 1) xs[0:h]) xss is | /WithAcc 1, Update 0",
        "#[flattening(only_inner)] map (\\xs -> scatter (copy xs) (map (\\x -> i64.i32 x) xs) xs)"
            + " xss | /WithAcc/SegMap 1",
        "#[flattening(only_inner)] map (\\k -> i64.sum (scan (+) 0 (iota k ++ replicate (k / 2)"
            + " k))) is | Concat 0",
        // Branches that update one accumulator: the second continues with the result of the first.
        "vjp (\\(ys: [m]f64) -> f64.sum (map (\\k -> if k % 2 == 0 then f64.sum (map (\\j -> ys[(k"
            + " + j) % m]) (iota k)) else f64.sum (map (\\j -> 3 * ys[k * j % m]) (iota (k + 1))))"
            + " is)) (map f64.i64 (iota m)) 1 | /WithAcc 1",
        // In a thread block: branches that all its threads take, loops, a scan and a reduction.
        "#[flattening(only_intra)] map2 (\\xs k -> if k > 1 then map (+ 1) xs else map (* 2) (scan"
            + " (+) 0 xs)) xss is | /SegMap/If/True/SegMap 1",
        "#[flattening(only_intra)] map (\\(xs: [m]i32) -> loop ys = xs for _i < 5 do map (\\j ->"
            + " ys[j] + ys[(j + 1) % m]) (iota m)) xss | /SegMap/Loop/SegMap 1",
        "#[flattening(only_intra)] map (\\xs -> let ys = scan (+) 0 xs in map (+ i32.maximum ys)"
            + " ys) xss | /SegMap/SegScan 1, /SegMap/SegRed 1",
        // Sizes that threads compute: in a loop, in a branch, from a thread's own array.
        "#[sequential_inner] map (\\k -> let (_, ks) = loop (c, ks) = (1, [k]) for _j < k do (c *"
            + " 2, ks ++ map (+ 1) ks) in i64.sum ks) is | /SegMap 1, SegScan 0",
        "#[sequential_inner] map (\\k -> let ks = scan (+) k (if k % 2 == 0 then iota k else"
            + " replicate (2 * k) k) in if k > 0 then ks[k - 1] else 0) is | /SegMap 1, SegScan 0",
        "#[sequential_inner] map2 (\\k xs -> let ks = scan (+) 0 (map (\\x -> i64.i32 x * k) xs)"
            + " let c = if m > 0 then ks[m - 1] % 5 + 5 else 1 in i64.sum (scan (+) 1 (replicate c"
            + " k))) is xss | /SegMap 1, SegScan 0",
        // All threads of a thread block have the result of a reduction, and take the same branch.
        "#[flattening(only_intra)] map (\\xs -> let (v, _) = reduce (\\(a, i) (b, j) -> if (a < b)"
            + " != (a == b && i < j) then (a, i) else (b, j)) (i32.highest, i64.highest) (zip xs"
            + " (iota m)) in if v < -2 then map (+ v) (scan (+) 0 xs) else xs) xss | /SegMap/If 1,"
            + " /If 0",
        // A slice needs no memory, whatever its size.
        "#[flattening(only_intra)] map (\\(xs: [m]i32) -> loop xs for i < 4 do map (\\j -> if j > i"
            + " then let k = i64.min m (i + 1) in #[sequential] i32.sum xs[:k] else xs[j]) (iota"
            + " m)) xss | /SegMap/Loop/SegMap 1",
        // Loops in maps.
        "#[flattening(only_inner)] map (\\xs -> loop xs for i < 4 do map (+ i32.sum xs) xs) xss"
            + " | /Loop/SegRed 1, /Loop/SegMap 1",
        "map2 (\\xs k -> loop xs for i < k do map (+ i32.sum xs) xs) xss is | WhileLoop 1",
        // Branches in maps.
        "#[flattening(only_inner)] map2 (\\xs k -> if k > 1 then i32.sum xs else 0) xss is"
            + " | SegRed 1, Apply/partition 1",
        // Irregular nests.
        "map (\\k -> i64.sum (map (\\x -> if x > 2 then i64.sum (iota x) else x) (iota k))) is | ",
        "map (\\k -> let ys = filter (> 2) (iota k) in i64.sum ys + length ys) is | ",
        "map (\\k -> let ys = loop ys = [] for i < k do ys ++ [i, k] in i64.sum ys * length ys) is"
            + " | ",
        "map (\\k -> i64.sum (if k > 2 then iota k else replicate (k + 1) k)) is | ",
        // Functions.
        "map2 (\\xs k -> i32.sum (sums xs k)) xss is | Apply 1",
        "map (\\k -> i64.sum (upTo k)) is | ",
        // Writes in maps.
        "map (\\xs -> scatter (copy xs) (map (\\x -> i64.i32 x) xs) xs) xss | WithAcc 1",
        "map (\\k -> i64.sum (scatter (replicate k 0) (map (\\i -> k - 1 - i) (iota k))"
            + " (map (* 3) (iota k)))) is | ",
        "map (\\k -> let n = k + 1 in i64.sum (reduce_by_index (replicate n 0) (+) 0 (map (% n)"
            + " (iota 9)) (iota 9))) is | ",
        // The buckets of a histogram need arrays of sizes known only in the bucket function.
        "reduce_by_index (replicate m 0) (+) 0 (map (\\k -> length (filter (> k) is)) is) is | ",
        // The result of a loop has a size that only the loop determines.
        "map (\\k -> let ys = loop ys = [] for i < k % 4 do ys ++ [i] in if length ys > 1 then"
            + " ys[0] + ys[1] else 0) is | ",
        // Histograms of arrays whose sizes vary between segments: the program counts their
        // elements.
        "map (\\k -> let ys = reduce_by_index (replicate (k + 1) (replicate m 0)) (map2 (+))"
            + " (replicate m 0) (map (% (k + 1)) is) xss in i32.sum (flatten ys)) is | ",
        // A scanned array with other uses, and a mapped array that the program overwrites.
        "let a = scan (map2 (*)) (replicate m 1) xss in (a, map2 (\\xs ys -> map2 (+) xs"
            + " (reverse ys)) xss a) | ",
        "map (map (\\x -> length (if m > 2 then [x] ++ [x] else []))) xss | ",
        // Operators on arrays that are not elementwise: the host reads and writes no element.
        "reduce (\\a b -> loop c = copy a for i < m do c with [i] = c[i] + b[i])"
            + " (replicate m 0) xss | /SegMap 2, /Loop 0",
        "scan (\\a b -> loop c = copy a for i < m do c with [i] = c[i] + b[i])"
            + " (replicate m 0) xss | /SegMap 3",
        // Arrays that grow in threads of reductions, scans and histograms.
        "(i64.sum (map (\\k -> #[sequential] (let a = loop a = [k] for i < k do a ++ a in i64.sum"
            + " a)) is), scan (+) 0 (map (\\k -> #[sequential] (let a = loop a = [k] for i < k do a"
            + " ++ map (+ 1) a in i64.sum a)) is)) | ",
        "reduce_by_index (replicate 5 0) (+) 0 is (map (\\k -> #[sequential] (let a = loop a = [(k,"
            + " true)] for i < k do a ++ map (\\(x, b) -> (x + i, !b)) a in i64.sum (map (\\(x, b)"
            + " -> if b then x else -1) a))) is) | ",
        // Operators on scalars that need temporary arrays of variable size.
        "reduce (\\a b -> let t = scan (+) 0 (replicate (m + 1) 1) in a + b * t[0]) 0 is | SegRed"
            + " 0, /SegMap 2",
        "map (\\xs -> scan (\\a b -> let t = scan (+) 0 (replicate (n + 1) 1) in a + b * t[0]) 0"
            + " xs) xss | SegScan 0",
        "reduce (\\a b -> let t = loop t = [a] for i < 3 do t ++ [i + b] in i64.sum t - 3 - 2 * b)"
            + " 0 is | SegRed 0, /SegMap 2",
        "(reduce_by_index (replicate m 0) (\\a b -> let t = scan (+) 0 (replicate (n + 1) 1) in a +"
            + " b * t[0]) 0 is is, reduce_by_index (replicate m (replicate m 0)) (\\a b -> scan"
            + " i32.max 0 (map2 i32.max a b)) (replicate m 0) is xss) | SegHist 0",
        // An operation indexes a slice of an array without a copy.
        "map (\\i -> let k = i64.min i (n - 1) in map (+ 1) xss[k, 0:m]) is | SegMap 2",
        "map (\\k -> i32.sum xss[k % n : k % n + 1, 0]) is | ",
        "map (\\k -> i64.sum is[k % n:]) is | ",
        // Sizes that depend only on a loop's index are equal in all segments.
        "#[flattening(only_inner)] map (\\xs -> loop s = 0 for i < m do s + i32.sum (map (+ s)"
            + " xs[i:])) xss | /Loop/SegRed 1, Apply 0",
        // A map of vectors is fused into the scan of these vectors.
        "scan (map2 (+)) (replicate m 0) (map (map (* 2)) xss) | SegScan 1, SegMap 0",
        // Slices of maps, and slices that branches choose and loops return.
        "let ys = map (\\xs -> map (* 3) xs) xss in ys[n / 2:, ::2] | SegMap 1",
        "let ys = if n > 2 then is[::2] else is[::3] in map (* 3) ys | ",
        "let yss = if n > 2 then transpose xss else xss in map (map (* 3)) yss | ",
        "map (* 3) (loop ys = is for i < n / 2 do if length ys > 1 then ys[1:] else ys) | ",
        "map (* 3) (loop ys = is for _i < n / 2 do ys[1:]) | ",
        "let yss = loop yss = transpose xss for _i < n / 3 do yss[:, 1:] in map (map (* 3)) yss | ",
        "let (a, b) = if n > 2 then (is[::2], is[n / 2:]) else (is[n / 2:], is[::2]) in (map (+ 1)"
            + " a, b) | ",
        "#[flattening(only_inner)] map (\\xs -> let c = if m > 2 then xs[::2] else xs[::3] in"
            + " i32.sum (map (* 2) c)) xss | ",
        // Sizes of a loop in a map, of which some vary and some do not.
        "#[flattening(only_inner)] map2 (\\k xs -> loop s = 0 for i < m do let w = m - i in s +"
            + " i32.sum (map (\\j -> xs[i + i32.to_i64 (i32.i64 j)]) (iota w)) + i32.i64"
            + " (i64.sum (iota (k + i)))) is xss | ",
        "#[flattening(only_inner)] map (\\k -> let ys = loop ys = replicate m k for i < m do let"
            + " h = (m - i) / 2 in ys with [i:i + h] = map (+ i) ys[i:i + h] in i64.sum ys) is | ",
        "#[flattening(only_inner)] map (\\k -> i64.sum (loop ys = iota k for i < 3 do map (+ i) (ys"
            + " ++ [i]))) is | ",
        // A duplicated element computation, with an update of its array between the two uses.
        "let ys = map (* 2) is let zs = map (+ 1) ys let ys[0:n / 2] = replicate (n / 2) 7 in (zs,"
            + " ys, map (\\k -> zs[k % n]) is) | ",
        "let f (k: i64) = k * 3 + 1 let ys = map f is in (map (\\xs -> map2 (\\x j -> i64.i32 x *"
            + " ys[j % n]) xs (iota m)) xss, map (\\k -> f k + 1) is) | ",
        // Threads cannot look up parameters.
        "map (\\k -> (#[param(foo)] k) + (#[param(bar)] n)) is | ",
        // Irregular arrays that a loop swaps while a condition holds for both.
        "map (\\k -> let (a, b, c) = loop (a, b, c) = (iota k, replicate (k / 2) 1, 0i64) while"
            + " length a > length b && c < 9 do let z = filter (\\x -> x % 3 != c % 3) a in (if c %"
            + " 2 == 0 then (z, a, c + 1) else (b ++ z, z, c + 2)) in i64.sum a + i64.sum b * c) is"
            + " | ",
        // Histograms of tuples and of vectors, of different sizes for each segment.
        "map (\\k -> let v = map (\\i -> (i * 7 + k) % 11) (iota (k * 3)) let h = hist (\\(a, i)"
            + " (b, j) -> if a > b then (a, i) else if a == b && i < j then (a, i) else (b, j))"
            + " (i64.lowest, -1) k (map (% i64.max 1 k) v) (zip v (indices v)) let g = hist (map2"
            + " (+)) (replicate 3 0) 4 (map (% 5) v) (map (\\x -> [x, x * x, 1]) v) in i64.sum (map"
            + " (.1) h) + i64.sum (flatten g)) is | ",
        // A radix sort of a slice of each row.
        "map2 (\\xs k -> let step [q] (v: [q]i32) (b: i32) = let bits = map (\\x -> i64.i32 ((x >>"
            + " b) & 1)) v let o = scan (+) 0 (map (1 -) bits) let t = if q == 0 then 0 else o[q -"
            + " 1] let z = scan (+) 0 bits in scatter (copy v) (map3 (\\b o z -> if b == 0 then o -"
            + " 1 else t + z - 1) bits o z) v let r = loop v = map (+ 9) xs[:i64.min k m] for b < 5"
            + " do step v b in i32.sum (map2 (\\i x -> i32.i64 i * x) (indices r) r)) xss is | ",
        // Sums stay parallel although threads also compute on temporary arrays.
        "map (\\k -> i64.sum (map (\\i -> let a = opaque (replicate 3 i) in a[i % 3] + k) (iota"
            + " k))) is | /If/False/SegScan 1",
        // Flat slices of arrays of each segment.
        "map (\\xs -> let ys = xs ++ [1, 2, 3, 4] in map (map (+ 1)) (intrinsics.flat_index_2d ys 0"
            + " 2 2 2 1)) xss | SegMap 2",
        // A parallel scan of vectors whose number varies between segments.
        "map2 (\\k xs -> let s = scan (map2 (+)) (replicate m 0) (map (\\j -> map (+ i32.i64 j) xs)"
            + " (iota k)) in i32.sum (flatten s)) is xss | /If/False/SegScan 2",
        // The invariant slice may be out of bounds if no segment exists, so only a segment
        // evaluates it.
        "map (\\_ -> let ys = is[1:3] in i64.sum (map (+ 1) ys)) (filter (> 99) is) | ",
      })
  void rules(String body, String counts) {
    Source source = source(body);
    Program flat = flattened(source);
    Map<String, Integer> found = Metrics.of(flat);
    if (counts != null) {
      Map<String, Integer> wrong = new TreeMap<>();
      for (String c : counts.split(",", -1)) {
        String[] nodeAndCount = c.strip().split(" ", -1);
        int is = found.getOrDefault(nodeAndCount[0], 0);
        if (is != Integer.parseInt(nodeAndCount[1])) {
          wrong.put(c.strip(), is);
        }
      }
      assertEquals(Map.of(), wrong, () -> found.toString());
    }
    sameResults(source, flat);
  }

  /** Checks that flattening returns views of an array without a second copy of the array. */
  @Test
  void viewsBesideTheWhole() {
    Source source =
        Source.ofText(
            "rules.fut",
            """
            entry main [n][m] (xss: *[n][m]i32) (is: [n]i64) =
              let yss = loop yss = xss for i < n do
                map (\\k -> map (\\j -> i32.i64 (i + j + k)) (iota m)) is
              in (transpose (map reverse yss), yss, transpose xss)
            """);
    sameResults(source, flattened(source));
  }

  /**
   * Checks that accumulation is sequential if its operator needs memory that threads do not have.
   */
  @Test
  void accumulationsInOrder() {
    Source source =
        Source.ofText(
            "rules.fut",
            """
            type~ acc 't = intrinsics.acc t
            def stream [k] 'a 'b (dest: *[k]a) (op: a -> a -> a) (ne: a)
                                 (f: *acc ([k]a) -> b -> acc ([k]a)) (bs: []b) : *[k]a =
              intrinsics.hist_stream dest op ne f bs :> *[k]a
            def write [n] 't (a: *acc ([n]t)) (i: i64) (v: t) : *acc ([n]t) =
              intrinsics.acc_write a i v
            def op [m] (a: [m]i32) (b: [m]i32) = scan i32.max 0 (map2 i32.max a b)
            entry main [n][m] (xss: [n][m]i32) (is: [n]i64) =
              let none = replicate m 0
              let rows = stream (replicate 4 none) op none (\\(a: *acc ([4][m]i32)) (i, xs) ->
                if i > 2 then write (write a 3 xs) 0 (reverse xs)
                else loop a = a for j < 3 do write a (i + j) xs) (zip is xss)
              let sums = stream (replicate 4 0) (\\a b -> let t = scan (*) 1 (replicate (m + 1) 1) in
                a + b * t[m]) 0 (\\(a: *acc ([4]i64)) (i, xs) -> write a i (i64.i32 (i32.sum xs))) (zip is xss)
              let more = map (\\k -> stream (replicate 4 none) op none (\\(a: *acc ([4][m]i32)) (i, xs) ->
                write a (i + k - 1) (map (+ i32.i64 k) xs)) (zip is xss)) is
              in (rows, sums, more)
            """);
    Program flat = flattened(source);
    sameResults(source, flat);
  }

  /** Checks that a thread block performs a uniform update only once. */
  @Test
  void blocksUpdateOnce() {
    Source source =
        Source.ofText(
            "rules.fut",
            """
            type~ acc 't = intrinsics.acc t
            def stream [k] 'a 'b (dest: *[k]a) (op: a -> a -> a) (ne: a)
                                 (f: *acc ([k]a) -> b -> acc ([k]a)) (bs: []b) : *[k]a =
              intrinsics.hist_stream dest op ne f bs :> *[k]a
            def write [n] 't (a: *acc ([n]t)) (i: i64) (v: t) : *acc ([n]t) =
              intrinsics.acc_write a i v
            def sum [m] (a: *acc ([4]i32)) (xs: [m]i32) (k: i64) =
              let ys = scan (+) 0 xs
              in loop a = a for j < m do write a ((k + j) % 4) (ys[j] + i32.maximum ys)
            entry main [n][m] (xss: [n][m]i32) (is: [n]i64) =
              stream (replicate 4 1) (+) 0 (\\(a: *acc ([4]i32)) (i, xs) -> sum a xs i) (zip is xss)
            """);
    // The program has too few rows for one thread each, and enough columns for one thread block
    // each.
    int[] size = {3, 4};
    Options options = Options.DEFAULT.withThreshold(4);
    assertEquals(result(flattened(source), size, options), result(kernels(source), size, options));
    sameResults(source, flattened(source));
  }

  /** Checks that flattening lifts a function whose results share a mapped array. */
  @Test
  void liftedFunctionsShare() {
    Source source =
        Source.ofText(
            "rules.fut",
            """
            #[noinline] def both (k: i64) =
              let ys = map (\\i -> (i * 7 + k) % 5) (iota k)
              in (scan (+) 0 ys, i64.maximum ys, map (* 2) ys)
            entry main [n][m] (xss: [n][m]i32) (is: [n]i64) =
              (map (\\k -> let (a, b, c) = both (k + 1) in i64.sum a + b * i64.sum c) is, length xss)
            """);
    Program flat = flattened(source);
    sameResults(source, flat);
  }

  /**
   * Checks that reductions and scans work for empty vectors, and for neutral elements that are not
   * replicated scalars.
   */
  @Test
  void vectorsOfNoElements() {
    Source source =
        source(
            "let ne = opaque (map (\\_ -> 0) (iota m)) in (reduce (map2 (+)) ne xss, scan (map2"
                + " (+)) ne xss, map (\\k -> reduce (map2 (+)) ne (replicate k ne)) is)");
    Program start =
        COMPILER
            .optimise(source, CompilerOptions.DEFAULT.withPasses("none").withThreads(1), null)
            .program();
    Program flat = flattened(source);
    for (int[] size : new int[][] {{3, 0}, {0, 0}, {0, 2}, {3, 2}}) {
      for (long threshold : THRESHOLDS) {
        Options watched = Options.DEFAULT.withThreshold(threshold).withWatched(true);
        assertEquals(result(start, size, Options.DEFAULT), result(flat, size, watched));
      }
    }
  }

  /**
   * Checks that an accumulation becomes a histogram if it only maps and updates once for each
   * element.
   */
  @Test
  void accumulationsThatAreHistograms() {
    Source source =
        Source.ofText(
            "rules.fut",
            """
            type~ acc 't = intrinsics.acc t
            def stream [k] 'a 'b (dest: *[k]a) (op: a -> a -> a) (ne: a)
                                 (f: *acc ([k]a) -> b -> acc ([k]a)) (bs: []b) : *[k]a =
              intrinsics.hist_stream dest op ne f bs :> *[k]a
            def write [n] 't (a: *acc ([n]t)) (i: i64) (v: t) : *acc ([n]t) =
              intrinsics.acc_write a i v
            entry main [n][m] (xss: [n][m]i32) (is: [n]i64) =
              stream (replicate 4 1) (+) 0 (\\(a: *acc ([4]i32)) (i, xs) ->
                if i < 1 then a else if i < 3 then write a (i - 2) (i32.sum xs) else write a i 5)
                (zip is xss)
            """);
    Program flat = flattened(source);
    Map<String, Integer> found = Metrics.of(flat);
    assertEquals(1, found.getOrDefault("SegHist", 0), found::toString);
    assertEquals(0, found.getOrDefault("WithAcc", 0), found::toString);
    sameResults(source, flat);
  }

  /**
   * Checks that histograms from accumulations work for tuples and vectors, in nests, with branches
   * and bounds checks.
   */
  @Test
  void histogramsOfAccumulations() {
    Source source =
        Source.ofText(
            "rules.fut",
            """
            type~ acc 't = intrinsics.acc t
            def stream [k] 'a 'b (dest: *[k]a) (op: a -> a -> a) (ne: a)
                                 (f: *acc ([k]a) -> b -> acc ([k]a)) (bs: []b) : *[k]a =
              intrinsics.hist_stream dest op ne f bs :> *[k]a
            def write [n] 't (a: *acc ([n]t)) (i: i64) (v: t) : *acc ([n]t) =
              intrinsics.acc_write a i v
            entry main [n][m] (xss: [n][m]i32) (is: [n]i64) =
              (stream (replicate 4 (0i64, 0i32)) (\\(a, b) (c, d) -> (a + c, i32.max b d))
                      (0, i32.lowest) (\\(a: *acc ([4](i64, i32))) (k, xs) ->
                 write a (assert (k < 9) (k - 1)) (k * 2, i32.sum xs)) (zip is xss),
               map2 (\\k xs -> stream (replicate (k + 1) k) (+) 0 (\\(a: *acc ([k + 1]i64)) (x: i32) ->
                 if x < 0 then (if x < -5 then a else write a 0 (i64.i32 x))
                 else let ys = scan (+) 0 (map (+ k) (iota (k + i64.i32 x)))
                      in if null ys then a else write a (last ys % (k + 1)) (i64.sum ys)) xs
                 |> i64.sum) is xss,
               stream (replicate 3 (replicate m 0)) (\\a b -> scan i32.max i32.lowest (map2 i32.max a b))
                      (replicate m i32.lowest) (\\(a: *acc ([3][m]i32)) (k, xs) ->
                 if k > 0 then write a (k % 4) (reverse xs) else a) (zip is xss))
            """);
    sameResults(source, flattened(source));
  }

  /**
   * Checks that a device rejects thread blocks of zero threads, so rows without elements use at
   * least one thread.
   */
  @Test
  void blocksHaveAThread() {
    Source source =
        source(
            "#[flattening(only_intra)] map (\\xs -> let ys = scan (+) 0 xs in (i32.sum ys, map"
                + " (+ 1) ys)) xss |> unzip");
    Ir kernels = kernels(source);
    for (int columns = 0; columns < 3; columns++) {
      int[] size = {2, columns};
      String expected = result(flattened(source), size, Options.DEFAULT);
      assertEquals(expected, result(kernels, size, Options.DEFAULT));
    }
  }

  /**
   * Checks that flattening avoids threads for recursion and for arrays of data-dependent size. The
   * program has both in operators, in bucket functions, and under attributes that request
   * sequential code.
   */
  @Test
  void beyondThreads() {
    Source source =
        Source.ofText(
            "a.fut",
            """
            def gcd (a: i64) (b: i64) : i64 = if b == 0 then a else gcd b (a % b)
            def depth (x: i64) : i64 = if x <= 0 then 7 else 1 + depth (x - 1)
            def grown (k: i64) = loop ks = [k] while i64.sum ks < 20 do ks ++ map (+ 1) ks
            def upTo (a: i64) (b: i64) =
              let xs = loop xs = [a] while length xs < 20 && last xs < b do xs ++ [last xs + 1]
              in i64.max (last xs) b
            def main [n][m] (xss: [n][m]i32) (is: [n]i64) =
              let yss = map (map (\\x -> i64.abs (i64.i32 x))) xss
              in (reduce gcd 0 is, scan gcd 0 is, map (reduce gcd 0) yss,
                  reduce_by_index (replicate 3 0) gcd 0 is is,
                  map (\\k -> reduce gcd 0 (map (* k) (iota k))) is,
                  reduce (\\x y -> i64.max (depth x) (depth y) - 7) 0 is,
                  reduce_by_index (replicate 3 0) (+) 0 (map (\\k -> depth k % 3) is) is,
                  map (\\k -> #[sequential] depth k) is,
                  reduce upTo (-9) is, scan upTo (-9) is, map (scan upTo (-9)) yss,
                  reduce_by_index (replicate 3 (-9)) upTo (-9) is is,
                  #[sequential_inner] map (\\k -> i64.sum (grown k)) is,
                  map (\\k -> #[sequential] (i64.sum (grown k) + length (grown k))) is)
            """);
    sameResults(source, flattened(source));
  }

  /**
   * Checks that operators may choose among arrays of constant sizes and pass them through loops.
   */
  @Test
  void operatorsThatChoose() {
    Source source =
        source(
            "let f a b = (let t = if a > b then [a, b, 1] else [b, a, 0] let u = loop t for i < 3"
                + " do [t[1], t[2] - i, t[0]] in i64.max a b + 0 * u[0]) in (reduce f (-9) is, scan"
                + " f (-9) is, map (\\xs -> reduce f (-9) (map i64.i32 xs)) xss, reduce_by_index"
                + " (replicate 3 (-9)) f (-9) is is)");
    sameResults(source, flattened(source));
  }

  /**
   * Checks that the threads of a thread block may compute a size together, and sizes may differ
   * between thread blocks.
   */
  @Test
  void sizesInBlocks() {
    Source source =
        source(
            "#[flattening(only_intra)] map2 (\\k xs -> let s = i64.i32 (i32.sum xs) % 7 + 1 let t ="
                + " replicate s k with [s / 2] = 1 let u = replicate (k + 1) 2 with [k] = 3 in map"
                + " (\\x -> x + i32.i64 (t[0] + u[k])) (scan (+) 0 xs)) is xss");
    sameResults(source, flattened(source));
  }

  /** Checks that histograms, reductions and scans may have operators that are parallel. */
  @Test
  void parallelOperators() {
    Source source =
        Source.ofText(
            "a.fut",
            """
            def matmul [k] (a: [k][k]i64) (b: [k][k]i64) =
              map (\\r -> map (\\c -> i64.sum (map2 (*) r c)) (transpose b)) a
            def op [m] (a: [m]i32) (b: [m]i32) =
              loop c = copy a for i < m do c with [i] = i32.max c[i] b[i]
            def main [n][m] (xss: [n][m]i32) (is: [n]i64) =
              let none = replicate m i32.lowest
              let one = [[1, 0], [0, 1]]
              let mats = map (\\k -> [[1, k], [0, 1]]) is
              let pairs = map2 (\\k xs -> (k, i32.sum xs)) is xss
              in (reduce_by_index (replicate 3 none) op none is xss,
                  map (\\k -> reduce_by_index (replicate 3 none) op none
                                             (map (\\j -> (j * k) % 4) is) xss) is,
                  reduce_by_index (replicate 4 one) matmul one is mats,
                  reduce_by_index_2d (replicate 2 (replicate 3 one)) matmul one
                                     (map (\\k -> (k % 3 - 1, k)) is) mats,
                  map (\\k -> reduce_by_index (replicate k one) matmul one is mats
                             |> flatten |> flatten |> i64.sum) is,
                  reduce matmul one mats, scan matmul one mats,
                  map (\\k -> reduce matmul one (map (\\j -> [[1, j], [0, k % 2]]) (iota k))) is,
                  map (\\k -> scan matmul one (map (\\j -> [[1, j], [0, k % 2]]) is)) is,
                  reduce_by_index (replicate 3 (0, none)) (\\(a, x) (b, y) -> (a + b, op x y))
                                  (0, none) is (zip is xss) |> map (.1),
                  length pairs)
            """);
    Program flat = flattened(source);
    sameResults(source, flat);
  }

  /**
   * Checks that thresholds have the names that tuning files use, and the path of earlier
   * comparisons.
   */
  @Test
  void thresholds() {
    Source source = source("map (\\xs -> i32.sum (scan (+) 0 xs)) xss");
    Map<String, TuningParameter> all = new TreeMap<>();
    Mapper collect =
        new Mapper() {
          @Override
          public Exp exp(Exp e) {
            if (e instanceof HostOp.CmpSizeLe c) {
              all.put(c.parameter().name(), c.parameter());
            }
            return super.exp(e);
          }
        };
    flattened(source).functions().values().forEach(f -> collect.body(f.body()));
    Map<String, String> classes = new TreeMap<>();
    all.forEach((name, p) -> classes.put(name, p.sizeClass().toString()));
    assertEquals(
        Map.of(
            "main.suff_outer_par_0",
            "threshold(def, )",
            "main.suff_intra_par_1",
            "threshold(32, !main.suff_outer_par_0)"),
        classes);
  }
}
