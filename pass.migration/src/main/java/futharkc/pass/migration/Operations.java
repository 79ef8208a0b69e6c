package futharkc.pass.migration;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.LastingArrays;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The flow of scalars through single operations: which operations one thread can perform. */
final class Operations {
  private final ScalarGraph scalars;
  private final HostBodies bodies;
  private final LiteralArrays literals;
  private final LastingArrays lasting;
  private final Settings settings;

  Operations(
      ScalarGraph scalars,
      HostBodies bodies,
      LiteralArrays literals,
      LastingArrays lasting,
      Settings settings) {
    this.scalars = scalars;
    this.bodies = bodies;
    this.literals = literals;
    this.lasting = lasting;
    this.settings = settings;
  }

  /** Tests whether a type is that of a scalar or of an array with one element. */
  static boolean isSingle(Type t) {
    return switch (t) {
      case Type.Prim _ -> true;
      case Type.Array a -> a.shape().stream().allMatch(d -> isConstant(d, 1));
      case Type.Acc _, Type.Mem _ -> false;
    };
  }

  private static boolean isConstant(SubExp e, long value) {
    return e.isInt(value);
  }

  /** Adds the results of an operation. */
  void graph(Stm s, BasicOp op) {
    PatElem p = s.pat().get(0);
    switch (op) {
      case BasicOp.SubExpOp x -> {
        if (p.type() instanceof Type.Prim) {
          scalars.total(s, List.of(x.value()));
        } else {
          literals.view(s, x.value());
        }
      }
      case BasicOp.Opaque x -> {
        if (!(x.tag() instanceof BasicOp.Tag.Barrier)) {
          hosted(s, List.of(x.value()), "is traced");
        } else if (p.type() instanceof Type.Prim) {
          scalars.total(s, List.of(x.value()));
        } else {
          literals.view(s, x.value());
        }
      }
      case BasicOp.ArrayVal _ -> {
        if (!isSingle(p.type())) {
          bodies.hostOnly("it makes an array");
        }
      }
      case BasicOp.ArrayLit x -> literal(s, x);
      case BasicOp.BinOpExp x -> {
        if (x.op().isPartial()) {
          scalars.partial(s, List.of(x.left(), x.right()));
        } else {
          scalars.total(s, List.of(x.left(), x.right()));
        }
      }
      case BasicOp.UnOpExp x -> scalars.total(s, List.of(x.operand()));
      case BasicOp.CmpOpExp x -> scalars.total(s, List.of(x.left(), x.right()));
      case BasicOp.ConvOpExp x -> scalars.total(s, List.of(x.operand()));
      case BasicOp.PrimFunExp x -> scalars.total(s, x.args());
      case BasicOp.Assert x -> check(s, x);
      case BasicOp.Index x -> {
        List<SubExp> at = operandsOf(x.slice());
        if (p.type() instanceof Type.Prim) {
          scalars.read(s, at, lasting.lasts(x.array()));
        } else {
          scalars.sink(at, "selects a part of an array");
          scalars.sinkCertificates(s, "is checked before a part of an array is selected");
          literals.view(s, SubExp.of(x.array()));
        }
      }
      case BasicOp.Update x -> {
        if (settings.updates() && x.slice().isElement() && !x.safe()) {
          scalars.update(s, operandsOf(x.slice()));
        } else {
          scalars.sink(operandsOf(x.slice()), "selects the part of an array that is replaced");
          scalars.sinkCertificates(s, "is checked before an array is updated");
        }
        if (x.slice().isElement()) {
          if (x.safe()) {
            scalars.sink(x.value(), "is written at an index that may be out of range");
          }
        } else {
          boolean one = x.slice().shape().stream().allMatch(d -> isConstant(d, 1));
          if (!one) {
            bodies.hostOnly("it copies a part of an array");
          }
        }
        literals.view(s, SubExp.of(x.array()));
      }
      case BasicOp.FlatIndex x -> {
        scalars.sinkFree(x, "selects a part of an array");
        scalars.sinkCertificates(s, "is checked before a part of an array is selected");
        literals.view(s, SubExp.of(x.array()));
      }
      case BasicOp.FlatUpdate x -> {
        scalars.sinkFree(x, "selects the part of an array that is replaced");
        scalars.sinkCertificates(s, "is checked before an array is updated");
        bodies.hostOnly("it copies a part of an array");
      }
      case BasicOp.Reshape x -> {
        scalars.sinkCertificates(s, "is checked before an array gets another shape");
        literals.view(s, SubExp.of(x.array()));
      }
      case BasicOp.Rearrange x -> literals.view(s, SubExp.of(x.array()));
      case BasicOp.Concat x -> hosted(s, List.of(x.size()), "is the size of an array");
      case BasicOp.Manifest _ -> hosted(s, List.of(), "");
      case BasicOp.Iota x ->
          hosted(s, List.of(x.count(), x.start(), x.stride()), "is an operand of iota");
      case BasicOp.Replicate x -> {
        if (isSingle(p.type()) && x.shape().size() == p.type().rank()) {
          scalars.partial(s, List.of(x.value()));
        } else {
          hosted(s, x.shape(), "is the size of an array");
        }
      }
      case BasicOp.Scratch x -> hosted(s, x.shape(), "is the size of an array");
      case BasicOp.UpdateAcc x -> {
        List<SubExp> all = new ArrayList<>(x.index());
        all.addAll(x.values());
        hosted(s, all, "is written to an accumulator by the host");
      }
      case BasicOp.UserParam x -> hosted(s, List.of(x.defaultValue()), "is a tuning parameter");
    }
  }

  /** Adds an operation that only the host performs. */
  private void hosted(Stm s, List<SubExp> operands, String reason) {
    scalars.sink(operands, reason);
    scalars.sinkCertificates(s, "is checked before an operation of the host");
    bodies.hostOnly("it makes or copies an array");
  }

  private static List<SubExp> operandsOf(Slice slice) {
    List<SubExp> all = new ArrayList<>();
    for (Slice.Dim d : slice.dims()) {
      switch (d) {
        case Slice.Fix f -> all.add(f.index());
        case Slice.Range r -> all.addAll(List.of(r.start(), r.count(), r.stride()));
      }
    }
    return all;
  }

  private void literal(Stm s, BasicOp.ArrayLit x) {
    PatElem p = s.pat().get(0);
    boolean flat = x.row() instanceof Type.Prim;
    boolean variable = x.elems().stream().anyMatch(SubExp.Var.class::isInstance);
    if (flat && x.elems().size() == 1) {
      literals.literal(p.name(), bodies.depth());
      scalars.partial(s, x.elems());
    } else if (flat && variable && settings.literals() && scalars.certificates(s).isEmpty()) {
      literals.move(p.name(), bodies.depth());
      // The kernel of the literal is launched whatever the cut is.
      scalars.graph().kernel(bodies.current().group(), 0);
    } else {
      hosted(s, x.elems(), "is an element of an array that the host makes");
    }
  }

  /** Adds a check, which moves if the device has the scalars that it checks. */
  private void check(Stm s, BasicOp.Assert x) {
    Set<Integer> all = new LinkedHashSet<>();
    scalars.operand(x.cond(), all);
    for (BasicOp.MsgPart m : x.message()) {
      if (m instanceof BasicOp.MsgPart.Value v) {
        scalars.operand(v.value(), all);
      }
    }
    all.addAll(scalars.certificates(s));
    scalars.check(s.pat().get(0).name(), all);
  }
}
