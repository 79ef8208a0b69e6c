package futharkc.pass.mergegpubodies;

import futharkc.core.ir.Body;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.LastingArrays;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.Pass;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.PassInfo;
import futharkc.core.ir.spi.Property;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins the {@link futharkc.core.ir.HostOp.GpuBody}s of a body of the host into as few kernels as
 * the dependences allow: each launch costs time. Statements move for that, but never before what
 * they depend on, nor before a check or a trace that came before another one.
 *
 * <p>Before:
 *
 * <pre>
 * let {a': [1]i64} = gpu_body {i64} {let a = xs[0] in {a}}
 * let {b': [1]i64} = gpu_body {i64} {let a = a'[0] let b = a + 1 in {b}}
 * let {y: i64} = b'[0]
 * </pre>
 *
 * <p>After:
 *
 * <pre>
 * let {a': [1]i64, b': [1]i64} = gpu_body {i64, i64} {let a = xs[0] let b = a + 1 in {a, b}}
 * let {y: i64} = b'[0]
 * </pre>
 *
 * <p>A kernel that only computes scalars needs no launch if it becomes part of another kernel. Each
 * thread of the kernels that use the scalars computes them, if they take a few operations; else the
 * reduction that produced the operands computes the scalars at its end. Option {@code absorb}.
 *
 * <p>Known gap: a kernel that consumes what another one has made stays apart.
 *
 * <p>Source: P. J. Børgesen, Reducing Synchronous GPU Memory Transfers, 2022, section 4.4, with
 * algorithm 4 corrected.
 */
public final class MergeGpuBodiesPass implements Pass.OnFunction {
  private static final String ABSORB = "absorb";

  @Override
  public PassInfo info() {
    return PassInfo.named("merge-gpu-bodies", "joins kernels of single threads", Rep.GPU)
        .prefers(Property.SIMPLIFIED)
        .destroys(Property.SIMPLIFIED)
        .after("migration")
        .options(options());
  }

  private static Option[] options() {
    List<Option> all = new ArrayList<>();
    all.add(
        new Option(
            ABSORB, Option.Kind.BOOLEAN, "true", "make small kernels parts of other kernels"));
    all.addAll(Limits.options());
    return all.toArray(Option[]::new);
  }

  @Override
  public int apiLevel() {
    return 1;
  }

  @Override
  public FunDef run(FunDef function, Program program, PassContext context) {
    Aliases aliases = context.analyses().get(function, Aliases.ANALYSIS);
    NameSource names = new NameSource(function.nextTag());
    Body body = new Merging(aliases, names, new VisibleEffects(program)).body(function.body());
    if (context.flag(ABSORB)) {
      FunDef merged = body == function.body() ? function : function.withBody(body, names.next());
      Aliases ofMerged = context.analyses().get(merged, Aliases.ANALYSIS);
      LastingArrays lasting = new LastingArrays(merged, ofMerged, true);
      Report report = new Report(context, function.name());
      body = new Absorption(ofMerged, lasting, Limits.of(context), names, report).body(body);
    }
    return body == function.body() ? function : function.withBody(body, names.next());
  }
}
