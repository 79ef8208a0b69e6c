package futharkc.core.ir.symbolic;

import futharkc.core.ir.FunDef;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Poly;
import futharkc.core.ir.Program;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Soac;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.text.Parser;
import futharkc.core.ir.verify.Verifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A test program: statements before and inside the iterations of a map, with proofs about the last
 * bound name as an index. The iteration number is {@code i_20}. The elements {@code x_21: i64},
 * {@code y_22: i32}, {@code z_23: i8} and {@code a_24: bool} to {@code e_28: bool} are from the
 * arrays {@code xs_11} to {@code es_18}. There are {@code n_0} iterations, and two arrays of sizes
 * {@code m_2} and {@code k_3}. {@code t_4: i64} and {@code q_5: i32} are arbitrary.
 */
final class IterationCode {
  private static final String HEAD =
      """
      #futhark-ir soacs v1
      fun main(n_0: i64, m_2: i64, k_3: i64, t_4: i64, q_5: i32, xs_11: [n_0]i64, ys_12: [n_0]i32,
          zs_13: [n_0]i8, as_14: [n_0]bool, bs_15: [n_0]bool, cs_16: [n_0]bool, ds_17: [n_0]bool,
          es_18: [n_0]bool, us_19: [m_2]i8, vs_29: [k_3]bool) -> (res_800: i64) = {
      """;
  private static final String ALL =
      "range_10, xs_11, ys_12, zs_13, as_14, bs_15, cs_16, ds_17, es_18";
  private static final String EACH =
      "i_20: i64, x_21: i64, y_22: i32, z_23: i8, a_24: bool, b_25: bool, c_26: bool, d_27: bool,"
          + " e_28: bool";

  /** A lambda that converts a flag to 0 or 1. */
  static final String FLAG =
      "{f_9#1: bool} -> {i64} {let {v_9#2: i64} = btoi_bool_i64(f_9#1) in {v_9#2}}";

  private String width = "n_0";
  private final List<String> before = new ArrayList<>();
  private final List<String> iteration = new ArrayList<>();

  private IterationCode() {}

  /** Returns a program of {@code n_0} iterations with the given statements in each. */
  static IterationCode iteration(String... statements) {
    return before().in(statements);
  }

  /** Returns a program with statements before the iterations. */
  static IterationCode before(String... statements) {
    IterationCode c = new IterationCode();
    c.before.addAll(Arrays.asList(statements));
    return c;
  }

  /** Sets another number of iterations. Iterations then have no array elements. */
  IterationCode width(String name) {
    width = name;
    return this;
  }

  /** Adds statements to each iteration. */
  IterationCode in(String... statements) {
    iteration.addAll(Arrays.asList(statements));
    return this;
  }

  /**
   * Returns a statement that sums a function of arrays. In the function's text, # stands for the
   * number of the sum's name.
   */
  static String sum(String name, String width, String arrays, String map) {
    return name + ": i64 = " + added(name, width, arrays, map, "reduce_comm", "{} -> {} {in {}}");
  }

  /** Returns a statement that computes the inclusive prefix sums of a function of arrays. */
  static String sums(String name, String width, String arrays, String map) {
    String post = "{o_9#7: i64} -> {i64} {in {o_9#7}}";
    return name + ": [" + width + "]i64 = " + added(name, width, arrays, map, "scan", post);
  }

  private static String added(
      String name, String width, String arrays, String map, String kind, String post) {
    String add = "let {s_9#6: i64} = add_i64(l_9#4, r_9#5) in {s_9#6}";
    String op = kind + "({0i64}) \\{l_9#4: i64, r_9#5: i64} -> {i64} {" + add + "}";
    return "screma(%s, {%s}) map \\%s %s post \\%s"
        .formatted(width, arrays, map, op, post)
        .replace("#", name.substring(name.indexOf('_') + 1));
  }

  private String text() {
    StringBuilder s = new StringBuilder(HEAD);
    before.forEach(b -> s.append(let(b)));
    s.append(let("range_10: [" + width + "]i64 = iota_i64(" + width + ", 0i64, 1i64)"));
    boolean all = width.equals("n_0");
    s.append("let {out_801: [").append(width).append("]i64} = screma(").append(width);
    s.append(", {").append(all ? ALL : "range_10").append("}) map \\{");
    s.append(all ? EACH : "i_20: i64").append("} -> {i64} {\n");
    iteration.forEach(l -> s.append(let(l)));
    s.append("in {").append(iteration.getLast().split(":")[0]).append("}}\n");
    s.append("post \\{p_803: i64} -> {i64} {in {p_803}}\nin {0i64}}\n");
    return s.toString();
  }

  private static String let(String statement) {
    return "let {" + statement.replaceFirst(" = ", "} = ") + "\n";
  }

  /** Returns the reason why the index may be out of range, or null. */
  @Nullable String outside(String size) {
    Proof p = new Proof(this);
    return p.proofs.outside(p.index, operand(size));
  }

  /** Returns the reason why the index may be equal at two iterations, or null. */
  @Nullable String repeated() {
    Proof p = new Proof(this);
    return p.proofs.repeated(p.index, operand("n_0"));
  }

  /** Returns the reason why the index may equal another index at any iteration, or null. */
  @Nullable String shared(String other) {
    Proof p = new Proof(this);
    return p.proofs.shared(p.index, p.iterations.of(operand(other)), operand("n_0"));
  }

  /** Returns the reason why an index below the size may not be written, or null. */
  @Nullable String missed(String size) {
    Proof p = new Proof(this);
    return p.proofs.missed(p.index, operand(size));
  }

  private static SubExp operand(String text) {
    if (text.endsWith("i64")) {
      return SubExp.i64(Long.parseLong(text.replace("i64", "")));
    }
    int at = text.lastIndexOf('_');
    return SubExp.of(new Name(text.substring(0, at), Integer.parseInt(text.substring(at + 1))));
  }

  private static final class Proof {
    final Iterations iterations;
    final IterationProofs proofs;
    final Poly index;

    Proof(IterationCode code) {
      Program program = Parser.parse("iterations", code.text());
      Verifier.verify(program);
      FunDef main = Objects.requireNonNull(program.functions().get("main"));
      Soac.Screma map = (Soac.Screma) main.body().stms().getLast().exp();
      Definitions definitions = new Definitions();
      definitions.addAll(main.body());
      List<SubExp> sizes = new ArrayList<>();
      for (Param p : main.params()) {
        sizes.addAll(p.type().dims());
      }
      Scope scope = Scope.ofAll(program, main);
      iterations = new Iterations(map, sizes, definitions, scope, main.nextTag());
      proofs = new IterationProofs(iterations);
      index = iterations.of(map.map().body().results().get(0));
    }
  }
}
