package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.Ir;
import futharkc.core.ir.Rep;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.text.Printer;
import futharkc.tests.kit.RandomImperative;
import futharkc.tests.kit.RandomSyntax;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the text form, for every kind of node of every representation. */
final class TextRoundTripTest {
  @ParameterizedTest
  @EnumSource
  void textOfARandomProgramReadsBackAsItWas(Rep rep) {
    for (int seed = 0; seed < 200; seed++) {
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      Ir p =
          rep.isImperative()
              ? new RandomImperative(rep, random).program()
              : new RandomSyntax(rep, random).program();
      String text = Printer.print(p);
      Ir back = Parser.parseAny("seed " + seed, text);
      assertEquals(p, back, () -> text);
      assertEquals(text, Printer.print(back));
    }
  }
}
