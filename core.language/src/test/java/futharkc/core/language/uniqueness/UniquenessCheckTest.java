package futharkc.core.language.uniqueness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.language.DiagnosticException;
import futharkc.core.language.frontend.FrontEnd;
import org.junit.jupiter.api.Test;

class UniquenessCheckTest {
  @Test
  void nothingIsUsedAfterAnAliasWasConsumed() {
    rejects("def main (a: *[]i32) = let b = a let b[0] = 1 in a", "\"a\", but this was consumed");
    rejects("def main (a: *[][]i32) = let row = a[0] let a[1] = row with [0] = 1 in a", "consumed");
    rejects(
        "def f [n] (x: [n]i32) : [n]i32 = x\n"
            + "def main (a: *[]i32) = let b = f a let a[0] = 1 in (a, b)",
        "\"b\", which aliases \"a\", but this was consumed");
    rejects(
        "def main (a: *[]i32) = let f i = a[i] let a[0] = 1 in (f 0, a)",
        "\"f\", which aliases \"a\", but this was consumed");
    accepts("def main (a: *[]i32) = let x = a[0] let a[0] = x + a[1] in a");
    accepts("def main (a: *[]i32) = let b = copy a let b[0] = 1 in (a, b)");
  }

  /** Checks that a branch owns an array that it returns and another branch consumes. */
  @Test
  void branchesAreChecked() {
    String consume = "def c (a: *[]i32) : *[]i32 = a with [0] = 1\n";
    accepts(consume + "def main (a: *[]i32) (p: bool) = let b = if p then a else c a in c b");
    rejects(
        consume + "def main (a: *[]i32) (p: bool) = let b = if p then a else c a in (a, b)",
        "\"a\", but this was consumed");
    rejects(
        consume
            + "def main (a: *[]i32) (p: bool) : (*[]i32, *[]i32) ="
            + " if p then (a, a) else (c a, [1])",
        "aliased to some other component");
  }

  @Test
  void onlyWhatBelongsToTheFunctionIsConsumed() {
    rejects("def main (a: []i32) = a with [0] = 1", "Consuming variable \"a\"");
    rejects("def main (a: *[]i32) = map (\\i -> (a with [0] = i)[0]) [1, 2]", "not consumable");
    rejects(
        "def main (a: *[]i32) = loop b = 0 for i < 3 do let a[i] = i in b + a[0]",
        "not consumable");
    rejects(
        "def main (f: () -> []i32) = 0\ndef g (f: () -> []i32) = f () with [0] = 1",
        "\"f\", which is not consumable");
  }

  @Test
  void resultsAreAsAliasFreeAsTheySay() {
    rejects("def main (a: []i32) : *[]i32 = a", "aliased to \"a\", which is not consumable");
    rejects("def main (a: *[]i32) : (*[]i32, *[]i32) = (a, a)", "some other component");
    rejects("def g = [1, 2, 3]\ndef main (b: bool) = if b then g else [1, 2, 3]", "free variable");
    // Without a written result type, the body determines the uniqueness of the result.
    accepts(
        "def f (a: []i32) = map (+ 1) a\n"
            + "def main (a: [][]i32) : *[]i32 = f a[0] with [0] = 1");
  }

  @Test
  void argumentsDoNotShareWhatIsConsumed() {
    rejects("def main (a: *[]i64) = scatter a a a", "Argument is consumed");
    rejects("def f (p: *([]i32, []i32)) = p.0\ndef main (a: *[]i32) = f (a, a)", "self-aliased");
    accepts("def f (p: *([]i32, []i32)) = p.0\ndef main (a: *[]i32) (b: *[]i32) = f (a, b)");
  }

  @Test
  void functionsThatConsumeAreNotPassedOn() {
    String update = "def update (a: *[]i32) (i: i32) = a with [i] = 0\n";
    rejects(update + "def main (a: *[]i32) = let f = update a in f 0", "[E0612]");
    rejects(update + "def main (a: *[]i32) = map (update a) [1, 2]", "contains consumption");
    accepts(update + "def main (a: []i32) = map (\\i -> update (copy a) i) [1, 2]");
  }

  /**
   * Checks that a parameter without a type is consuming if the body or a consuming parameter
   * requires it.
   */
  @Test
  void loopParametersAreInferred() {
    accepts(
        "def main (n: i64) = loop (a, b) = (replicate n 0i64, replicate n 1) for i < n do"
            + " (b with [i] = a[i], a)");
    rejects(
        "def main (a: []i32) = loop b = a for i < 3 do b with [i] = i", "Consuming variable \"a\"");
    rejects(
        "def main (a: *[]i32) = loop b: []i32 = a for i < 3 do b with [i] = i",
        "\"b\", which is not consumable");
    rejects(
        "def main (n: i64) = loop (a: *[]i64, b: *[]i64) = (iota n, iota n) for _i < n do (a, a)",
        "[E0614]");
    rejects(
        "def main (n: i64) = let c = iota n let d ="
            + " (loop a = iota n for i < n do let a[i] = 0 in c) in (c, d)",
        "[E0613]");
  }

  /** Checks that the time for long functions is linear, also with nested loops. */
  @Test
  void nestedLoopsAreChecked() {
    var nest = new StringBuilder("def main (a: *[]i32) = ");
    for (int i = 0; i < 30; i++) {
      nest.append("loop a for i").append(i).append(" < 2 do ");
    }
    accepts(nest + "a with [0] = 1");
    var lets = new StringBuilder("def main (a: *[]i32) =");
    for (int i = 0; i < 500; i++) {
      lets.append(" let a[0] = a[1]");
    }
    accepts(lets + " in a");
  }

  private static void accepts(String program) {
    assertEquals("", errors(program), program);
  }

  private static void rejects(String program, String message) {
    String errors = errors(program);
    assertTrue(errors.contains(message), () -> program + "\nsays: " + errors);
  }

  private static String errors(String program) {
    try {
      FrontEnd.check(FrontEnd.Options.text("test.fut", program));
      return "";
    } catch (DiagnosticException e) {
      return e.getMessage();
    }
  }
}
