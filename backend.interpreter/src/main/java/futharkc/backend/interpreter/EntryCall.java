package futharkc.backend.interpreter;

import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A call of an entry point of an imperative program: conversion of arguments, checks of sizes,
 * conversion of results.
 */
final class EntryCall {
  private final ImperativeProgram program;
  private final ImperativeProgram.Entry entry;
  private final VariableSlots constants;
  private final Activation constantValues;

  /** The values of the inputs that are sizes, by name. */
  private final Map<Name, Long> sizes = new HashMap<>();

  EntryCall(
      ImperativeProgram program,
      ImperativeProgram.Entry entry,
      VariableSlots constants,
      Activation constantValues) {
    this.program = program;
    this.entry = entry;
    this.constants = constants;
    this.constantValues = constantValues;
  }

  List<Value> run(ImperativeMachine.Function f, List<Value> args, Execution x) {
    List<ExtType.Transparent> types = new ArrayList<>();
    List<Boolean> consumed = new ArrayList<>();
    for (EntryPoint.Param p : entry.entry().params()) {
      for (ExtType.Transparent t : p.type().parts(program.opaques())) {
        types.add(t);
        consumed.add(p.unique());
      }
    }
    List<Value> flat = Signature.flat(args, types);
    Activation a = f.activation(x);
    for (int i = 0; i < entry.params().size(); i++) {
      int slot = f.params()[i];
      switch (entry.params().get(i)) {
        case ImperativeProgram.Input.Scalar s -> {
          long bits = ((Scalar) flat.get(s.arg())).bits();
          if (s.type() == PrimType.I64) {
            sizes.put(s.name(), bits);
          }
          a.set(slot, bits);
        }
        case ImperativeProgram.Input.Size s -> {
          long size = size(s.places().get(0), flat);
          for (ImperativeProgram.Place p : s.places()) {
            expect(p, size, flat);
          }
          sizes.put(s.name(), size);
          a.set(slot, size);
        }
        case ImperativeProgram.Input.Block b -> {
          CheckedBlock block = block(b, (ArrayValue) flat.get(b.arg()));
          boolean isConsumed = consumed.get(b.arg());
          a.blocks[slot] = isConsumed ? block : block.fixed("it is not consumed");
        }
      }
    }
    for (ImperativeProgram.SizeCheck c : entry.checks()) {
      switch (c) {
        case ImperativeProgram.SizeCheck.Constant k -> expect(k.place(), k.size(), flat);
        case ImperativeProgram.SizeCheck.Argument g ->
            expect(g.place(), ((Scalar) flat.get(g.arg())).bits(), flat);
      }
    }
    f.body().run(a);
    x.checkDevice();
    return results(f, a);
  }

  private static long size(ImperativeProgram.Place p, List<Value> args) {
    return ((ArrayValue) args.get(p.arg())).shape()[p.dim()];
  }

  private static void expect(ImperativeProgram.Place p, long size, List<Value> args) {
    if (size(p, args) == size) {
      return;
    }
    throw new FutharkError(
        "Argument "
            + p.arg()
            + " has invalid size: dimension "
            + p.dim()
            + " is "
            + size(p, args)
            + " where "
            + size
            + " is expected.");
  }

  private CheckedBlock block(ImperativeProgram.Input.Block b, ArrayValue value) {
    Store given = Store.of(b.elem(), value.data());
    Store own = Store.scratch(b.elem(), value.size());
    own.copy(0, given, 0, value.length());
    String name = "argument " + b.arg();
    return program.rep().hasDevice()
        ? CheckedBlock.bytes(name, b.elem(), own)
        : CheckedBlock.of(name, b.elem(), own);
  }

  // Conversion of results

  private List<Value> results(ImperativeMachine.Function f, Activation a) {
    List<ExtType.Transparent> types = entry.entry().result().parts(program.opaques());
    List<Value> values = new ArrayList<>();
    List<CheckedBlock> returned = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      ExtType.Transparent t = types.get(i);
      ElemType elem = Signature.elemType(t.prim(), t.unsigned());
      values.add(
          switch (entry.results().get(i)) {
            case ImperativeProgram.Output.Unit u -> Scalar.UNIT;
            case ImperativeProgram.Output.Scalar s ->
                new Scalar(elem, a.defined(f.results().get(s.result())::scalar, "a result"));
            case ImperativeProgram.Output.Array r -> {
              CheckedBlock b = f.results().get(r.block()).block(a);
              returned.add(b);
              yield array(b, r, elem, f, a);
            }
          });
    }
    a.execution.end(returned);
    return values;
  }

  private Value array(
      CheckedBlock b,
      ImperativeProgram.Output.Array r,
      ElemType elem,
      ImperativeMachine.Function f,
      Activation a) {
    long[] shape = r.shape().stream().mapToLong(d -> dim(d, f, a)).toArray();
    long n = ArrayValue.size(shape);
    b.checkRun(r.elem(), 0, n, "returned");
    Object data = elem.newArray(Math.toIntExact(n));
    Store store = Store.of(r.elem(), data);
    for (int i = 0; i < n; i++) {
      int at = i;
      store.set(i, a.defined(x -> b.read(r.elem(), at, x.execution), "a result"));
    }
    return new ArrayValue(elem, shape, data);
  }

  private long dim(ImperativeProgram.Dim dim, ImperativeMachine.Function f, Activation a) {
    return switch (dim) {
      case ImperativeProgram.Dim.Constant c -> c.size();
      case ImperativeProgram.Dim.Result r ->
          a.defined(f.results().get(r.result())::scalar, "a size");
      case ImperativeProgram.Dim.Known k -> {
        Long known = sizes.get(k.size());
        yield known != null ? known : constantValues.scalars[constants.ownScalar(k.size())];
      }
    };
  }
}
