package futharkc.pass.loops;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeMapper;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.ImperativeProgram;
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

/** The rewriting of one function for {@link VectoriseMemoryAccessesPass}. */
final class MemoryAccessVectorisation {
  private static final PrimType WORD = PrimType.I32;

  private final NameSource names;
  private final long elements;
  private final BiConsumer<String, Loc> remarks;
  private boolean changed;

  private MemoryAccessVectorisation(
      NameSource names, long elements, BiConsumer<String, Loc> remarks) {
    this.names = names;
    this.elements = elements;
    this.remarks = remarks;
  }

  /**
   * Returns the rewritten function; the function itself if nothing is changed.
   *
   * @param elements the minimum number of elements for which a loop is rewritten
   */
  static ImperativeProgram.Function rewrite(
      ImperativeProgram.Function function, long elements, BiConsumer<String, Loc> remarks) {
    NameSource names = new NameSource(function.nextTag());
    MemoryAccessVectorisation w = new MemoryAccessVectorisation(names, elements, remarks);
    new CodeMapper() {
      @Override
      public Code statement(Code c) {
        if (c instanceof Code.Launch l) {
          w.labels.add(l.label());
        }
        return super.statement(c);
      }
    }.statements(function.body());
    List<Code> body = w.way.statements(function.body());
    return w.changed ? function.withBody(body, names.next()) : function;
  }

  /** The labels of the existing kernels. */
  private final Set<String> labels = new HashSet<>();

  private final CodeMapper way =
      new CodeMapper() {
        @Override
        public List<Code> statements(List<Code> code) {
          List<Code> out = new ArrayList<>(code.size());
          boolean same = true;
          for (Code c : code) {
            List<Code> now = c instanceof Code.Launch l ? launch(l) : List.of(statement(c));
            same &= now.size() == 1 && now.get(0) == c;
            out.addAll(now);
          }
          return same ? code : out;
        }
      };

  private List<Code> launch(Code.Launch l) {
    Code.Strided loop = ThreadCoarsening.only(l.body());
    if (loop == null
        || !loop.isIndependent()
        || !l.shared().isEmpty()
        || labels.contains(inWords(l))
        || !l.sharesOut(loop)) {
      return List.of(l);
    }
    Elements e = new Elements(l, loop);
    return e.areNeighbours() ? new Words(l, loop, e).launches() : List.of(l);
  }

  private static String inWords(Code.Launch launch) {
    return launch.label() + "_words";
  }

  /** The elements that a loop accesses. */
  private static final class Elements {
    private final Code.Strided loop;
    private final Set<Name> inside;
    private final Set<Name> assigned;
    private final Map<Name, Poly> known = new HashMap<>();

    /** The start offsets of accesses that are consecutive in consecutive iterations. */
    private final Set<Poly> starts = new LinkedHashSet<>();

    private int bytes;

    Elements(Code.Launch l, Code.Strided loop) {
      this.loop = loop;
      this.inside = new HashSet<>(CodeCopies.declared(l.body()));
      inside.addAll(l.bound());
      this.assigned = Variables.assignedBy(loop.body());
    }

    /**
     * Tests whether the loop stores elements smaller than a word consecutively, and loads such
     * elements consecutively or at invariant offsets.
     */
    boolean areNeighbours() {
      if (!fits(loop.body()) || bytes == 0 || bytes >= WORD.bytes()) {
        return false;
      }
      int perWord = WORD.bytes() / bytes;
      return starts.stream().allMatch(p -> p.constant() == null || p.constant() % perWord == 0);
    }

    private boolean fits(List<Code> code) {
      for (Code c : code) {
        boolean ok =
            switch (c) {
              case Code.Declare d -> d.value() == null || fits(d.value()) && isKnown(d, d.value());
              case Code.Assign a -> fits(a.value());
              case Code.Store s -> fits(s.value()) && isNext(s.index(), s.elem());
              case Code.Scope s -> fits(s.body());
              case Code.If i ->
                  CodeCopies.isPure(List.of(i))
                      && !CodeSearch.anyExpr(List.of(i), e -> e instanceof Expr.Load);
              default -> false;
            };
        if (!ok) {
          return false;
        }
      }
      return true;
    }

    private boolean isKnown(Code.Declare d, Expr value) {
      Poly p = assigned.contains(d.name()) ? null : value.sum();
      if (p != null) {
        known.put(d.name(), resolved(p));
      }
      return true;
    }

    private Poly resolved(Poly p) {
      return p.substitute(n -> known.getOrDefault(n, Poly.of(n)));
    }

    private boolean fits(Expr value) {
      boolean[] ok = {true};
      new CodeMapper() {
        @Override
        public Expr expr(Expr e) {
          if (e instanceof Expr.Load l) {
            ok[0] &= isCommon(l) || isNext(l.index(), l.type());
          }
          return super.expr(e);
        }
      }.expr(value);
      return ok[0];
    }

    /** Tests whether a load is invariant. */
    private boolean isCommon(Expr.Load l) {
      return resolved(l.index()).names().stream().noneMatch(inside::contains);
    }

    private boolean isNext(Poly index, PrimType type) {
      Poly.Division d = resolved(index).divide(loop.index());
      Poly start = d.remainder();
      if (!d.quotient().equals(Poly.ONE)
          || start.names().stream().anyMatch(inside::contains)
          || bytes != 0 && bytes != type.bytes()) {
        return false;
      }
      bytes = type.bytes();
      starts.add(start);
      return true;
    }

    Poly start(Poly index) {
      return resolved(index).divide(loop.index()).remainder();
    }
  }

  /** A loop over words, and a loop over the remaining elements. */
  private final class Words {
    private final Code.Launch launch;
    private final Code.Strided loop;
    private final Elements elements;
    private final int perWord;
    private final Name word;

    /** The index of the first word of each access, by the access's start offset. */
    private final Map<Poly, Poly> firsts = new HashMap<>();

    private final List<Map<Name, Poly>> copies = new ArrayList<>();

    Words(Code.Launch launch, Code.Strided loop, Elements elements) {
      this.launch = launch;
      this.loop = loop;
      this.elements = elements;
      this.perWord = WORD.bytes() / elements.bytes;
      this.word = names.fresh(loop.index());
    }

    List<Code> launches() {
      changed = true;
      remarks.accept("accesses " + perWord + " elements as one word", launch.loc());
      Poly total = loop.to().polynomial();
      Name words = names.fresh("words");
      List<Expr> tests = new ArrayList<>();
      tests.add(Expr.atMost(Expr.i64(MemoryAccessVectorisation.this.elements), loop.to()));
      List<Code> large = new ArrayList<>();
      Expr inWords = Expr.binary(BinOp.Kind.SQUOT, loop.to(), Expr.i64(perWord));
      large.add(new Code.Assign(words, inWords));
      for (Poly start : elements.starts) {
        firsts.put(start, first(start, tests, large));
      }
      large.add(overWords(words));
      Poly done = Poly.of(words).times(perWord);
      Expr isLeft = Expr.less(new Expr.Index(done), loop.to());
      return List.of(
          new Code.Declare(words, PrimType.I64, Expr.i64(0)),
          new Code.If(Expr.all(tests), large, List.of()),
          new Code.If(isLeft, List.of(behind(done, total)), List.of()));
    }

    /**
     * Returns the index of the word at an element offset, and adds a test that the offset is
     * aligned to a word.
     */
    private Poly first(Poly start, List<Expr> tests, List<Code> out) {
      if (start.terms().values().stream().allMatch(c -> c % perWord == 0)) {
        return start.divide(Poly.of(perWord)).quotient();
      }
      Expr low = Expr.binary(BinOp.Kind.AND, new Expr.Index(start), Expr.i64(perWord - 1));
      CmpOp same = new CmpOp(CmpOp.Kind.EQ, PrimType.I64);
      tests.add(new Expr.Compare(same, low, Expr.i64(0)));
      Name n = names.fresh("first");
      Expr value = Expr.binary(BinOp.Kind.SQUOT, new Expr.Index(start), Expr.i64(perWord));
      out.add(new Code.Declare(n, PrimType.I64, value));
      return Poly.of(n);
    }

    /** Returns the kernel for the elements from an index on. */
    private Code behind(Poly first, Poly total) {
      Name index = names.fresh(loop.index());
      Map<Name, Poly> copy = Map.of(loop.index(), Poly.of(index).plus(first));
      List<Code> body = CodeCopies.sideBySide(loop.body(), List.of(copy));
      Expr count = new Expr.Index(total.minus(first));
      return launch.redistributed(
          List.of(
              new Code.Strided(
                  index, loop.from(), count, loop.step(), loop.distribution(), body.size(), body)));
    }

    private Code overWords(Name words) {
      Set<Name> declared = CodeCopies.declared(loop.body());
      for (int k = 0; k < perWord; k++) {
        Map<Name, Poly> copy = new HashMap<>(CodeCopies.fresh(declared, names));
        copy.put(loop.index(), Poly.of(word).times(perWord).plus(Poly.of(k)));
        copies.add(copy);
      }
      List<Code> body = statements(loop.body());
      Name block = names.fresh(launch.block());
      Name thread = names.fresh(launch.thread());
      Map<Name, Poly> own =
          Map.of(launch.block(), Poly.of(block), launch.thread(), Poly.of(thread));
      Poly from = loop.from().polynomial().substitute(n -> own.getOrDefault(n, Poly.of(n)));
      Code.Strided over =
          new Code.Strided(
              word,
              new Expr.Index(from),
              Expr.i64(words),
              loop.step(),
              loop.distribution(),
              body.size(),
              body);
      return new Code.Launch(
          inWords(launch),
          launch.loc(),
          block,
          thread,
          launch.grid().uncovered(),
          List.of(),
          List.of(),
          List.of(over));
    }

    private List<Code> statements(List<Code> code) {
      List<Code> out = new ArrayList<>();
      for (Code c : code) {
        switch (c) {
          case Code.Scope s -> out.add(new Code.Scope(statements(s.body())));
          case Code.Store s -> store(s, out);
          case Code.Simple _, Code.Compound _ -> each(c, out);
        }
      }
      return out;
    }

    /** Adds copies of a statement, one for each element of a word. */
    private void each(Code c, List<Code> out) {
      List<Map<Expr, Expr>> loaded = loaded(c, out);
      for (int k = 0; k < perWord; k++) {
        out.add(copy(c, k, loaded.get(k)));
      }
    }

    private Code copy(Code c, int k, Map<Expr, Expr> loaded) {
      Code now =
          new CodeMapper() {
            @Override
            public Expr expr(Expr e) {
              Expr known = loaded.get(e);
              return known == null ? super.expr(e) : known;
            }
          }.statement(c);
      return CodeCopies.sideBySide(List.of(now), List.of(copies.get(k))).get(0);
    }

    /**
     * Loads the words that a statement needs.
     *
     * @return for each copy of the statement, the values that replace its loads
     */
    private List<Map<Expr, Expr>> loaded(Code c, List<Code> out) {
      List<Map<Expr, Expr>> all = new ArrayList<>();
      for (int k = 0; k < perWord; k++) {
        all.add(new LinkedHashMap<>());
      }
      new CodeMapper() {
        @Override
        public Expr expr(Expr e) {
          boolean isNew = e instanceof Expr.Load && !all.get(0).containsKey(e);
          if (isNew && e instanceof Expr.Load l && !elements.isCommon(l)) {
            load(l);
          }
          return super.expr(e);
        }

        private void load(Expr.Load l) {
          Name n = names.fresh("word");
          out.add(new Code.Declare(n, WORD, new Expr.Load(l.block(), WORD, place(l.index()))));
          Expr value = new Expr.Var(n, WORD);
          for (int k = 0; k < perWord; k++) {
            all.get(k).put(l, element(value, k, l.type()));
          }
        }
      }.statement(c);
      return all;
    }

    private Poly place(Poly index) {
      Poly first = firsts.get(elements.start(index));
      if (first == null) {
        throw new IllegalStateException("nothing begins at " + index);
      }
      return Poly.of(word).plus(first);
    }

    private void store(Code.Store s, List<Code> out) {
      Name n = names.fresh("value");
      Code.Declare value = new Code.Declare(n, s.elem(), s.value());
      for (Map<Name, Poly> copy : copies) {
        copy.put(n, Poly.of(names.fresh("value")));
      }
      each(value, out);
      Expr all = new Expr.Const(PrimValue.ofInt(WORD, 0));
      for (int k = 0; k < perWord; k++) {
        Expr one = bits(new Expr.Var(CodeCopies.name(n, copies.get(k)), s.elem()));
        all = k == 0 ? one : binary(BinOp.Kind.OR, all, binary(BinOp.Kind.SHL, one, shift(k)));
      }
      out.add(new Code.Store(s.block(), WORD, place(s.index()), all));
    }

    private Expr shift(int k) {
      return new Expr.Const(PrimValue.ofInt(WORD, 8L * elements.bytes * k));
    }

    private static Expr binary(BinOp.Kind kind, Expr a, Expr b) {
      return new Expr.Binary(new BinOp(kind, WORD), a, b);
    }

    private PrimType number() {
      return elements.bytes == 1 ? PrimType.I8 : PrimType.I16;
    }

    /** Returns an element of a word. */
    private Expr element(Expr all, int k, PrimType type) {
      Expr low = k == 0 ? all : binary(BinOp.Kind.LSHR, all, shift(k));
      Expr bits = new Expr.Convert(new ConvOp(ConvOp.Kind.ZEXT, WORD, number()), low);
      if (type.isInt()) {
        return bits;
      }
      if (type == PrimType.BOOL) {
        return new Expr.Convert(new ConvOp(ConvOp.Kind.ITOB, number(), type), bits);
      }
      return new Expr.Apply(new PrimFun(PrimFun.Kind.FROM_BITS, type), List.of(bits));
    }

    /** Returns an element as the lowest bits of a word. */
    private Expr bits(Expr value) {
      PrimType type = value.type();
      Expr bits =
          type.isInt()
              ? value
              : type == PrimType.BOOL
                  ? new Expr.Convert(new ConvOp(ConvOp.Kind.BTOI, type, number()), value)
                  : new Expr.Apply(new PrimFun(PrimFun.Kind.TO_BITS, type), List.of(value));
      return new Expr.Convert(new ConvOp(ConvOp.Kind.ZEXT, number(), WORD), bits);
    }
  }
}
