package futharkc.core.driver.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.failure.PlanException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PassSelectionTest {
  @Test
  void namesReplaceTheDefault() {
    PassSelection s = PassSelection.parse("a, b{gas=50,deep,text=\"x,\\\"y\\\"}\"}");
    assertEquals(false, s.withDefault());
    assertEquals(
        List.of(
            new PassRequest("a"),
            new PassRequest("b", Map.of("gas", "50", "deep", "true", "text", "x,\"y\"}"))),
        s.added());
  }

  @Test
  void signsAmendTheDefault() {
    PassSelection s = PassSelection.parse("+mine,-galop");
    assertTrue(s.withDefault());
    assertEquals(List.of(new PassRequest("mine")), s.added());
    assertEquals(Set.of("galop"), s.removed());
    assertEquals(
        new PassSelection(true, List.of(new PassRequest("a")), Set.of()),
        PassSelection.parse("a,default"));
    assertEquals(new PassSelection(false, List.of(), Set.of()), PassSelection.parse("none"));
    assertEquals(PassSelection.DEFAULT, PassSelection.parse("default"));
  }

  @Test
  void printedRequestsReadBack() {
    PassRequest r = new PassRequest("p", Map.of("text", "a \"b\\\" {,}", "empty", ""));
    assertEquals(List.of(r), PassSelection.parse(r.toString()).added());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a,,b", "a{", "a{x=1", "a b", "+", "a{x=\"", "a,a", "a,-a", "-a{x=1}", ","})
  void nonsenseIsRefused(String text) {
    assertThrows(PlanException.class, () -> PassSelection.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"a b|'b' at character 3", "a{x=1|the end at character 6"})
  void theMessageSaysWhere(String text, String where) {
    String message =
        assertThrows(PlanException.class, () -> PassSelection.parse(text)).getMessage();
    assertTrue(message.contains(where), message);
  }
}
