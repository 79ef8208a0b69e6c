package futharkc.core.language.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.language.Diagnostics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that syntax errors name no tokens of the grammar. */
final class SyntaxErrorWordsTest {
  private static final String PROGRAM =
      """
      import "lib"
      open import "lib"
      local def k 't [n] (xs: [n]t) : i64 = n
      type t 'a [n] = {a: [n]a, b: (i32, *[]f32)} | #c i32 [2]i32 | #d
      type~ u = ?[n].[n]i32 -> (x: i32) -> u
      module type m = { type s val f [n] : [n]s -> s module k : m include m with s = i32 }
      module p (q: m) : m = \\(z: m) -> q { open q def f = q.f }
      #[attr(a, 2)]
      entry main [n] (xs: [n]i32) ({a, b = c}: t i32 [n]) : i32 =
        let [m] ys: [m]i32 = filter (> 0) xs
        let f x = x + 1i32
        let zs[0, 1:2:3].a = ys[1:, ::-1, i]
        let w = xs with [0].a = 3 with .b[1] = 2
        in loop (acc, _) = (0, 1.5f32) for i < n do
          match #c acc [1, 2]
          case #c a 1 -> if a == b && !c then -a else (.x.y) (.[0]) (+ 1) (`f` 2)
          case (x, -1): t -> assert (x :> i32) (\\x (y: i32): i32 -> {a = 1, b, 0 = x})
          case _ -> [1...2, 3..4..<5, "s", 'c', ???] |> map (f >-> p.+ 1) while true
      """;

  private static final Pattern NAME = Pattern.compile("\\b[A-Z_]{3,}\\b");

  private static List<String> tokens() {
    return SourceToken.scan("p.fut", PROGRAM, new Diagnostics()).stream()
        .map(SourceToken::text)
        .toList();
  }

  private static Set<String> badMessages(List<String> tokens) {
    Set<String> bad = new TreeSet<>();
    Diagnostics errors = new Diagnostics();
    Parser.parse("p", "p.fut", String.join(" ", tokens), errors);
    errors.errors().stream()
        .map(d -> d.message())
        .filter(m -> NAME.matcher(m.replaceAll("'[^']*'|\"[^\"]*\"", "")).find())
        .forEach(bad::add);
    return bad;
  }

  @Test
  void messagesAfterMissingAndAdditionalTokensAreInWords() {
    List<String> tokens = tokens();
    assertTrue(tokens.size() > 300, () -> tokens.size() + " tokens");
    Set<String> bad = new TreeSet<>();
    for (int i = 0; i < tokens.size(); i++) {
      bad.addAll(badMessages(tokens.subList(0, i)));
      List<String> fewer = new ArrayList<>(tokens);
      fewer.remove(i);
      bad.addAll(badMessages(fewer));
      List<String> swapped = new ArrayList<>(tokens);
      swapped.set(i, tokens.get((i * 7 + 3) % tokens.size()));
      bad.addAll(badMessages(swapped));
    }
    assertEquals(Set.of(), bad);
  }
}
