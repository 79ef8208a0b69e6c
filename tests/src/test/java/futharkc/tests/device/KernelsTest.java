package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.backend.cuda.CudaBackend;
import futharkc.backend.cuda.CudaDialect;
import futharkc.backend.cuda.runtime.Nvrtc;
import futharkc.core.ir.Ir;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.verify.Verifier;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests of features that only kernels have: shared memory, barriers, atomic operations and
 * failures. The tests compare devices with the interpreter, and skip absent devices.
 */
final class KernelsTest {
  private static Context expected;
  private static final Map<String, Context> DEVICES = new TreeMap<>();

  @BeforeAll
  static void load() throws IOException {
    for (String target : Devices.targets()) {
      DEVICES.put(target, Devices.load(program(), target));
    }
    assumeTrue(!DEVICES.isEmpty(), "no device: nothing of this is tested");
    expected = Devices.load(program(), "interpreter");
  }

  private static Ir program() throws IOException {
    return program("kernels.imp");
  }

  private static Ir program(String file) throws IOException {
    try (InputStream in = KernelsTest.class.getResourceAsStream(file)) {
      Ir program =
          Parser.parseImperative(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
      Verifier.verify(program);
      return program;
    }
  }

  @AfterAll
  static void close() {
    DEVICES.values().forEach(Context::close);
    if (expected != null) {
      expected.close();
    }
  }

  private static Value call(Context ctx, String entry, int... xs) {
    for (EntryPoint e : ctx.program().entryPoints()) {
      if (e.name().equals(entry)) {
        return ctx.run(e, ArrayValue.vector(ElemType.I32, xs));
      }
    }
    throw new IllegalArgumentException(entry);
  }

  private static int[] numbers(int n, int step) {
    int[] xs = new int[n];
    for (int i = 0; i < n; i++) {
      xs[i] = (i * 7919 + 13) % 1000 * step;
    }
    return xs;
  }

  private static List<Long> longs(Value v) {
    ArrayValue array = (ArrayValue) v;
    return Arrays.stream((long[]) array.data()).limit(array.size()).boxed().toList();
  }

  @Test
  void blocksShareMemory() {
    for (int n : new int[] {0, 1, 5, 255, 256, 257, 1000}) {
      int[] xs = numbers(n, 3);
      int sum = Arrays.stream(xs).sum();
      Scalar wanted = (Scalar) call(expected, "sum", xs);
      assertEquals(sum, wanted.asInt() - bytes(xs, 8), "interpreted, of " + n);
      DEVICES.forEach(
          (target, device) -> {
            int block = (int) device.accelerator().tuningDefault("thread_block_size");
            Scalar got = (Scalar) call(device, "sum", xs);
            assertEquals(sum, got.asInt() - bytes(xs, block), target + ", of " + n);
          });
    }
  }

  /** Returns the sum over thread blocks of the byte sums of their numbers. */
  private static int bytes(int[] xs, int block) {
    int sum = 0;
    for (int at = 0; at < xs.length; at += block) {
      byte b = 0;
      for (int i = at; i < Math.min(xs.length, at + block); i++) {
        b += (byte) xs[i];
      }
      sum += b & 0xff;
    }
    return sum;
  }

  @Test
  void atomicOperationsLoseNothing() {
    for (int n : new int[] {0, 1, 31, 100, 777}) {
      int[] xs = numbers(n, -11);
      List<Long> wanted = longs(call(expected, "atomics", xs));
      DEVICES.forEach(
          (target, device) ->
              assertEquals(wanted, longs(call(device, "atomics", xs)), target + ", of " + n));
    }
  }

  @Test
  void failuresAreReportedOnceAndTheNextCallWorks() {
    for (int round = 0; round < 3; round++) {
      for (int n : new int[] {1, 16, 100}) {
        DEVICES.values().forEach(device -> fail(device, n));
      }
    }
  }

  private static void fail(Context device, int n) {
    int[] even = numbers(n, 2);
    assertEquals(longs(call(expected, "failing", even)), longs(call(device, "failing", even)));
    int[] odd = even.clone();
    odd[n / 2] = 77;
    FutharkError error = assertThrows(FutharkError.class, () -> call(device, "failing", odd));
    assertEquals("odd: 77 at " + n / 2, error.getMessage());
    assertTrue(error.report().contains("-> #0  a.fut:3:2-3"), error.report());
    int[] large = even.clone();
    large[n / 2] = 1 << 22;
    String message =
        assertThrows(FutharkError.class, () -> call(device, "failing", large)).getMessage();
    assertTrue(message.startsWith("large: "), message);
  }

  @Test
  void eachThreadDecidesWhetherALoopRunsInALoopWithABarrier() throws IOException {
    Ir program = program("loops-around-barriers.imp");
    try (Context interpreter = Devices.load(program, "interpreter")) {
      for (String target : DEVICES.keySet()) {
        try (Context device = Devices.load(program, target)) {
          for (EntryPoint e : device.program().entryPoints()) {
            for (int n : new int[] {0, 1, 3, 31, 33, 70}) {
              if (e.name().equals("branched") && n > 32) {
                continue;
              }
              int[] xs = new int[n];
              assertEquals(
                  longs(call(interpreter, e.name(), xs)),
                  longs(call(device, e.name(), xs)),
                  () -> e.name() + " of " + n + " on " + target);
            }
          }
        }
      }
    }
  }

  @Test
  void cudaCompilesThem() throws IOException {
    Nvrtc nvrtc = Nvrtc.search(Integer.MAX_VALUE).found();
    assumeTrue(nvrtc != null, "no NVRTC: nothing of this is tested");
    CudaBackend cuda = new CudaBackend();
    String kernels =
        cuda.compile(program(), "kernels", cuda.targets().get(0)).sources().get(1).text();
    List<String> options = new java.util.ArrayList<>(new CudaDialect().options());
    options.add("-DSIZE_sumxsize_0=256");
    assertTrue(nvrtc.ptx(kernels, options, nvrtc.oldestCapability()).length > 1000);
  }
}
