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

/** A compiler of memory operations and of GPU host operations. */
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
        Operand size = scopes.in(a.size());
        Space space = a.space();
        Destination out = compiler.outs(s)[0];
        DeviceState device = compiler.machine.device();
        yield f -> out.object(f, Block.allocate(space, size.scalar(f)).watched(device));
      }
      case MemOp.EnsureDirect d -> ensureDirect(d, s);
    };
  }

  /**
   * Compiles an {@code EnsureDirect}. It returns the block of an array that is row-major from
   * offset 0, and otherwise a new block with a copy.
   */
  private Instruction ensureDirect(MemOp.EnsureDirect d, Stm s) {
    Operand array = scopes.in(d.array());
    Type.Array type = (Type.Array) scopes.type(SubExp.of(d.array()));
    Destination[] outs = compiler.outs(s);
    Destination out = outs[outs.length - 1];
    ArrayMem from = type.mem();
    if (from == null || !(s.pat().get(0).type() instanceof Type.Mem mem)) {
      return f -> out.fresh(f).assign(array.view(f));
    }
    Operand block = scopes.in(from.block());
    DeviceState device = compiler.machine.device();
    return f -> {
      ArrayView v = array.view(f);
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
        Destination out = compiler.outs(s)[0];
        long size = size(x.parameter());
        yield f -> out.scalar(f, size);
      }
      case HostOp.GetSizeMax x -> {
        Destination out = compiler.outs(s)[0];
        long size = SmallSizes.max(x.sizeClass());
        yield f -> out.scalar(f, size);
      }
      case HostOp.CmpSizeLe x -> {
        Operand value = scopes.in(x.value());
        Destination out = compiler.outs(s)[0];
        long size = size(x.parameter());
        yield f -> out.scalar(f, size <= value.scalar(f) ? 1 : 0);
      }
      case HostOp.CalcNumBlocks x -> {
        Operand width = scopes.in(x.width());
        Operand blockSize = scopes.in(x.blockSize());
        Destination out = compiler.outs(s)[0];
        long max = size(x.maxBlocks());
        yield f ->
            out.scalar(
                f, Math.max(1, Math.min(max, Math.ceilDiv(width.scalar(f), blockSize.scalar(f)))));
      }
      case HostOp.Read x -> {
        Operand[] arrays = scopes.names(x.elements().stream().map(HostOp.Element::array).toList());
        Operand[][] index =
            x.elements().stream().map(e -> scopes.ins(e.index())).toArray(Operand[][]::new);
        Destination[] outs = compiler.outs(s);
        long bytes = s.pat().stream().mapToLong(p -> p.type().elemPrim().bytes()).sum();
        yield f -> {
          compiler.machine.device().read(outs.length, bytes);
          for (int k = 0; k < outs.length; k++) {
            long[] at = new long[index[k].length];
            for (int d = 0; d < at.length; d++) {
              at[d] = index[k][d].scalar(f);
            }
            ArrayView element = arrays[k].view(f).at(at);
            outs[k].scalar(f, element.get(element.offset()));
          }
        };
      }
      case HostOp.GpuBody x -> {
        CompiledLambda body = compiler.body(x.body());
        Destination[] outs = compiler.outs(s);
        SegLevel thread = new SegLevel.Thread(SegVirt.NO_VIRT, null);
        DeviceState device = compiler.machine.device();
        yield f -> {
          device.launch(
              thread,
              () -> {
                device.next(thread);
                body.run(f);
              });
          for (int k = 0; k < outs.length; k++) {
            Operand r = body.results()[k];
            if (!r.isScalar()) {
              outs[k].operand(f, r.view(f));
            } else if (x.types().get(k).equals(Type.UNIT)) {
              outs[k].scalar(f, r.scalar(f));
            } else {
              ArrayView v = outs[k].fresh(f);
              v.set(v.row(0), r.scalar(f));
            }
          }
        };
      }
    };
  }

  /** Returns the value of a tuning parameter: the given one, or a default for small inputs. */
  private long size(TuningParameter p) {
    Long given = compiler.machine.options().parameters().get(p.name());
    return given != null
        ? given
        : SmallSizes.byDefault(p.sizeClass(), compiler.machine.options().threshold());
  }
}
