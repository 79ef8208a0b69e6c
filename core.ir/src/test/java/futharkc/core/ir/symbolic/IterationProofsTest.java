package futharkc.core.ir.symbolic;

import static futharkc.core.ir.symbolic.IterationCode.FLAG;
import static futharkc.core.ir.symbolic.IterationCode.before;
import static futharkc.core.ir.symbolic.IterationCode.iteration;
import static futharkc.core.ir.symbolic.IterationCode.sum;
import static futharkc.core.ir.symbolic.IterationCode.sums;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/**
 * Tests of index properties that must not be proved. Each comment gives values that violate the
 * property.
 */
final class IterationProofsTest {
  private static final String MANY = "it depends on too many conditions";

  /** The conjunction of all five flags. */
  private static final String[] FIVE = {
    "f_30: bool = log_and_bool(a_24, b_25)",
    "f_31: bool = log_and_bool(c_26, d_27)",
    "f_32: bool = log_and_bool(f_30, f_31)",
    "f_33: bool = log_and_bool(f_32, e_28)",
  };

  // Narrow types

  /** Finds no proof: at iteration 2^32, the lower half is 0 and less than 5. */
  @Test
  void truncationChangesValues() {
    String index = "j_42: i64 = if l_41 then {in {i_20}} else {in {0i64}}";
    assertNull(iteration("l_41: bool = slt_i64(i_20, 5i64)", index).outside("5i64"));
    assertNotNull(
        iteration("h_40: i32 = sext_i64_i32(i_20)", "l_41: bool = slt_i32(h_40, 5i32)", index)
            .outside("5i64"));
  }

  /** Finds no proof: the i8 sum 100 + 100 is -56; -1 is not less than -56, and 5 is greater. */
  @Test
  void overflowingConstantsChange() {
    assertNotNull(
        iteration(
                "w_40: i8 = add_i8(100i8, 100i8)",
                "l_41: bool = slt_i8(z_23, w_40)",
                "v_42: i64 = sext_i8_i64(z_23)",
                "l_43: bool = slt_i64(v_42, n_0)",
                "u_44: i64 = if l_43 then {in {v_42}} else {in {i_20}}",
                "j_45: i64 = if l_41 then {in {i_20}} else {in {u_44}}")
            .outside("n_0"));
    assertNotNull(
        iteration(
                "w_40: i8 = add_i8(100i8, 100i8)",
                "l_41: bool = slt_i8(w_40, 5i8)",
                "j_42: i64 = if l_41 then {in {n_0}} else {in {i_20}}")
            .outside("n_0"));
  }

  /** Finds no proof: the i32 with the value 2^32 and the i8 with the value 256 are 0. */
  @Test
  void equalityIsModuloTheWidth() {
    String index = "j_44: i64 = if l_43 then {in {n_0}} else {in {i_20}}";
    assertNotNull(
        iteration("h_40: i32 = sext_i64_i32(n_0)", "l_43: bool = eq_i32(h_40, 0i32)", index)
            .outside("n_0"));
    assertNotNull(
        iteration(
                "h_40: i8 = add_i8(z_23, 100i8)",
                "h_41: i8 = add_i8(h_40, 100i8)",
                "h_42: i8 = add_i8(h_41, 56i8)",
                "l_43: bool = eq_i8(h_42, z_23)",
                index)
            .outside("n_0"));
  }

  /** Finds no proof: the i8 with the value 300 is 44. Extending -1 with zeros gives 2^32 - 1. */
  @Test
  void extensionMayChangeValues() {
    String index = "j_44: i64 = add_i64(d_43, i_20)";
    assertNotNull(
        iteration(
                "h_40: i8 = sext_i32_i8(y_22)",
                "h_41: i64 = sext_i8_i64(h_40)",
                "v_42: i64 = sext_i32_i64(y_22)",
                "d_43: i64 = sub_i64(v_42, h_41)",
                index)
            .outside("n_0"));
    assertNotNull(
        iteration(
                "u_40: i64 = zext_i32_i64(y_22)",
                "v_41: i64 = sext_i32_i64(y_22)",
                "d_43: i64 = sub_i64(u_40, v_41)",
                index)
            .outside("n_0"));
    assertNotNull(
        iteration(
                "f_40: i32 = btoi_bool_i32(a_24)",
                "g_41: i32 = sub_i32(0i32, f_40)",
                "u_42: i64 = zext_i32_i64(g_41)",
                "v_45: i64 = btoi_bool_i64(a_24)",
                "d_43: i64 = add_i64(u_42, v_45)",
                index)
            .outside("n_0"));
  }

  /** Finds no proof: the negated number of iteration 2^31 + 1 is 2^31 - 1 as an i32. */
  @Test
  void extendedNegationMayBeOutOfRange() {
    assertNotNull(
        iteration(
                "h_40: i32 = sext_i64_i32(i_20)",
                "g_41: i32 = sub_i32(0i32, h_40)",
                "v_42: i64 = sext_i32_i64(g_41)",
                "e_43: i64 = sub_i64(n_0, 1i64)",
                "j_44: i64 = add_i64(e_43, v_42)")
            .outside("n_0"));
  }

  /** Finds no proof: a divisor of 2^31 is negative as an i32, and so is the remainder. */
  @Test
  void truncatedSizeMayBeNegative() {
    assertNotNull(
        iteration(
                "h_40: i32 = sext_i64_i32(n_0)",
                "r_41: i32 = smod_i32(y_22, h_40)",
                "j_42: i64 = sext_i32_i64(r_41)")
            .outside("n_0"));
  }

  /** Finds no proof: the bitwise "and" of -1 and the mask -2 is -2. */
  @Test
  void negativeMaskGivesNoBound() {
    assertNotNull(iteration("j_40: i64 = and_i64(x_21, -2i64)").outside("n_0"));
    assertNull(iteration("j_40: i64 = and_i64(x_21, 2i64)").outside("3i64"));
  }

  /** Finds no proof: the largest i32 is 2^31 - 1. */
  @Test
  void narrowSizeMayBeMaximal() {
    IterationCode c = before("w_30: i64 = sext_i32_i64(q_5)").width("w_30").in("j_40: i64 = w_30");
    assertNotNull(c.outside("1073741824i64"));
    assertNull(c.outside("2147483648i64"));
  }

  // Comparisons

  private static IterationCode guarded(String low, String high) {
    return iteration(
        "l_40: bool = " + low,
        "h_41: bool = " + high,
        "v_42: i64 = if h_41 then {in {x_21}} else {in {i_20}}",
        "j_43: i64 = if l_40 then {in {v_42}} else {in {i_20}}");
  }

  /** Finds no proof: counterexamples are x = -3, -1, 2n and n. */
  @Test
  void comparisonsBoundOneSide() {
    assertNotNull(guarded("sle_i64(-5i64, x_21)", "slt_i64(x_21, n_0)").outside("n_0"));
    assertNotNull(guarded("slt_i64(x_21, 0i64)", "true").outside("n_0"));
    assertNotNull(guarded("sle_i64(0i64, x_21)", "true").outside("n_0"));
    assertNotNull(guarded("sle_i64(0i64, x_21)", "sle_i64(x_21, n_0)").outside("n_0"));
    assertNull(guarded("sle_i64(0i64, x_21)", "slt_i64(x_21, n_0)").outside("n_0"));
  }

  /** Finds no proof: a counterexample is 200, which is not less than 100. */
  @Test
  void falseComparisonGivesNoUpperBound() {
    IterationCode c =
        iteration(
            "v_40: i64 = and_i64(x_21, 255i64)",
            "l_41: bool = slt_i64(v_40, 100i64)",
            "j_42: i64 = if l_41 then {in {0i64}} else {in {v_40}}");
    assertNotNull(c.outside("100i64"));
    assertNull(c.outside("256i64"));
  }

  // Sums

  /** Finds no proof: if all flags are set, the count before an iteration equals its number. */
  @Test
  void allFlagsMayBeSet() {
    IterationCode c =
        before(sums("rs_30", "n_0", "as_14", FLAG))
            .in("r_40: i64 = rs_30[i_20]", "j_41: i64 = sub_i64(i_20, r_40)");
    assertNotNull(c.outside("n_0"));
    assertNull(
        c.in("f_42: i64 = btoi_bool_i64(a_24)", "j_43: i64 = add_i64(j_41, f_42)").outside("n_0"));
  }

  /** Finds no proof: if all flags are set, the counts before and after an iteration differ. */
  @Test
  void countsBeforeAndAfterDiffer() {
    assertNotNull(
        before(sums("rs_30", "n_0", "as_14", FLAG), sum("all_31", "n_0", "as_14", FLAG))
            .in(
                "r_40: i64 = rs_30[i_20]",
                "f_41: i64 = btoi_bool_i64(a_24)",
                "p_42: i64 = mul_i64(2i64, r_40)",
                "p_43: i64 = sub_i64(p_42, f_41)",
                "d_44: i64 = sub_i64(all_31, p_43)",
                "d_45: i64 = mul_i64(2i64, d_44)",
                "j_46: i64 = add_i64(i_20, d_45)")
            .outside("n_0"));
  }

  /** Finds no proof: the array size m may be greater than n. */
  @Test
  void sumOverAnotherWidthDiffers() {
    assertNotNull(
        before(sum("all_30", "m_2", "", "{} -> {i64} {in {1i64}}"))
            .in("d_40: i64 = sub_i64(all_30, n_0)", "j_41: i64 = add_i64(i_20, d_40)")
            .outside("n_0"));
  }

  /** Finds no proof: the prefix sum at the first iteration differs from the total. */
  @Test
  void onlyLastPrefixSumIsTotal() {
    String[] partition = {
      "r_40: i64 = rs_30[i_20]",
      "u_41: i64 = sub_i64(r_40, 1i64)",
      "v_42: i64 = sub_i64(i_20, r_40)",
      "v_43: i64 = add_i64(v_42, all_32)",
      "j_44: i64 = if a_24 then {in {u_41}} else {in {v_43}}"
    };
    String ranks = sums("rs_30", "n_0", "as_14", FLAG);
    assertNotNull(before(ranks, "all_32: i64 = rs_30[t_4]").in(partition).outside("n_0"));
    assertNull(
        before(ranks, "t_31: i64 = sub_i64(n_0, 1i64)", "all_32: i64 = rs_30[t_31]")
            .in(partition)
            .outside("n_0"));
  }

  /** Finds no proof: the sum of arbitrary values may exceed the number of iterations. */
  @Test
  void onlyFlagsAreCounted() {
    assertNotNull(
        before(sums("rs_30", "n_0", "xs_11", "{x_9#3: i64} -> {i64} {in {x_9#3}}"))
            .in("r_40: i64 = rs_30[i_20]", "j_41: i64 = sub_i64(r_40, x_21)")
            .outside("n_0"));
  }

  // Sizes

  /** Finds no proof: if t = -2^63 + 5, then 2 * t is 10 and t is less than 100. */
  @Test
  void halfOfAWidthMayBeNegative() {
    assertNotNull(
        before("w_30: i64 = mul_i64(t_4, 2i64)")
            .width("w_30")
            .in(
                "l_40: bool = slt_i64(t_4, 100i64)",
                "j_41: i64 = if l_40 then {in {t_4}} else {in {0i64}}")
            .outside("100i64"));
  }

  /** Finds no proof: for n = (2^64 + 2) / 3, three times n is 2. For n = 2^63 - 1, 2n + 2 is 0. */
  @Test
  void overflowingSizesAreNotSums() {
    IterationCode c =
        before("s_30: i64 = mul_i64(3i64, n_0)", "s_31: i64 = sub_i64(s_30, m_2)")
            .in(
                "l_40: bool = slt_i64(n_0, m_2)",
                "j_41: i64 = if l_40 then {in {-1i64}} else {in {i_20}}");
    assertEquals("no bound is known for one outcome of its conditions", c.outside("s_31"));
    IterationCode d =
        before(
                "s_32: i64 = add_i64(n_0, n_0)",
                "s_33: i64 = add_i64(s_32, 2i64)",
                "s_34: i64 = add_i64(s_32, 1i64)")
            .in("j_40: i64 = mul_i64(2i64, i_20)");
    assertNotNull(d.outside("s_33"));
    assertNull(d.outside("s_34"));
  }

  /** Finds no proof: for 2^33 rows and 2^33 + 1 columns, the product is 2^33 modulo 2^64. */
  @Test
  void productsOfSizesOverflow() {
    assertNotNull(
        before("s_30: i64 = mul_i64(n_0, m_2)")
            .in(
                "c_40: i64 = smod_i64(x_21, m_2)",
                "r_41: i64 = mul_i64(i_20, m_2)",
                "j_42: i64 = add_i64(r_41, c_40)")
            .outside("s_30"));
  }

  // Two iterations

  /**
   * Finds no proof: two iterations write index 0. Two consecutive iterations write the same index.
   * Two iterations write index 3.
   */
  @Test
  void twoIterationsMayWriteOneIndex() {
    String index = "j_41: i64 = if a_24 then {in {i_20}} else {in {u_40}}";
    assertNotNull(iteration("j_41: i64 = if a_24 then {in {0i64}} else {in {-1i64}}").repeated());
    assertNotNull(iteration("u_40: i64 = sub_i64(i_20, 1i64)", index).repeated());
    assertNotNull(iteration("j_41: i64 = add_i64(x_21, i_20)").repeated());
    assertNull(iteration("j_41: i64 = if a_24 then {in {i_20}} else {in {-1i64}}").repeated());
  }

  /**
   * Finds no proof: if x is 1 and 0, iterations 0 and 1 both write index 1. The result of a loop
   * may vary between iterations.
   */
  @Test
  void unknownValuesVary() {
    String loop = "u_40: i64 = loop {v_43: i64 = %s} for l_44: i64 < k_3 do {in {v_43}}";
    String index = "j_41: i64 = add_i64(u_40, i_20)";
    assertNotNull(iteration(loop.formatted("x_21"), index).repeated());
    assertNull(before(loop.formatted("t_4")).in(index).repeated());
  }

  /**
   * Finds no proof: if each row has one element, the elements at successive iterations are 0, -1,
   * ...
   */
  @Test
  void rowsVary() {
    assertNotNull(
        before(
                "s_30: i64 = mul_i64(n_0, k_3)",
                "all_31: [s_30]i64 = iota_i64(s_30, 0i64, -1i64)",
                "rows_32: [n_0][k_3]i64 = reshape([n_0, k_3], all_31)",
                "us_33: [n_0]i64 = screma(n_0, {rows_32}) map \\{row_34: [k_3]i64} -> {i64} {"
                    + "let {r_35: i64} = row_34[0i64] in {r_35}} "
                    + "post \\{p_36: i64} -> {i64} {in {p_36}}")
            .in("u_40: i64 = us_33[i_20]", "j_41: i64 = add_i64(u_40, i_20)")
            .repeated());
  }

  /**
   * Finds no proof: the prefix sums of 1, -1, -1, ... are 1, 0, -1, ..., including when a loop
   * passes them through.
   */
  @Test
  void valuesDerivedFromSumsVary() {
    String[] index = {"r_40: i64 = rs_30[i_20]", "j_41: i64 = add_i64(r_40, i_20)"};
    String xs = "{x_9#3: i64} -> {i64} {in {x_9#3}}";
    String rs = sums("rs_30", "n_0", "xs_11", xs);
    assertNotNull(before(rs).in(index).repeated());
    String loop = "let {u_31: i64} = loop {v_32: i64 = o_9307} for l_33: i64 < k_3 do {in {v_32}}";
    String handed = "post \\{o_9307: i64} -> {i64} {";
    assertNotNull(
        before(rs.replace(handed + "in {o_9307}}", handed + loop + " in {u_31}}"))
            .in(index)
            .repeated());
  }

  /**
   * Finds no proof: the results of a map are operands of scans, operands of reductions, then other
   * results, in this order.
   */
  @Test
  void resultsFollowReductionOperands() {
    String both =
        "all_30: i64, us_31: [n_0]i64 = screma(n_0, {is_39, xs_11}) map "
            + "\\{i_32: i64, x_33: i64} -> {i64, i64} {in {%s}} reduce_comm({0i64}) "
            + "\\{l_34: i64, r_35: i64} -> {i64} {let {s_36: i64} = add_i64(l_34, r_35) in {s_36}} "
            + "post \\{p_37: i64} -> {i64} {in {p_37}}";
    String numbers = "is_39: [n_0]i64 = iota_i64(n_0, 0i64, 1i64)";
    String index = "j_40: i64 = us_31[i_20]";
    assertNotNull(before(numbers, both.formatted("i_32, x_33")).in(index).repeated());
    assertNull(before(numbers, both.formatted("x_33, i_32")).in(index).repeated());
  }

  /** Finds no proof: the second result is 0 at each iteration. */
  @Test
  void branchMayHaveSeveralResults() {
    String branch = "u_40: i64, v_41: i64 = if a_24 then {in {%1$s}} else {in {%1$s}}";
    String index = "j_42: i64 = v_41";
    assertNotNull(iteration(branch.formatted("i_20, 0i64"), index).repeated());
    assertNull(iteration(branch.formatted("0i64, i_20"), index).repeated());
  }

  /** Finds no proof: if m = 2^32 - 1 and k = 2^32 + 1, then m * k is 2^64 - 1. */
  @Test
  void writesCollideModuloTwoTo64() {
    String product = "p_40: i64 = mul_i64(m_2, k_3)";
    assertNotNull(
        iteration(
                product,
                "p_41: i64 = add_i64(p_40, 1i64)",
                "o_42: i64 = sub_i64(i_20, p_41)",
                "j_43: i64 = i_20")
            .shared("o_42"));
    assertNotNull(
        iteration(
                product,
                "p_41: i64 = add_i64(p_40, n_0)",
                "o_42: i64 = sub_i64(i_20, p_41)",
                "j_43: i64 = if a_24 then {in {i_20}} else {in {o_42}}")
            .repeated());
  }

  // No iterations

  private static final String NONE = "z_30: bool = eq_i64(n_0, 0i64)";

  /** Finds no proof: with no iterations, arrays of 5, t and 5 elements are not written. */
  @Test
  void withoutIterationsNothingIsWritten() {
    String[] write = {"j_40: i64 = i_20"};
    assertNotNull(
        before(NONE, "s_31: i64 = if z_30 then {in {5i64}} else {in {n_0}}")
            .in(write)
            .missed("s_31"));
    assertNotNull(
        before(NONE, "s_31: i64 = if z_30 then {in {t_4}} else {in {n_0}}")
            .in(write)
            .missed("s_31"));
    assertNotNull(
        before(
                NONE,
                "w_31: i64 = if z_30 then {in {5i64}} else {in {n_0}}",
                sum("s_32", "w_31", "", "{} -> {i64} {in {1i64}}"))
            .in(write)
            .missed("s_32"));
    assertNull(iteration(write).missed("n_0"));
    IterationCode three = before("w_30: i64 = 3i64").width("w_30").in(write);
    assertNull(three.missed("3i64"));
  }

  /** Finds no proof: with no iterations, extending -1 with zeros gives 2^32 - 1. */
  @Test
  void withoutIterationsASizeMayOverflow() {
    assertNotNull(
        before(
                "w_30: i64 = sext_i32_i64(q_5)",
                "p_31: i32 = sub_i32(q_5, 1i32)",
                "p_32: i64 = zext_i32_i64(p_31)",
                "s_33: i64 = add_i64(p_32, 1i64)")
            .width("w_30")
            .in("j_40: i64 = i_20")
            .missed("s_33"));
    assertNotNull(
        before(
                NONE,
                "p_31: i32 = if z_30 then {in {-1i32}} else {in {0i32}}",
                "p_32: i64 = zext_i32_i64(p_31)",
                "e_33: i64 = btoi_bool_i64(z_30)",
                "s_34: i64 = add_i64(n_0, p_32)",
                "s_35: i64 = add_i64(s_34, e_33)")
            .in("j_40: i64 = i_20")
            .missed("s_35"));
  }

  /** Finds no proof: with no iterations and k = 1, e is not less than k. */
  @Test
  void withoutIterationsAComparisonMayDiffer() {
    assertNotNull(
        before(
                NONE,
                "e_31: i64 = btoi_bool_i64(z_30)",
                "l_32: bool = slt_i64(e_31, k_3)",
                "h_33: i32 = sext_i64_i32(k_3)",
                "h_34: i32 = sub_i32(0i32, h_33)",
                "p_35: i32 = if l_32 then {in {0i32}} else {in {h_34}}",
                "p_36: i64 = zext_i32_i64(p_35)",
                "g_37: i64 = if l_32 then {in {0i64}} else {in {k_3}}",
                "s_38: i64 = add_i64(n_0, p_36)",
                "s_39: i64 = add_i64(s_38, g_37)")
            .in("j_40: i64 = i_20")
            .missed("s_39"));
  }

  // Many flags

  /** Finds no proof with too many combinations of flags. Extending -1 with zeros gives 2^32 - 1. */
  @Test
  void tooManyFlagsPreventProofs() {
    IterationCode c = iteration(FIVE).in("j_41: i64 = if f_33 then {in {i_20}} else {in {0i64}}");
    assertEquals(MANY, c.outside("n_0"));
    assertEquals(MANY, c.repeated());
    assertEquals("they depend on too many conditions", c.shared("i_20"));
    assertEquals(MANY, c.missed("n_0"));
    assertNotNull(
        iteration(FIVE)
            .in(
                "f_40: i32 = btoi_bool_i32(f_33)",
                "g_41: i32 = sub_i32(f_40, 1i32)",
                "u_42: i64 = zext_i32_i64(g_41)",
                "f_43: i64 = btoi_bool_i64(f_33)",
                "d_44: i64 = sub_i64(u_42, f_43)",
                "d_45: i64 = add_i64(d_44, 1i64)",
                "j_46: i64 = add_i64(i_20, d_45)")
            .outside("n_0"));
  }

  @Test
  void tooManyCountsPreventProofs() {
    assertEquals(
        MANY,
        before(
                sums("rs_30", "n_0", "as_14", FLAG),
                sums("rs_31", "n_0", "bs_15", FLAG),
                sums("rs_32", "n_0", "cs_16", FLAG))
            .in(
                "r_40: i64 = rs_30[i_20]",
                "r_41: i64 = rs_31[i_20]",
                "r_42: i64 = rs_32[i_20]",
                "m_43: i64 = if a_24 then {in {r_40}} else {in {r_41}}",
                "j_44: i64 = if b_25 then {in {m_43}} else {in {r_42}}")
            .outside("n_0"));
  }
}
