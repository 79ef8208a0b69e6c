package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The Jacobian matrix of an operator's results with respect to its left operands. Forward mode with
 * one direction for each operand computes the entries and shows which of them are zero.
 *
 * @param d the number of results
 * @param entries the entries, row by row; a constant zero is zero for all operands
 */
record Jacobian(int d, List<SubExp> entries) {
  /**
   * Returns the Jacobian of an operator on scalars, as straight-line code, at the given operands.
   */
  static Jacobian of(
      Derivation derivation, Emitter e, Lambda op, List<SubExp> left, List<SubExp> right) {
    int d = op.results().size();
    Lambda g = Folds.copy(e, op);
    Map<Name, SubExp> args = new HashMap<>();
    for (int k = 0; k < d; k++) {
      args.put(g.params().get(d + k).name(), right.get(k));
    }
    Tangents tangents = new Tangents(d);
    List<Name> inputs = new ArrayList<>();
    for (int k = 0; k < d; k++) {
      Param p = g.params().get(k);
      e.alias(p.name(), p.type(), left.get(k));
      inputs.add(p.name());
      for (int dir = 0; dir < d; dir++) {
        PrimType t = p.type().elemPrim();
        tangents.set(p.name(), dir, dir == k ? Arithmetic.one(t) : Arithmetic.zero(t));
      }
    }
    Body body = new Substitution(args).body(g.body());
    new Forward(derivation, Activity.of(body, inputs), tangents, e).stms(body.stms());
    List<SubExp> entries = new ArrayList<>();
    for (SubExp r : body.results()) {
      entries.addAll(tangents.values(e, r));
    }
    return new Jacobian(d, entries);
  }

  /**
   * Returns the smallest block size for which the matrix is block-diagonal. The result is 0 if the
   * blocks are too large to multiply, if a block mixes types, or if the operator is no
   * straight-line code on scalars.
   */
  static int block(Derivation derivation, Emitter around, Lambda op) {
    int d = op.results().size();
    for (Type t : op.results()) {
      if (!(t instanceof Type.Prim)) {
        return 0;
      }
    }
    for (Stm s : op.body().stms()) {
      if (!(s.exp() instanceof BasicOp)) {
        return 0;
      }
    }
    // The trial shows the zeros; its code is discarded.
    Emitter trial = around.inner();
    List<SubExp> left = new ArrayList<>();
    List<SubExp> right = new ArrayList<>();
    for (int k = 0; k < d; k++) {
      left.add(SubExp.of(trial.param("l", op.results().get(k)).name()));
      right.add(SubExp.of(trial.param("r", op.results().get(k)).name()));
    }
    Jacobian j = of(derivation, trial, op, left, right);
    for (int k = 1; k <= d; k++) {
      boolean small = d == 1 || k <= d / 2;
      if (d % k == 0 && small && j.isInBlocks(k) && sameTypes(op.results(), k)) {
        return k;
      }
    }
    return 0;
  }

  private static boolean sameTypes(List<Type> types, int k) {
    for (int i = 0; i < types.size(); i++) {
      if (!types.get(i).equals(types.get(i / k * k))) {
        return false;
      }
    }
    return true;
  }

  private boolean isInBlocks(int k) {
    for (int row = 0; row < d; row++) {
      for (int col = 0; col < d; col++) {
        if (row / k != col / k && !Arithmetic.isZero(entries.get(row * d + col))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Returns the entries in blocks, block by block. */
  List<SubExp> blocks(int k) {
    List<SubExp> all = new ArrayList<>();
    for (int b = 0; b < d / k; b++) {
      for (int row = b * k; row < (b + 1) * k; row++) {
        all.addAll(entries.subList(row * d + b * k, row * d + (b + 1) * k));
      }
    }
    return all;
  }

  /** Tests whether all blocks are syntactically equal. */
  boolean hasEqualBlocks(int k) {
    List<SubExp> all = blocks(k);
    List<SubExp> first = all.subList(0, k * k);
    for (int b = 1; b < d / k; b++) {
      if (!all.subList(b * k * k, (b + 1) * k * k).equals(first)) {
        return false;
      }
    }
    return true;
  }
}
