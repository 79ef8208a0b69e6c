package futharkc.backend.interpreter;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.SegLevel;
import futharkc.core.ir.SegVirt;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.Type;

/** Operations on memory, and of GPU host code. */
final class MemoryCode {
  private final FunctionCompiler compiler;
  private final VariableScopes scopes;

  MemoryCode(FunctionCompiler compiler) {
    this.compiler = compiler;
    this.scopes = compiler.scopes;
  }

  Instruction memOp(MemOp op, Stm s) {
    return switch (op) {
      case MemOp.Alloc a -> {
        In size = scopes.in(a.size());
        Space space = a.space();
        Out out = compiler.outs(s)[0];
        Device device = compiler.machine.device();
        yield f -> out.object(f, Block.allocate(space, size.scalar(f)).watched(device));
      }
      case MemOp.EnsureDirect d -> ensureDirect(d, s);
    };
  }

  /** The block of the array, or a new one with what the array is. */
  private Instruction ensureDirect(MemOp.EnsureDirect d, Stm s) {
    In array = scopes.in(d.array());
    Type.Array type = (Type.Array) scopes.type(SubExp.of(d.array()));
    Out[] outs = compiler.outs(s);
    Out out = outs[outs.length - 1];
    ArrayMem from = type.mem();
    if (from == null || !(s.pat().get(0).type() instanceof Type.Mem mem)) {
      return f -> out.fresh(f).assign(array.view(f));
    }
    In block = scopes.in(from.block());
    Device device = compiler.machine.device();
    return f -> {
      View v = array.view(f);
      boolean direct = v.offset() == 0 && v.isContiguous();
      outs[0].object(
          f,
          direct
              ? block.object(f)
              : Block.of(mem.space(), type.elem(), v.copy().store()).watched(device));
      out.fresh(f).assign(v);
    };
  }

  Instruction hostOp(HostOp op, Stm s) {
    return switch (op) {
      case HostOp.GetSize x -> {
        Out out = compiler.outs(s)[0];
        long size = size(x.parameter());
        yield f -> out.scalar(f, size);
      }
      case HostOp.GetSizeMax x -> {
        Out out = compiler.outs(s)[0];
        long size = SmallSizes.max(x.sizeClass());
        yield f -> out.scalar(f, size);
      }
      case HostOp.CmpSizeLe x -> {
        In value = scopes.in(x.value());
        Out out = compiler.outs(s)[0];
        long size = size(x.parameter());
        yield f -> out.scalar(f, size <= value.scalar(f) ? 1 : 0);
      }
      case HostOp.CalcNumBlocks x -> {
        In width = scopes.in(x.width());
        In blockSize = scopes.in(x.blockSize());
        Out out = compiler.outs(s)[0];
        long max = size(x.maxBlocks());
        yield f ->
            out.scalar(
                f, Math.max(1, Math.min(max, Math.ceilDiv(width.scalar(f), blockSize.scalar(f)))));
      }
      case HostOp.Read x -> {
        In[] arrays = scopes.names(x.elements().stream().map(HostOp.Element::array).toList());
        In[][] index = x.elements().stream().map(e -> scopes.ins(e.index())).toArray(In[][]::new);
        Out[] outs = compiler.outs(s);
        yield f -> {
          compiler.machine.device().read();
          for (int k = 0; k < outs.length; k++) {
            long[] at = new long[index[k].length];
            for (int d = 0; d < at.length; d++) at[d] = index[k][d].scalar(f);
            View element = arrays[k].view(f).at(at);
            outs[k].scalar(f, element.get(element.offset()));
          }
        };
      }
      case HostOp.GpuBody x -> {
        Lambda body = compiler.body(x.body());
        Out[] outs = compiler.outs(s);
        SegLevel thread = new SegLevel.Thread(SegVirt.NO_VIRT, null);
        Device device = compiler.machine.device();
        yield f -> {
          device.launch(
              thread,
              () -> {
                device.next(thread);
                body.run(f);
              });
          for (int k = 0; k < outs.length; k++) {
            In r = body.results()[k];
            if (!r.isScalar()) {
              outs[k].operand(f, r.view(f));
            } else {
              View v = outs[k].fresh(f);
              v.set(v.row(0), r.scalar(f));
            }
          }
        };
      }
    };
  }

  /** The value of a tuning parameter: as given, or what suits small inputs. */
  private long size(TuningParameter p) {
    Long given = compiler.machine.options().parameters().get(p.name());
    return given != null
        ? given
        : SmallSizes.byDefault(p.sizeClass(), compiler.machine.options().threshold());
  }
}
