package futharkc.tests.kit;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Aux;
import futharkc.core.ir.Body;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SizeClass;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.TuningParameter;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A generator of random programs of a representation. The programs are well-formed trees, but
 * neither well typed nor well scoped. Tests use them for properties of every tree, such as the
 * round trip through the text form.
 */
public final class RandomSyntax {
  private final Rep rep;
  private final RandomGenerator random;
  private final RandomExps exps;
  private int depth;

  /** Creates a generator for a representation that draws from {@code random}. */
  public RandomSyntax(Rep rep, RandomGenerator random) {
    this.rep = rep;
    this.random = random;
    this.exps = new RandomExps(this);
  }

  Rep rep() {
    return rep;
  }

  /** Returns a program with some types, constants, functions and entry points. */
  public Program program() {
    Map<String, ExtType.Def> opaques = opaques();
    Map<String, FunDef> functions = new LinkedHashMap<>();
    for (FunDef f : few(this::function)) {
      functions.put(f.name(), f);
    }
    return new Program(rep, opaques, few(this::stm), functions);
  }

  Map<String, ExtType.Def> opaques() {
    Map<String, ExtType.Def> opaques = new LinkedHashMap<>();
    for (ExtType.Def d : few(this::opaque)) {
      opaques.put(d.name(), d);
    }
    return opaques;
  }

  private ExtType.Def opaque() {
    ExtType.Structure s =
        switch (below(5)) {
          case 0 -> new ExtType.Structure.Record(few(this::field));
          case 1 ->
              new ExtType.Structure.Sum(
                  few(
                      () ->
                          new ExtType.Variant(
                              text(), few(this::ext), few(() -> few(() -> below(10))))));
          case 2 -> new ExtType.Structure.Array(below(4), ext());
          case 3 -> new ExtType.Structure.RecordArray(below(4), few(this::field));
          default -> new ExtType.Structure.Unknown();
        };
    List<ExtType.Transparent> parts = few(this::transparent);
    List<List<String>> dims = new ArrayList<>();
    for (ExtType.Transparent p : parts) {
      List<String> sizes = new ArrayList<>();
      for (int i = 0; i < p.rank(); i++) {
        sizes.add(flip() ? "" : flip() ? Integer.toString(below(100)) : "size" + below(3));
      }
      dims.add(sizes);
    }
    return new ExtType.Def(text(), parts, dims, s);
  }

  private ExtType.Field field() {
    return new ExtType.Field(text(), ext());
  }

  private ExtType ext() {
    return flip() ? transparent() : new ExtType.Opaque(text());
  }

  private ExtType.Transparent transparent() {
    return new ExtType.Transparent(primType(), flip(), below(3));
  }

  private FunDef function() {
    EntryPoint entry = flip() ? null : entry();
    return new FunDef(
        text(),
        few(this::text),
        few(this::param),
        few(() -> new FunDef.Result(name(), type(), flip())),
        body(),
        entry,
        below(1000),
        loc());
  }

  EntryPoint entry() {
    return new EntryPoint(
        text(),
        few(() -> new EntryPoint.Param(text(), ext(), flip())),
        ext(),
        flip(),
        flip() ? "" : text());
  }

  /** Returns a random statement. */
  public Stm stm() {
    depth++;
    Stm s = new Stm(few(() -> new PatElem(name(), type())), aux(), exps.exp());
    depth--;
    return s;
  }

  private Aux aux() {
    return below(3) > 0 ? Aux.at(loc()) : new Aux(few(this::name), few(this::text), loc());
  }

  Loc loc() {
    if (flip()) {
      return Loc.NONE;
    }
    int line = below(100);
    return new Loc(text(), line, below(80), line + below(2), below(80));
  }

  Body body() {
    return new Body(stms(), few(this::subExp));
  }

  List<Stm> stms() {
    return depth > 3 ? List.of() : few(this::stm);
  }

  Lambda lambda() {
    return new Lambda(few(this::param), body(), few(this::type));
  }

  Param param() {
    return new Param(name(), type(), flip());
  }

  /** Returns a random type that may occur in the representation. */
  public Type type() {
    return switch (below(rep.hasMemory() ? 7 : 6)) {
      case 0, 1 -> Type.prim(primType());
      case 2 -> new Type.Acc(name(), few(this::subExp), few(this::elemType));
      case 6 -> new Type.Mem(space());
      default -> new Type.Array(primType(), some(this::subExp), rep.hasMemory() ? mem() : null);
    };
  }

  private Type elemType() {
    return flip() ? Type.prim(primType()) : new Type.Array(primType(), some(this::subExp));
  }

  private ArrayMem mem() {
    return new ArrayMem(name(), new Lmad(poly(), few(() -> new Lmad.Dim(poly(), subExp()))));
  }

  Space space() {
    return switch (below(5)) {
      case 0 -> new Space.Device();
      case 1 -> new Space.Shared();
      case 2 -> new Space.Scalar(few(this::subExp), primType());
      case 3 -> new Space.Named(text());
      default -> new Space.Elements(primType());
    };
  }

  Poly poly() {
    Poly p = Poly.of(random.nextInt(-3, 4));
    for (Name n : few(this::name)) {
      Poly factor = Poly.of(random.nextLong()).times(Poly.of(n));
      p = p.plus(flip() ? factor.times(Poly.of(name())) : Poly.of(n));
    }
    return p;
  }

  Name name() {
    String[] bases = {"x", "ys", "n", "", "a_1", "b'", "_", "+", "é \\`\"", "9z", "let", "in_"};
    return new Name(bases[below(bases.length)], below(20));
  }

  SubExp subExp() {
    return below(3) == 0 ? SubExp.of(primValue()) : SubExp.of(name());
  }

  PrimType primType() {
    return PrimType.values()[below(PrimType.values().length)];
  }

  /**
   * Returns a random value of a random primitive type, sometimes an extreme value, an infinity or a
   * NaN.
   */
  public PrimValue primValue() {
    PrimType t = primType();
    if (!t.isFloat()) {
      return new PrimValue(t, flip() ? random.nextLong() : random.nextInt(-2, 3));
    }
    return switch (below(6)) {
      case 0 -> PrimValue.ofFloat(t, Double.NaN);
      case 1 -> PrimValue.ofFloat(t, Double.NEGATIVE_INFINITY);
      case 2 -> PrimValue.ofFloat(t, -0.0);
      case 3 -> new PrimValue(t, random.nextLong());
      default -> PrimValue.ofFloat(t, (random.nextDouble() - 0.5) * 1e6);
    };
  }

  String text() {
    String[] texts = {
      "main", "f_12", "f_012", "two words", "", "a\"b\\c\n", "naïve", "#[x]", "--", "`"
    };
    return texts[below(texts.length)];
  }

  /** Returns a list of zero to three items. */
  <T> List<T> few(Supplier<T> item) {
    return times(below(4), item);
  }

  /** Returns a list of one to three items. */
  <T> List<T> some(Supplier<T> item) {
    return times(1 + below(3), item);
  }

  <T> List<T> times(int n, Supplier<T> item) {
    List<T> items = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      items.add(item.get());
    }
    return items;
  }

  int below(int n) {
    return random.nextInt(n);
  }

  boolean flip() {
    return random.nextBoolean();
  }

  <T> T oneOf(List<Supplier<? extends T>> choices) {
    return choices.get(below(choices.size())).get();
  }

  /** Returns a random tuning parameter. */
  TuningParameter tuningParameter() {
    return new TuningParameter(text(), sizeClass());
  }

  /** Returns a random class of tuning parameters. */
  SizeClass sizeClass() {
    return switch (below(3)) {
      case 0 -> SizeClass.Plain.values()[below(SizeClass.Plain.values().length)];
      case 1 -> new SizeClass.Bespoke(text(), below(100) - 50);
      default ->
          new SizeClass.Threshold(
              flip() ? null : Long.valueOf(below(100)),
              few(() -> new SizeClass.Compared(text(), flip())));
    };
  }
}
