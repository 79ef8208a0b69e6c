package futharkc.tests.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RoundTripTest {
  @ParameterizedTest
  @EnumSource
  void textOfARandomProgramReadsBackAsItWas(Rep rep) {
    for (int seed = 0; seed < 60; seed++) {
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      Program p = new RandomSyntax(rep, random).program();
      String text = Printer.print(p);
      Program back = Parser.parse("seed " + seed, text);
      assertEquals(p, back, () -> text);
      assertEquals(text, Printer.print(back));
    }
  }
}
