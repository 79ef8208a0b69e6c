package futharkc.core.ir.symbolic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.text.Parser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FactsTest {
  private static Facts passed(FunDef f) {
    Facts facts = Facts.of(f);
    for (Stm s : f.body().stms()) {
      facts.passed(s);
    }
    return facts;
  }

  private static FunDef function(String params, String body) {
    Program p =
        Parser.parse(
            "f.fir",
            "#futhark-ir soacs v1\nfun f(%s) -> () next 100 = {%s in {}}".formatted(params, body));
    return p.functions().get("f");
  }

  private static Poly p(String name, int tag) {
    return Poly.of(new Name(name, tag));
  }

  private static final Poly N = p("n", 1);
  private static final Poly B = p("b", 2);

  @Test
  void quotientsWithoutRemainderAreValues() {
    String divide =
        """
        let {one_10: bool} = sle_i64(1i64, b_2)
        let {c_11: unit} = assert(one_10, "")
        let {m_3: i64} = sub_i64(n_1, 1i64)
        """;
    String check =
        """
        let {r_4: i64} = smod_i64(m_3, b_2)
        let {none_5: bool} = eq_i64(r_4, 0i64)
        let {c_6: unit} = assert(none_5, "")
        """;
    String quotient = "let {q_7: i64} = sdiv_i64(m_3, b_2)\n";
    Poly q = p("q", 7);
    for (String rest : List.of(check + quotient, quotient + check)) {
      Facts facts = passed(function("n_1: i64, b_2: i64", divide + rest));
      assertEquals(q.times(B).plus(Poly.ONE), facts.bounds().normal(N));
    }
    Facts rounded = passed(function("n_1: i64, b_2: i64", divide + quotient));
    assertEquals(N, rounded.bounds().normal(N));
    assertTrue(rounded.bounds().provesLess(q.times(B), N));
    assertTrue(rounded.bounds().provesAtMost(N, q.times(B).plus(B)));
    assertFalse(rounded.bounds().provesLess(N, q.times(B).plus(B)));
  }

  @Test
  void roundedUpQuotientsAreLowerBounded() {
    String count = "let {c_7: i64} = sdiv_up_i64(n_1, 4i64)";
    Facts facts = passed(function("n_1: i64, b_2: i64, xs_5: [n_1]i32", count));
    Poly c = p("c", 7);
    assertTrue(facts.bounds().provesNonNegative(c));
    assertTrue(facts.bounds().provesAtMost(N, c.times(4)));
    assertTrue(facts.bounds().provesLess(c.times(4), N.plus(Poly.of(4))));
    assertFalse(facts.bounds().provesAtMost(c.times(4), N));
    Facts unknown = passed(function("n_1: i64, b_2: i64", count));
    assertFalse(unknown.bounds().provesNonNegative(c));
  }

  @Test
  void checksOfSizesAreValues() {
    String check = "let {same_3: bool} = eq_i64(n_1, b_2) let {c_4: unit} = assert(same_3, \"\")";
    Facts facts = passed(function("n_1: i64, b_2: i64, xs_5: [b_2]i32", check));
    assertTrue(facts.bounds().provesNonNegative(N));
    assertTrue(facts.bounds().provesAtMost(N, B) && facts.bounds().provesAtMost(B, N));
  }

  @Test
  void branchesHaveTheirConditions() {
    String branch =
        """
        let {less_3: bool} = slt_i64(n_1, b_2)
        let {x_4: i64} = if less_3 then {in {n_1}} else {in {b_2}}
        """;
    FunDef f = function("n_1: i64, b_2: i64", branch);
    Facts facts = Facts.of(f);
    facts.passed(f.body().stms().get(0));
    Exp.Match m = (Exp.Match) f.body().stms().get(1).exp();
    assertTrue(facts.inBranch(m, 0).bounds().provesLess(N, B));
    assertTrue(facts.inBranch(m, 1).bounds().provesAtMost(B, N));
    assertFalse(facts.bounds().provesLess(N, B) || facts.bounds().provesAtMost(B, N));
  }

  /**
   * Checks that facts proved after random statements hold for all values that the statements
   * compute.
   */
  @Test
  void factsAreSound() {
    int proved = 0;
    for (int t = 0; t < 1500; t++) {
      Statements s = new Statements(new Random(t));
      List<Map<Name, Long>> runs = s.runs();
      if (runs.isEmpty()) {
        continue;
      }
      Facts facts = Facts.of(s.function());
      for (Stm stm : s.stms) {
        facts.passed(stm);
      }
      for (int g = 0; g < 20; g++) {
        Poly goal = s.goal();
        if (!facts.bounds().provesNonNegative(goal)) {
          continue;
        }
        proved++;
        for (Map<Name, Long> run : runs) {
          assertTrue(value(goal, run) >= 0, () -> goal + " after " + s.stms + " with " + run);
        }
      }
    }
    assertTrue(proved > 1000, "only " + proved);
  }

  private static long value(Poly p, Map<Name, Long> run) {
    long sum = 0;
    for (var t : p.terms().entrySet()) {
      long product = t.getValue();
      for (Name n : t.getKey().factors()) {
        product *= run.get(n);
      }
      sum += product;
    }
    return sum;
  }

  private static final class Statements {
    private static final BinOp.Kind[] OPS = {
      BinOp.Kind.ADD,
      BinOp.Kind.SUB,
      BinOp.Kind.MUL,
      BinOp.Kind.SMIN,
      BinOp.Kind.SMAX,
      BinOp.Kind.SDIV,
      BinOp.Kind.SQUOT,
      BinOp.Kind.SMOD,
      BinOp.Kind.SREM
    };
    private static final CmpOp.Kind[] TESTS = {CmpOp.Kind.SLT, CmpOp.Kind.SLE, CmpOp.Kind.EQ};

    private final Random random;
    private final List<Param> params = new ArrayList<>();
    private final List<Name> names = new ArrayList<>();
    private final List<Stm> stms = new ArrayList<>();
    private int next = 1;

    Statements(Random random) {
      this.random = random;
      for (int i = 0; i < 3; i++) {
        params.add(new Param(fresh(), Type.I64));
        names.add(params.get(i).name());
      }
      for (int i = random.nextInt(2, 9); i > 0; i--) {
        add();
      }
    }

    private Name fresh() {
      return new Name("x", next++);
    }

    FunDef function() {
      List<Param> all = new ArrayList<>(params);
      all.add(new Param(fresh(), new Type.Array(PrimType.I8, List.of(SubExp.of(names.get(0))))));
      Body body = new Body(stms, List.of());
      return new FunDef("f", List.of(), all, List.of(), body, null, next, Loc.NONE);
    }

    private SubExp operand() {
      return random.nextInt(4) == 0
          ? SubExp.i64(random.nextInt(-1, 4))
          : SubExp.of(names.get(random.nextInt(names.size())));
    }

    private void let(Name name, Type type, Exp e) {
      stms.add(new Stm(List.of(new PatElem(name, type)), Aux.NONE, e));
    }

    private void add() {
      if (random.nextInt(3) > 0) {
        Name x = fresh();
        BinOp op = new BinOp(OPS[random.nextInt(OPS.length)], PrimType.I64);
        let(x, Type.I64, new BasicOp.BinOpExp(op, operand(), operand()));
        names.add(x);
        return;
      }
      Name test = fresh();
      CmpOp op = new CmpOp(TESTS[random.nextInt(TESTS.length)], PrimType.I64);
      let(test, Type.BOOL, new BasicOp.CmpOpExp(op, operand(), operand()));
      let(fresh(), Type.UNIT, new BasicOp.Assert(SubExp.of(test), List.of(), List.of()));
    }

    Poly goal() {
      Poly p = Poly.of(random.nextInt(-2, 3));
      for (int i = random.nextInt(1, 3); i > 0; i--) {
        Poly term = Poly.of(operand());
        if (random.nextInt(3) == 0) {
          term = term.times(Poly.of(operand()));
        }
        p = random.nextBoolean() ? p.plus(term) : p.minus(term);
      }
      return p;
    }

    /** Returns the values of all variables in runs without failing checks. */
    List<Map<Name, Long>> runs() {
      List<Map<Name, Long>> runs = new ArrayList<>();
      for (long a = 0; a < 6; a++) {
        for (long b = -2; b < 6; b++) {
          for (long c = -2; c < 6; c++) {
            Map<Name, Long> run = new HashMap<>();
            run.put(names.get(0), a);
            run.put(names.get(1), b);
            run.put(names.get(2), c);
            if (runs(run)) {
              runs.add(run);
            }
          }
        }
      }
      return runs;
    }

    private boolean runs(Map<Name, Long> run) {
      for (Stm s : stms) {
        Name x = s.pat().get(0).name();
        switch (s.exp()) {
          case BasicOp.BinOpExp b -> {
            long l = value(Poly.of(b.left()), run);
            long r = value(Poly.of(b.right()), run);
            if (b.op().isPartial() && r == 0) {
              return false;
            }
            run.put(
                x,
                switch (b.op().kind()) {
                  case ADD -> l + r;
                  case SUB -> l - r;
                  case MUL -> l * r;
                  case SMIN -> Math.min(l, r);
                  case SMAX -> Math.max(l, r);
                  case SDIV -> Math.floorDiv(l, r);
                  case SMOD -> Math.floorMod(l, r);
                  case SQUOT -> l / r;
                  default -> l % r;
                });
          }
          case BasicOp.CmpOpExp c -> {
            long l = value(Poly.of(c.left()), run);
            long r = value(Poly.of(c.right()), run);
            boolean holds =
                switch (c.op().kind()) {
                  case SLT -> l < r;
                  case SLE -> l <= r;
                  default -> l == r;
                };
            run.put(x, holds ? 1L : 0L);
          }
          default -> {
            if (run.get(((SubExp.Var) ((BasicOp.Assert) s.exp()).cond()).name()) == 0) {
              return false;
            }
          }
        }
      }
      return true;
    }
  }
}
