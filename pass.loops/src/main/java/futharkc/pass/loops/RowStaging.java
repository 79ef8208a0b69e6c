package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.imperative.BlockAliases;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeRenamer;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Failures;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.ir.imperative.InsertingMapper;
import futharkc.core.ir.imperative.KernelVersions;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The rewriting of one function for {@link RowStagingPass}. */
final class RowStaging extends KernelVersions {
  private final StagedRows limits;
  private final BiConsumer<String, Loc> remarks;
  private final BlockAliases aliases;

  private RowStaging(
      ImperativeProgram.Function function,
      BlockAliases aliases,
      StagedRows limits,
      BiConsumer<String, Loc> remarks) {
    super(function);
    this.aliases = aliases;
    this.limits = limits;
    this.remarks = remarks;
  }

  /** Returns the rewritten function; the function itself if nothing is changed. */
  static ImperativeProgram.Function rewrite(
      ImperativeProgram.Function function,
      BlockAliases aliases,
      StagedRows limits,
      BiConsumer<String, Loc> remarks) {
    return new RowStaging(function, aliases, limits, remarks).rewritten();
  }

  /**
   * The consecutive rows of a matrix, one for each thread.
   *
   * @param block the block of the matrix
   * @param base the offset of the first row
   * @param width the number of elements of a row
   */
  private record Rows(Name block, PrimType type, Poly base, Poly width, StagedRows limits) {
    /** Returns the logarithm of the number of elements between gaps. */
    int shift() {
      return Integer.numberOfTrailingZeros(limits.banks() / type.bytes());
    }

    /** Returns the number of elements of a gap. */
    int gap() {
      return Math.max(1, limits.bank() / type.bytes());
    }

    /** Returns the bytes of shared memory for a number of rows. */
    Expr bytes(Poly rows) {
      Expr count = new Expr.Index(rows.times(width));
      Expr gaps = add(binary(BinOp.Kind.LSHR, count, shift()), 1);
      Expr all = Expr.binary(BinOp.Kind.ADD, count, binary(BinOp.Kind.MUL, gaps, gap()));
      return binary(BinOp.Kind.MUL, all, type.bytes());
    }

    /** Declares the offset of an element in shared memory, and returns it. */
    Poly place(Poly element, NameSource names, List<Code> out) {
      Name at = names.fresh("at");
      Name before = names.fresh("gaps");
      out.add(new Code.Declare(at, PrimType.I64, new Expr.Index(element)));
      out.add(
          new Code.Declare(before, PrimType.I64, binary(BinOp.Kind.LSHR, Expr.i64(at), shift())));
      return Poly.of(at).plus(Poly.of(before).times(gap()));
    }
  }

  private static Expr binary(BinOp.Kind kind, Expr e, long by) {
    return Expr.binary(kind, e, Expr.i64(by));
  }

  private static Expr add(Expr e, long by) {
    return binary(BinOp.Kind.ADD, e, by);
  }

  @Override
  protected @Nullable Code versions(Code.Launch old) {
    String label = old.label() + "_staged";
    if (isTaken(label)) {
      return null;
    }
    Code.Launch l = (Code.Launch) new CodeRenamer(names).statement(old);
    Code.Strided loop = loop(l.body());
    if (loop == null || !l.sharesOut(loop) || Failures.arePossible(l.body())) {
      return null;
    }
    Search search = new Search(l, loop);
    if (search.found.isEmpty()) {
      return null;
    }
    remarks.accept("staged rows of " + search.found.size() + " arrays in shared memory", l.loc());
    Map<Rows, Name> tiles = new LinkedHashMap<>();
    List<Code.Shared> shared = new ArrayList<>(l.shared());
    List<Code> host = new ArrayList<>();
    Name most = names.fresh("most");
    host.add(new Code.GetSizeMax(most, SizeClass.Plain.SHARED_MEMORY));
    List<Expr> conditions = new ArrayList<>(search.conditions);
    Poly all = Poly.ZERO;
    for (Rows r : search.found) {
      Name tile = names.fresh("tile");
      Name bytes = names.fresh("bytes");
      tiles.put(r, tile);
      host.add(new Code.Declare(bytes, PrimType.I64, r.bytes(poly(l.threads()))));
      shared.add(new Code.Shared(tile, Expr.i64(bytes)));
      all = all.plus(Poly.of(bytes));
      // The number of bytes of longer rows might overflow.
      conditions.add(Expr.atMost(new Expr.Index(r.width), Expr.i64(limits.most())));
      Expr row = new Expr.Index(r.width.times(r.type.bytes()));
      conditions.add(Expr.atMost(Expr.i64(limits.least()), row));
    }
    conditions.add(Expr.atMost(new Expr.Index(all), Expr.i64(limits.most())));
    conditions.add(Expr.atMost(new Expr.Index(all), Expr.i64(most)));
    Code.Launch staged =
        new Code.Launch(
            label,
            l.loc(),
            l.block(),
            l.thread(),
            l.grid().uncovered(),
            List.of(),
            shared,
            body(l, loop, tiles, search.loads));
    host.add(new Code.If(Expr.all(conditions), List.of(staged), List.of(old)));
    return new Code.Scope(host);
  }

  private static Poly poly(Expr e) {
    Poly p = e.poly();
    if (p == null) {
      throw new IllegalStateException(e + " is no polynomial");
    }
    return p;
  }

  /**
   * Returns the only loop of a kernel, which may also declare thread-private memory; null if the
   * kernel has other statements.
   */
  private static Code.@Nullable Strided loop(List<Code> code) {
    int n = code.size();
    for (int i = 0; i < n - 1; i++) {
      if (!(code.get(i) instanceof Code.Private || code.get(i) instanceof Code.DeclarePointer)) {
        return null;
      }
    }
    return n == 0
        ? null
        : switch (code.get(n - 1)) {
          case Code.Strided s -> s;
          case Code.Scope s -> loop(s.body());
          default -> null;
        };
  }

  // Search

  /** A search for matrices that a kernel reads row by row. */
  private final class Search {
    final Set<Rows> found = new LinkedHashSet<>();

    /** The rows and the column of each load. */
    final Map<Expr.Load, Place> loads = new HashMap<>();

    /** The conditions under which all loops around the loads run. */
    final Set<Expr> conditions = new LinkedHashSet<>();

    private final Name index;
    private final Set<Name> inside = new HashSet<>();
    private final Set<Name> assigned;
    private final Set<Name> written = new HashSet<>();
    private final Map<Name, Poly> known = new HashMap<>();

    Search(Code.Launch l, Code.Strided loop) {
      index = loop.index();
      assigned = Variables.assignedBy(l.body());
      inside.addAll(List.of(l.block(), l.thread()));
      new CodeMapper() {
        @Override
        public Name binder(Name declared) {
          inside.add(declared);
          return declared;
        }

        @Override
        public Code statement(Code c) {
          written.addAll(writtenBy(c));
          return super.statement(c);
        }
      }.statements(l.body());
      if (poly(loop.to()).names().stream().noneMatch(inside::contains)) {
        search(loop.body(), List.of());
      }
    }

    private void search(List<Code> code, List<Code.For> around) {
      for (Code c : code) {
        switch (c) {
          case Code.Declare d -> {
            Expr value = d.value();
            loads(value, around);
            Poly p = value == null || d.type() != PrimType.I64 ? null : value.poly();
            if (p != null && !assigned.contains(d.name())) {
              known.put(d.name(), resolved(p));
            }
          }
          case Code.Assign a -> loads(a.value(), around);
          case Code.Store s -> loads(s.value(), around);
          case Code.Scope s -> search(s.body(), around);
          case Code.For f -> {
            List<Code.For> now = new ArrayList<>(around);
            now.add(f);
            search(f.body(), now);
          }
          case Code.Simple _, Code.Compound _ -> {}
        }
      }
    }

    private Poly resolved(Poly p) {
      return p.substitute(n -> known.getOrDefault(n, Poly.of(n)));
    }

    private void loads(@Nullable Expr e, List<Code.For> around) {
      if (e == null) {
        return;
      }
      new CodeMapper() {
        @Override
        public Expr expr(Expr e) {
          if (e instanceof Expr.Load l) {
            load(l, around);
          }
          return super.expr(e);
        }
      }.expr(e);
    }

    private void load(Expr.Load l, List<Code.For> around) {
      if (inside.contains(l.block())) {
        return;
      }
      if (written.stream().anyMatch(w -> aliases.mayAlias(w, l.block()))) {
        return;
      }
      Poly.Division byThread = resolved(l.index()).divide(index);
      Poly width = byThread.quotient();
      if (!isOutside(width)) {
        return;
      }
      Code.For own = null;
      List<Expr> run = new ArrayList<>();
      Poly base = byThread.remainder();
      for (Code.For f : around) {
        Poly from = f.from().poly();
        Poly to = f.to().poly();
        if (from == null || to == null) {
          return;
        }
        Poly first = resolved(from);
        Poly last = resolved(to);
        Poly.Division byLoop = byThread.remainder().divide(f.index());
        if (byLoop.quotient().equals(Poly.ONE) && first.isZero() && last.equals(width)) {
          own = f;
          base = byLoop.remainder();
        } else if (isOutside(first) && isOutside(last)) {
          run.add(Expr.less(new Expr.Index(first), new Expr.Index(last)));
        } else {
          return;
        }
      }
      if (own == null || !isOutside(base) || isNeverStaged(width, l.type())) {
        return;
      }
      Rows rows = new Rows(l.block(), l.type(), base, width, limits);
      found.add(rows);
      conditions.addAll(run);
      loads.put(l, new Place(rows, own.index()));
    }

    private boolean isNeverStaged(Poly width, PrimType type) {
      Long elements = width.constant();
      return elements != null
          && (elements > limits.most() || elements * type.bytes() < limits.least());
    }

    private boolean isOutside(Poly p) {
      return p.names().stream().noneMatch(inside::contains);
    }
  }

  /** An element of a row. */
  private record Place(Rows rows, Name column) {}

  /** Returns the blocks that a statement may write or make an alias of. */
  private static List<Name> writtenBy(Code c) {
    return switch (c) {
      case Code.Store s -> List.of(s.block());
      case Code.Atomic a -> List.of(a.block());
      case Code.CompareAndSet s -> List.of(s.block());
      case Code.VolatileStore s -> List.of(s.block());
      case Code.DeclarePointer d when d.value() != null -> List.of(d.value());
      case Code.SetBlock s -> List.of(s.value());
      default -> List.of();
    };
  }

  // Kernel

  private List<Code> body(
      Code.Launch l, Code.Strided loop, Map<Rows, Name> tiles, Map<Expr.Load, Place> loads) {
    Poly threads = poly(l.threads());
    Poly total = poly(loop.to());
    Poly thread = Poly.of(l.thread());
    Name first = names.fresh("first");
    List<Code> one = new ArrayList<>();
    Name count = names.fresh("count");
    Expr rest = new Expr.Index(total.minus(Poly.of(first)));
    one.add(new Code.Declare(count, PrimType.I64, Expr.binary(BinOp.Kind.SMIN, l.threads(), rest)));
    tiles.forEach(
        (rows, tile) -> {
          Name e = names.fresh("e");
          Name x = names.fresh("x");
          Poly from = rows.base.plus(rows.width.times(Poly.of(first))).plus(Poly.of(e));
          List<Code> fetch = new ArrayList<>();
          fetch.add(new Code.Declare(x, rows.type, new Expr.Load(rows.block, rows.type, from)));
          Poly place = rows.place(Poly.of(e), names, fetch);
          fetch.add(new Code.Store(tile, rows.type, place, new Expr.Var(x, rows.type)));
          Expr end = new Expr.Index(rows.width.times(Poly.of(count)));
          one.add(
              new Code.Strided(
                  e,
                  Expr.i64(l.thread()),
                  end,
                  l.threads(),
                  Code.Distribution.BLOCK,
                  fetch.size(),
                  fetch));
        });
    one.add(new Code.Barrier());
    List<Code> own = new ArrayList<>();
    own.add(
        new Code.Declare(loop.index(), PrimType.I64, new Expr.Index(Poly.of(first).plus(thread))));
    own.addAll(new Reads(l.thread(), tiles, loads).statements(loop.body()));
    one.add(new Code.If(Expr.less(Expr.i64(l.thread()), Expr.i64(count)), own, List.of()));
    one.add(new Code.Barrier());
    List<Code> body = new ArrayList<>();
    for (Code c : declarations(l.body())) {
      body.add(c);
    }
    body.add(
        new Code.Strided(
            first,
            new Expr.Index(Poly.of(l.block()).times(threads)),
            loop.to(),
            loop.step(),
            Code.Distribution.NONE,
            0,
            one));
    return body;
  }

  /** Returns the declarations of thread-private memory. */
  private static List<Code> declarations(List<Code> code) {
    List<Code> found = new ArrayList<>(code.subList(0, code.size() - 1));
    if (code.get(code.size() - 1) instanceof Code.Scope s) {
      found.addAll(declarations(s.body()));
    }
    return found;
  }

  /** A mapper that replaces loads of rows by loads from shared memory. */
  private final class Reads extends InsertingMapper {
    private final Name thread;
    private final Map<Rows, Name> tiles;
    private final Map<Expr.Load, Place> loads;

    Reads(Name thread, Map<Rows, Name> tiles, Map<Expr.Load, Place> loads) {
      this.thread = thread;
      this.tiles = tiles;
      this.loads = loads;
    }

    @Override
    public Expr expr(Expr e) {
      Place place = e instanceof Expr.Load l ? loads.get(l) : null;
      if (place == null) {
        return super.expr(e);
      }
      Rows rows = place.rows;
      Poly element = rows.width.times(Poly.of(thread)).plus(Poly.of(place.column));
      Name tile = tiles.get(rows);
      if (tile == null) {
        throw new IllegalStateException("no tile for " + rows.block);
      }
      return new Expr.Load(tile, rows.type, rows.place(element, names, before()));
    }
  }
}
