package futharkc.pass.memorymerge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.analysis.AnalysisCache;
import futharkc.core.ir.memory.BlockUses;
import futharkc.core.ir.memory.FunctionMemory;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.verify.Verifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Tests of the uses of random statements against the model that generates them. */
final class BlockUseTableTest {
  private static final int STATEMENTS = 24;

  /**
   * The model of a statement.
   *
   * @param bound the names that it binds
   * @param mentioned the blocks that it mentions at any depth
   * @param made the blocks that it accesses or passes on
   * @param allocates true if it allocates at any depth
   * @param isAlloc true if it is an allocation
   */
  private record Step(
      List<Name> bound, Set<Name> mentioned, Set<Name> made, boolean allocates, boolean isAlloc) {}

  private record Array(Name name, Name block) {
    String place() {
      return "[n_0]i64 @ " + block + " -> 0 + {n_0: 1}";
    }
  }

  private final Random random;
  private final StringBuilder text = new StringBuilder();
  private final List<Step> steps = new ArrayList<>();
  private final List<Name> blocks = new ArrayList<>();
  private final List<Name> allocated = new ArrayList<>();
  private final List<Name> inner = new ArrayList<>();
  private final List<Array> arrays = new ArrayList<>();

  /** The class of each block; a merge updates all entries. */
  private final Map<Name, Name> classes = new HashMap<>();

  private final Set<Name> replaced = new HashSet<>();
  private final Set<Name> results = new HashSet<>();
  private final List<Stm> stms;
  private final BlockUseTable uses;
  private int next = 10;

  BlockUseTableTest(RepetitionInfo info) {
    random = new Random(info.getCurrentRepetition());
    Name given = new Name("given", 2);
    blocks.add(given);
    classes.put(given, given);
    arrays.add(new Array(new Name("all", 3), given));
    for (int i = 0; i < STATEMENTS; i++) {
      statement();
    }
    Array result = any(arrays);
    results.add(result.block);
    Program program =
        Parser.parse(
            "uses.fir",
            """
            #futhark-ir seq-mem v1

            fun main(n_0: i64, c_1: bool, given_2: mem i64, all_3: %s) -> (r_4: mem i64, r_5: %s) next 500 = {
            %s  in {%s, %s}
            }
            """
                .formatted(
                    arrays.get(0).place(),
                    new Array(result.name, new Name("r", 4)).place(),
                    text,
                    result.block,
                    result.name));
    Verifier.verify(program);
    FunDef f = program.functions().get("main");
    stms = f.body().stms();
    uses =
        new BlockUseTable(
            stms,
            f.body().results(),
            new AnalysisCache().get(f, BlockUses.ANALYSIS),
            new FunctionMemory(f, program).accesses(),
            classes::get,
            replaced::contains);
  }

  private Name name(String base) {
    return new Name(base, next++);
  }

  private Name block() {
    Name b = name("mem");
    blocks.add(b);
    classes.put(b, b);
    return b;
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** Returns an array, mostly a recent one, so that blocks die. */
  private Array recent() {
    return arrays.get(Math.max(random.nextInt(arrays.size()), random.nextInt(arrays.size())));
  }

  private void statement() {
    switch (allocated.isEmpty() ? 0 : random.nextInt(10)) {
      case 0, 1, 2 -> {
        Name b = block();
        allocated.add(b);
        say("{%s: mem i64} = alloc(n_0, i64)".formatted(b));
        steps.add(new Step(List.of(b), Set.of(), Set.of(), true, true));
      }
      case 3, 4 -> make("iota_i64(n_0, 0i64, 1i64)", true);
      case 5 -> make("scratch([n_0] i64)", false);
      case 6, 7 -> {
        Name v = name("v");
        Array a = recent();
        say("{%s: i64} = %s[0i64]".formatted(v, a.name));
        steps.add(new Step(List.of(v), Set.of(a.block), Set.of(a.block), false, false));
      }
      case 8 -> branch();
      default -> loop();
    }
  }

  private void make(String how, boolean touches) {
    Name b = any(allocated);
    Array made = new Array(name("xs"), b);
    arrays.add(made);
    say("{%s: %s} = %s".formatted(made.name, made.place(), how));
    Set<Name> all = Set.of(b);
    steps.add(new Step(List.of(made.name), all, touches ? all : Set.of(), false, false));
  }

  private void branch() {
    Array a = recent();
    Array b = any(arrays);
    Name block = block();
    Array chosen = new Array(name("ys"), block);
    say(
        "{%s: mem i64, %s: %s} = if c_1 then {in {%s, %s}} else {in {%s, %s}}"
            .formatted(block, chosen.name, chosen.place(), a.block, a.name, b.block, b.name));
    Set<Name> passed = new HashSet<>(List.of(a.block, b.block));
    Set<Name> mentioned = new HashSet<>(passed);
    mentioned.add(block);
    steps.add(new Step(List.of(block, chosen.name), mentioned, passed, false, false));
    merge(a.block, block);
    merge(b.block, block);
    arrays.add(chosen);
  }

  /** Adds a loop that reads two arrays, and computes one in a block of its own. */
  private void loop() {
    Name v = name("v");
    Name block = name("mem");
    Array inside = new Array(name("zs"), block);
    classes.put(block, block);
    inner.add(block);
    Array first = recent();
    Array second = any(arrays);
    say(
        "{%s: i64} = loop {%s: i64 = 0i64} for %s: i64 < n_0 do {"
            .formatted(v, name("s"), name("i")));
    say("{%s: mem i64} = alloc(n_0, i64)".formatted(block));
    say("{%s: %s} = iota_i64(n_0, 0i64, 1i64)".formatted(inside.name, inside.place()));
    say("{%s: i64} = %s[0i64]".formatted(name("w"), first.name));
    Name w = name("w");
    say("{%s: i64} = %s[0i64]".formatted(w, second.name));
    text.append("  in {" + w + "}}\n");
    Set<Name> all = new HashSet<>(List.of(block, first.block, second.block));
    steps.add(new Step(List.of(v), all, all, true, false));
  }

  private void say(String statement) {
    text.append("  let ").append(statement).append("\n");
  }

  private void merge(Name from, Name into) {
    Name a = classes.get(from);
    Name b = classes.get(into);
    classes.replaceAll((n, c) -> c.equals(a) ? b : c);
  }

  @RepeatedTest(100)
  void joinsAreKeptUpWith() {
    for (int k = 0; k < 12; k++) {
      assertRight("after " + k + " joins");
      Name from = any(k % 3 == 0 && !inner.isEmpty() ? inner : allocated);
      Name into = k == 0 ? blocks.get(0) : any(blocks);
      Name a = classes.get(from);
      Name b = classes.get(into);
      if (a.equals(b)) {
        continue;
      }
      replaced.add(from);
      uses.join(a, b);
      merge(from, into);
    }
  }

  private void assertRight(String when) {
    for (int i = 0; i < STATEMENTS; i++) {
      assertEquals(i, uses.position(stms.get(i)), when);
      for (Name n : steps.get(i).bound) {
        assertEquals(i, uses.binder(n), when);
      }
    }
    for (Name b : blocks) {
      assertEquals(first(i -> steps.get(i).made.contains(b)), uses.made(b), when + ": " + b);
      assertEquals(first(i -> isNamed(i, b)), uses.named(b), when + ": " + b);
      int lastNamed = -1;
      for (int i = 0; i < STATEMENTS; i++) {
        if (isNamed(i, b) || steps.get(i).bound.contains(b)) {
          lastNamed = i;
        }
      }
      assertEquals(lastNamed, uses.lastNamed(b), when + ": " + b);
      assertEquals(last(classes.get(b)), uses.last(b), when + ": " + b);
    }
    for (int from = 0; from < STATEMENTS; from++) {
      for (int to = from; to <= STATEMENTS; to++) {
        Name block = any(blocks);
        int end = to;
        assertEquals(
            isAllocated(from, to, block),
            uses.isAllocated(from, to, block),
            () -> when + ": " + block + " up to " + end);
      }
    }
  }

  private boolean isNamed(int i, Name b) {
    return steps.get(i).mentioned.contains(b);
  }

  private static int first(IntPredicate is) {
    int i = 0;
    while (i < STATEMENTS && !is.test(i)) {
      i++;
    }
    return i;
  }

  private int last(Name all) {
    for (Name r : results) {
      if (classes.get(r).equals(all)) {
        return STATEMENTS;
      }
    }
    for (int i = STATEMENTS - 1; i >= 0; i--) {
      for (Name n : steps.get(i).mentioned) {
        if (classes.get(n).equals(all)) {
          return i;
        }
      }
    }
    return -1;
  }

  /**
   * Tests whether another block is allocated in the range. The first such allocation decides,
   * because all other blocks die later.
   */
  private boolean isAllocated(int from, int to, Name block) {
    for (int i = from; i < to; i++) {
      Step s = steps.get(i);
      if (!s.allocates || s.bound.contains(block) || replaced.contains(s.bound.get(0))) {
        continue;
      }
      if (!s.isAlloc) {
        return true;
      }
      for (Name b : blocks) {
        int last = last(classes.get(b));
        if (last >= i && last < to && isOwned(classes.get(b))) {
          return true;
        }
      }
      return false;
    }
    return false;
  }

  /** Tests whether a statement binds a block of a class. */
  private boolean isOwned(Name all) {
    return steps.stream().flatMap(s -> s.bound.stream()).anyMatch(b -> all.equals(classes.get(b)));
  }
}
