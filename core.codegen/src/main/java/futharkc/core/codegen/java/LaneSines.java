package futharkc.core.codegen.java;

import futharkc.core.codegen.Writer;

/**
 * A printer of sines and cosines of f32 vectors. The operations are those of the scalar functions
 * in {@code FastFloat} of the run time, in the same order, so that results have the same bits.
 * Arguments that are not moderate in some lane are left to the scalar functions.
 */
final class LaneSines {
  private LaneSines() {}

  /**
   * Writes the computation.
   *
   * @param name a prefix of the names of local variables; the variable {@code name} has the result
   * @param x the argument, a variable
   * @param f32 the species of floats
   * @param f64 the species of doubles with as many lanes
   * @param lanes the number of lanes
   */
  static void write(
      boolean cosine, String name, String x, String f32, String f64, int lanes, Writer out) {
    String a = name + "_a";
    String t = name + "_t";
    String rounded = name + "_rounded";
    String f = name + "_f";
    String z = name + "_z";
    String z2 = name + "_z2";
    String p = name + "_p";
    String d = "final DoubleVector ";
    out.line(
        d + a + " = (DoubleVector) " + x + ".convertShape(VectorOperators.F2D, " + f64 + ", 0);");
    String turns = a + ".mul(0x1.45f306dp-2)";
    String low = a + ".mul(7.340831634506093e-10)";
    out.line(
        d
            + t
            + " = "
            + (cosine ? "DoubleVector.broadcast(" + f64 + ", 0.5).sub(" + turns + ")" : turns)
            + ";");
    out.line(d + rounded + " = " + t + ".add(0x1.8p52);");
    out.line(
        d
            + f
            + " = "
            + t
            + ".sub("
            + rounded
            + ".sub(0x1.8p52))"
            + (cosine ? ".sub(" : ".add(")
            + low
            + ");");
    out.line(d + z + " = " + f + ".mul(" + f + ");");
    out.line(d + z2 + " = " + z + ".mul(" + z + ");");
    out.line(
        d
            + p
            + " = "
            + difference(f64, "3.141592653536132", z, "5.167712764593")
            + ".add("
            + z2
            + ".mul("
            + difference(f64, "2.550163317938427", z, "0.599252186531583")
            + ".add("
            + z2
            + ".mul("
            + difference(f64, "0.08205035020147247", z, "0.007028303855203096")
            + "))));");
    // The lowest bit of the rounded number of half turns is the sign of the result.
    String sign = rounded + ".reinterpretAsLongs().lanewise(VectorOperators.LSHL, 63)";
    String signed =
        f
            + ".reinterpretAsLongs().lanewise(VectorOperators.XOR, "
            + sign
            + ").reinterpretAsDoubles()";
    out.line(
        "FloatVector "
            + name
            + " = (FloatVector) "
            + signed
            + ".mul("
            + p
            + ").convertShape(VectorOperators.D2F, "
            + f32
            + ", 0);");
    out.open("if (!" + x + ".abs().compare(VectorOperators.LT, 1e6f).allTrue()) {");
    out.open("for (int k = 0; k < " + lanes + "; k++) {");
    String function = cosine ? "F32.cos(" : "F32.sin(";
    out.line(name + " = " + name + ".withLane(k, " + function + x + ".lane(k)));");
    out.close("}");
    out.close("}");
  }

  /** Returns {@code a - z * b}. */
  private static String difference(String f64, String a, String z, String b) {
    return "DoubleVector.broadcast(" + f64 + ", " + a + ").sub(" + z + ".mul(" + b + "))";
  }
}
