package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.Variables;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.tests.kit.RandomImperative;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests of the identity mapper on imperative code, for every kind of node. */
final class CodeMapperTest {
  private static final Pattern STRINGS =
      Pattern.compile("`(\\\\.|[^`\\\\])*`(?=_)|\"(\\\\.|[^\"\\\\])*\"|\\bf_12\\b");
  private static final Pattern NAMES = Pattern.compile("_([0-9]+)(?![\\w'])");

  private static ImperativeProgram.Function function(int seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Rep rep = seed % 2 == 0 ? Rep.MC_IMP : Rep.GPU_IMP;
    return new RandomImperative(rep, random).program().initialise();
  }

  private static CodeMapper renaming(IntUnaryOperator tags) {
    return new CodeMapper() {
      @Override
      public Name name(Name use) {
        return new Name(use.base(), tags.applyAsInt(use.tag()));
      }

      @Override
      public Name binder(Name declared) {
        return name(declared);
      }
    };
  }

  @Test
  void whatDoesNotChangeStaysTheSameObject() {
    for (int seed = 0; seed < 1000; seed++) {
      ImperativeProgram.Function f = function(seed);
      assertSame(f, new CodeMapper().function(f));
    }
  }

  @Test
  void everyNameIsVisited() {
    for (int seed = 0; seed < 1000; seed++) {
      ImperativeProgram.Function f = function(seed);
      ImperativeProgram.Function renamed = renaming(t -> t + 1000).function(f);
      String text =
          STRINGS.matcher(Printer.print(renamed)).replaceAll("").replaceAll(" next.*", "");
      Matcher names = NAMES.matcher(text);
      while (names.find()) {
        assertTrue(Integer.parseInt(names.group(1)) >= 1000, text);
      }
      assertEquals(f, renaming(t -> t - 1000).function(renamed));
    }
  }

  @Test
  void aCopyDeclaresOtherVariablesAndUsesTheSame() {
    List<Code> code =
        Parser.parseCode(
            """
            var x_1: i64 = (2*n_0)
            var b_2: []i64 = alloc(x_1)
            for i_3: i64 < x_1 {
              b_2[i_3 + x_1] = add_i64(x_1, k_4: i64)
              b_2[k_4] = b_2[i_3*i_3]
            }
            parallel p(chunk_5, from_6, to_7) over x_1 in k_4: i64 {
              copy(b_2[chunk_5], xs_8: []i64[from_6], (to_7 + -1*from_6))
            }
            """);
    Name k = new Name("k", 4);
    Name xs = new Name("xs", 8);
    Name ys = new Name("ys", 9);
    List<Code> copy =
        new CodeRenamer(new NameSource(100))
            .with(k, Expr.i64(7))
            .with(xs, new Expr.Var(ys, PrimType.I64))
            .statements(code);
    assertEquals(
        """
        var x_100: i64 = (2*n_0)
        var b_101: []i64 = alloc(x_100: i64)
        for i_102: i64 < x_100: i64 {
          b_101: []i64[x_100 + i_102] = add_i64(x_100: i64, 7i64)
          b_101: []i64[7] = b_101: []i64[i_102*i_102]
        }
        parallel p(chunk_103, from_104, to_105) over x_100: i64 in 7i64 {
          copy(b_101: []i64[chunk_103], ys_9: []i64[from_104], (-1*from_104 + to_105))
        }\
        """,
        copy.stream().map(Printer::print).collect(Collectors.joining("\n")));
    Set<String> used =
        Variables.usedBy(copy, Set.of()).stream()
            .map(v -> v.name().toString())
            .collect(Collectors.toSet());
    assertEquals(Set.of("n_0", "ys_9"), used);
  }
}
