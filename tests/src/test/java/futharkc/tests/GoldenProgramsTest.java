package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.backend.interpreter.Fault;
import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.text.Parser;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Both programs of every golden file, before a pass and after it, do the same with random inputs.
 * What fails before may do anything after: errors of programs written by hand for a pass need not
 * be what anybody needs.
 */
final class GoldenProgramsTest {
  private static final String SEPARATOR = "=====\n";
  private static final int INPUTS = 6;

  /** So many of the files have to be compared on an input that does not fail. */
  private static final double COMPARED = 0.75;

  @Test
  void passesKeepWhatGoldenProgramsDo() throws IOException {
    List<Path> files = golden();
    TreeSet<String> not = new TreeSet<>();
    int cases = 0;
    for (Path file : files) {
      int compared = compare(file);
      cases += compared;
      if (compared == 0) not.add(file.getParent().getFileName() + "/" + file.getFileName());
    }
    assertTrue(
        files.size() - not.size() >= COMPARED * files.size(),
        "of " + files.size() + " files these fail on every input tried: " + not);
    assertTrue(cases >= 2 * files.size(), cases + " cases of " + files.size() + " files");
  }

  private static List<Path> golden() throws IOException {
    List<Path> all = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (Path module :
          modules.filter(m -> m.getFileName().toString().startsWith("pass.")).toList()) {
        Path resources = module.resolve("src/test/resources");
        if (!Files.isDirectory(resources)) continue;
        try (Stream<Path> files = Files.walk(resources)) {
          for (Path file : files.filter(f -> f.toString().endsWith(".fir")).sorted().toList()) {
            if (Files.readString(file).contains(SEPARATOR)) all.add(file);
          }
        }
      }
    }
    return all;
  }

  /** The number of inputs on which the programs of a file have been compared. */
  private static int compare(Path file) throws IOException {
    String text = Files.readString(file);
    int at = text.indexOf(SEPARATOR);
    // Made-up numbers seldom let such loops end.
    if (text.contains(" while ")) return 0;
    Program before = Parser.parse(file.toString(), text.substring(0, at));
    Program after = Parser.parse(file.toString(), text.substring(at + SEPARATOR.length()));
    Random random = new Random(file.getFileName().toString().hashCode());
    int compared = 0;
    for (FunDef f : before.functions().values()) {
      if (!after.functions().containsKey(f.name())) continue;
      for (int i = 0; i < INPUTS; i++) {
        List<Value> input = input(f, before, i, random);
        if (input == null) break;
        List<Value> expected = result(before, f, input, Options.DEFAULT);
        if (expected == null) continue;
        // Conflicting writes mean nothing in particular.
        Options run = options(i);
        List<Value> again = result(before, f, input, run);
        if (again == null || !text(again).equals(text(expected))) continue;
        String what = file + ", " + f.name() + ":\n" + text(input);
        // A view of no elements may lie outside of the array: nothing is read. Checks may fail.
        boolean mayFail = isEmpty(input) || file.getParent().endsWith("checks");
        if (mayFail && result(after, f, input, run) == null) continue;
        List<Value> actual = result(after, f, input, run);
        assertEquals(text(expected), actual == null ? "an error" : text(actual), what);
        compared++;
      }
    }
    return compared;
  }

  private static boolean isEmpty(List<Value> values) {
    return values.stream().anyMatch(v -> v instanceof ArrayValue a && a.length() == 0);
  }

  private static Options options(int i) {
    return Options.DEFAULT.withChunk(i % 4).withBackwards(i % 2 == 1);
  }

  private static @Nullable List<Value> result(
      Program program, FunDef f, List<Value> input, Options options) {
    try {
      return Interpreter.run(program, f.name(), copies(input), options);
    } catch (FutharkError | Fault | IllegalArgumentException e) {
      return null;
    }
  }

  /** Arguments for a function; null if some parameter cannot be made up. */
  private static @Nullable List<Value> input(FunDef f, Program program, int number, Random random) {
    Map<Name, Long> sizes = new HashMap<>();
    // Now all sizes are the same, now they are not.
    long common = random.nextInt(6);
    for (Param p : f.params()) {
      if (!(p.type() instanceof Type.Array a)) continue;
      for (SubExp d : a.shape()) {
        if (d instanceof SubExp.Var v) {
          sizes.putIfAbsent(v.name(), number % 3 == 0 ? random.nextInt(5) : common);
        }
      }
    }
    int leading = leadingSizes(f, program, sizes.keySet());
    List<Value> values = new ArrayList<>();
    for (Param p : f.params()) {
      if (!(p.type() instanceof Type.Mem) && leading-- > 0) continue;
      switch (p.type()) {
        case Type.Prim t -> {
          Long size = sizes.get(p.name());
          if (size == null && number % 3 != 0 && t.prim() == PrimType.I64) size = common;
          values.add(scalar(t.prim(), size, random));
        }
        case Type.Array a -> {
          long[] shape = new long[a.rank()];
          for (int d = 0; d < shape.length; d++) {
            shape[d] =
                switch (a.shape().get(d)) {
                  case SubExp.Const c -> c.value().asLong();
                  case SubExp.Var v -> sizes.getOrDefault(v.name(), common);
                };
          }
          values.add(array(a.elem(), shape, random));
        }
        case Type.Acc _ -> {
          return null;
        }
        case Type.Mem _ -> {}
      }
    }
    return values;
  }

  /** How many of the parameters are leading sizes, which callers do not give. */
  private static int leadingSizes(FunDef f, Program program, Set<Name> sizes) {
    List<Param> values = f.params().stream().filter(p -> !(p.type() instanceof Type.Mem)).toList();
    if (f.entry() != null) {
      int given = 0;
      for (EntryPoint.Param p : f.entry().params()) {
        given += p.type().parts(program.opaques()).size();
      }
      return values.size() - given;
    }
    int n = 0;
    while (n < values.size() && sizes.contains(values.get(n).name())) n++;
    return n;
  }

  private static Value scalar(PrimType type, @Nullable Long value, Random random) {
    return array(type, new long[] {1}, random, value).element(0);
  }

  private static ArrayValue array(PrimType type, long[] shape, Random random) {
    return array(type, shape, random, null);
  }

  private static ArrayValue array(
      PrimType type, long[] shape, Random random, @Nullable Long value) {
    ElemType elem = ElemType.valueOf(type.name());
    int n = Math.toIntExact(ArrayValue.size(shape));
    ArrayValue array = new ArrayValue(elem, shape, elem.newArray(n));
    for (int i = 0; i < n; i++) {
      long x = value != null ? value : random.nextInt(12) - 3;
      array.setElement(
          i,
          switch (type) {
            case F16 -> Scalar.f16(Float.floatToFloat16(x / 2f));
            case F32 -> Scalar.f32(x / 2f);
            case F64 -> Scalar.f64(x / 2d);
            case BOOL -> Scalar.bool(x > 2);
            case I8, I16, I32, I64, UNIT -> new Scalar(elem, x);
          });
    }
    return array;
  }

  private static List<Value> copies(List<Value> values) {
    return values.stream().map(GoldenProgramsTest::copy).toList();
  }

  private static Value copy(Value v) {
    if (!(v instanceof ArrayValue a)) return v;
    ArrayValue copy = new ArrayValue(a.elemType(), a.shape(), a.elemType().newArray(a.length()));
    for (int i = 0; i < a.length(); i++) copy.setElement(i, a.element(i));
    return copy;
  }

  private static String text(List<Value> values) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ValueWriter out = new ValueWriter(bytes);
    for (Value v : values) {
      out.text(v);
      out.newline();
    }
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
