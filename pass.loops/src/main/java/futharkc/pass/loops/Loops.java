package futharkc.pass.loops;

import futharkc.core.ir.Loc;
import futharkc.core.ir.Machine;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.spi.Option;
import futharkc.core.ir.spi.PassContext;
import futharkc.core.ir.spi.Remark;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A traversal of the loops of a function, inner ones first, that replaces some of them. */
final class Loops implements LoopContext {
  /** A rewriting of one loop. */
  interface Rule {
    /**
     * Returns the replacement of a loop whose inner loops have been rewritten; null if the loop
     * stays.
     */
    @Nullable List<Code> rewrite(Code.For loop, LoopContext around);
  }

  private final ImperativeProgram.Function function;
  private final PassContext context;
  private final Rule rule;
  private final BlockAliases aliases;
  private final Set<Name> scratch = new HashSet<>();
  private final NameSource names;
  private final Deque<Name> independent = new ArrayDeque<>();
  private @Nullable Kernel kernel;
  private Loc loc = Loc.NONE;
  private boolean changed;

  /** The code of one thread, and the scratch blocks added to it. */
  private static final class Kernel {
    final List<Code> declarations = new ArrayList<>();
    final List<Code> frees = new ArrayList<>();
  }

  private Loops(ImperativeProgram.Function function, PassContext context, Rule rule) {
    this.function = function;
    this.context = context;
    this.rule = rule;
    this.aliases = context.analyses().get(function, BlockAliases.ANALYSIS);
    this.names = new NameSource(function.nextTag());
    new CodeMapper() {
      @Override
      public Code statement(Code code) {
        if (code instanceof Code.DeclareScratch d) {
          scratch.add(d.block());
        }
        return super.statement(code);
      }
    }.statements(function.body());
  }

  /** Rewrites the loops of a function; returns the function itself if none is rewritten. */
  static ImperativeProgram.Function rewrite(
      ImperativeProgram.Function function, PassContext context, Rule rule) {
    Loops loops = new Loops(function, context, rule);
    List<Code> body =
        function.onOneThread() ? loops.kernel(function.body()) : loops.all(function.body());
    return loops.changed ? function.withBody(body, loops.names.next()) : function;
  }

  @Override
  public Machine machine() {
    return context.machine();
  }

  @Override
  public int number(Option option) {
    return context.number(option);
  }

  @Override
  public NameSource names() {
    return names;
  }

  @Override
  public boolean mayAlias(Name a, Name b) {
    return aliases.mayAlias(a, b);
  }

  @Override
  public boolean isPrivate(Name block) {
    return scratch.contains(block);
  }

  @Override
  public boolean isOnOneThread() {
    return kernel != null;
  }

  @Override
  public Collection<Name> independent() {
    return independent;
  }

  @Override
  public Name expand(PrimType type, Expr iterations, List<Code> out) {
    Kernel k = kernel;
    if (k == null) {
      throw new IllegalStateException("a scratch block for several threads");
    }
    Name block = names.fresh("expanded");
    scratch.add(block);
    k.declarations.add(new Code.DeclareScratch(block, type));
    k.frees.add(new Code.Free(block, type, List.of()));
    out.add(new Code.Reserve(block, type, iterations, loc));
    return block;
  }

  @Override
  public void remark(String message) {
    context.remark(Remark.Kind.APPLIED, function.name(), loc, message);
  }

  // Traversal

  private List<Code> kernel(List<Code> code) {
    Kernel saved = kernel;
    Kernel k = new Kernel();
    kernel = k;
    List<Code> out = all(code);
    kernel = saved;
    if (k.declarations.isEmpty()) {
      return out;
    }
    List<Code> whole = new ArrayList<>(k.declarations);
    whole.addAll(out);
    whole.addAll(k.frees);
    return whole;
  }

  private List<Code> all(List<Code> code) {
    return way.statements(code);
  }

  /** The traversal of statements. */
  private final CodeMapper way =
      new CodeMapper() {
        @Override
        public List<Code> statements(List<Code> code) {
          List<Code> out = new ArrayList<>(code.size());
          for (Code c : code) {
            out.addAll(replaced(statement(c)));
          }
          return same(code, out) ? code : out;
        }

        @Override
        public Code statement(Code code) {
          if (code instanceof Code.For f && f.range() == Code.Range.WIDE) {
            return f;
          }
          if (code instanceof Code.VectorLoop l) {
            return l.withRest(statements(l.rest()));
          }
          Loc outside = loc;
          Code c =
              switch (code) {
                case Code.Parallel p -> {
                  loc = p.loc();
                  yield p.withBody(kernel(p.body()));
                }
                case Code.ChainedScan s -> {
                  loc = s.loc();
                  yield s.withBodies(kernel(s.reduce()), kernel(s.combine()), kernel(s.scan()));
                }
                case Code.For f when f.order() instanceof Code.Order.Independent -> {
                  independent.push(f.index());
                  Code same = super.statement(f);
                  independent.pop();
                  yield same;
                }
                default -> super.statement(code);
              };
          loc = outside;
          return c;
        }
      };

  private static boolean same(List<Code> before, List<Code> now) {
    if (before.size() != now.size()) {
      return false;
    }
    for (int i = 0; i < now.size(); i++) {
      if (now.get(i) != before.get(i)) {
        return false;
      }
    }
    return true;
  }

  private List<Code> replaced(Code code) {
    if (!(code instanceof Code.For f) || f.range() == Code.Range.WIDE) {
      return List.of(code);
    }
    context.checkCancelled();
    List<Code> now = rule.rewrite(f, this);
    changed |= now != null;
    return now == null ? List.of(f) : now;
  }
}
