package futharkc.tests.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import futharkc.backend.cuda.CudaBackend;
import futharkc.backend.interpreter.InterpreterBackend;
import futharkc.backend.opencl.OpenClBackend;
import futharkc.core.codegen.Backend;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests of block tiles on devices, including CPUs, where tiling is not the default. */
final class TilesTest {
  private static final String PROGRAM = "/futharkc/tests/kernels/products.fut";

  private static final List<String> ENTRIES =
      List.of("i32_product", "i32_batch", "i32_part", "i32_state", "i32_repeated");

  @Test
  void devicesComputeTiles() throws IOException {
    List<String> targets = Devices.targets();
    assumeFalse(targets.isEmpty(), "no device: nothing of this is tested");
    Ir tiled = program("+block-tiling{threads=16,side=2,depth=4,elements=1,row=4,unrolled=2}");
    try (Context expected = load(program("-block-tiling"), new InterpreterBackend())) {
      for (String target : targets) {
        Backend backend = target.equals("cuda") ? new CudaBackend() : new OpenClBackend();
        try (Context device = load(tiled, backend)) {
          for (String entry : ENTRIES) {
            int[] wanted = run(expected, entry);
            assertEquals(
                Arrays.toString(wanted),
                Arrays.toString(run(device, entry)),
                target + ", " + entry);
          }
        }
      }
    }
  }

  private static Ir program(String passes) throws IOException {
    Source source;
    try (InputStream in = TilesTest.class.getResourceAsStream(PROGRAM)) {
      byte[] text = Objects.requireNonNull(in).readAllBytes();
      source = Source.ofText("products.fut", new String(text, StandardCharsets.UTF_8));
    }
    CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1).withPasses(passes);
    return Compiler.create().optimise(source, options, Rep.GPU_IMP).ir().program();
  }

  private static Context load(Ir program, Backend backend) {
    Backend.Target any = backend.targets().get(0);
    Context.Builder builder =
        Context.of(backend.compile(program, "products", any).load(), System.err).threads(1);
    builder.tuningClass("reg_tile_size", 2);
    builder.tuningClass("threshold", 1);
    return builder.build();
  }

  private static int[] run(Context ctx, String entry) {
    Random random = new Random(entry.hashCode());
    for (EntryPoint e : ctx.program().entryPoints()) {
      if (!e.name().equals(entry)) {
        continue;
      }
      Value[] input = {
        array(random, 20, 13), array(random, 13, 21), array(random, 20, 21), array(random, 13)
      };
      ArrayValue result = (ArrayValue) ctx.run(e, input);
      return Arrays.copyOf((int[]) result.data(), (int) result.size());
    }
    throw new IllegalArgumentException(entry);
  }

  private static Value array(Random random, long... shape) {
    int count = 1;
    for (long size : shape) {
      count *= (int) size;
    }
    return new ArrayValue(ElemType.I32, shape, random.ints(count).toArray());
  }
}
