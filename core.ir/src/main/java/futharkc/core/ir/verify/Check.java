package futharkc.core.ir.verify;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Lmad;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.text.Printer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Verification of statements, bodies, lambdas and types. Other classes verify expressions. */
final class Check {
  /** The maximum number of terms of a product that is expanded. */
  private static final int MAX_TERMS = 16;

  final Program program;
  final Rep rep;
  final VerifierScope env;
  final NonInjectiveViews views;

  /** The functions that only host code may call. */
  final Set<String> hostFunctions;

  private final ExpCheck exps;
  private ExecutionLevel level = ExecutionLevel.HOST;

  Check(Program program, VerifierScope env, NonInjectiveViews views, Set<String> hostFunctions) {
    this.program = program;
    this.rep = program.rep();
    this.env = env;
    this.views = views;
    this.hostFunctions = hostFunctions;
    this.exps = new ExpCheck(this);
  }

  /** Returns an exception for a broken rule. */
  static BrokenRule broken(String message) {
    return new BrokenRule(message);
  }

  static void require(boolean holds, String rule) {
    if (!holds) {
      throw broken(rule);
    }
  }

  /** Returns the execution level of the current code. */
  ExecutionLevel level() {
    return level;
  }

  /** Changes the execution level and returns the previous one. */
  ExecutionLevel enter(ExecutionLevel next) {
    ExecutionLevel before = level;
    level = next;
    return before;
  }

  /** Tests whether the program is for a GPU. */
  boolean isGpu() {
    return rep.hasDevice();
  }

  void stms(List<Stm> stms) {
    for (Stm s : stms) {
      try {
        stm(s);
      } catch (BrokenRule r) {
        if (r.where == null) {
          r.where = Printer.print(s);
        }
        throw r;
      }
    }
  }

  private void stm(Stm s) {
    for (Name c : s.aux().certs()) {
      if (!env.use(c).isPrim(PrimType.UNIT)) {
        throw broken("certificate " + c + " is not a unit value");
      }
    }
    List<@Nullable Set<AliasClass>> origins = exps.exp(s);
    for (int i = 0; i < s.pat().size(); i++) {
      PatElem p = s.pat().get(i);
      binderType(p.type());
      Set<AliasClass> shared = i < origins.size() ? origins.get(i) : null;
      if (shared == null || shared.isEmpty()) {
        env.bind(p.name(), p.type());
      } else {
        env.bind(p.name(), p.type(), shared);
      }
    }
    if (rep.hasMemory()) {
      define(s);
    }
  }

  /**
   * Records the value of a sum or product, since index functions may use either its name or its
   * value.
   */
  private void define(Stm s) {
    Poly value =
        switch (s.exp()) {
          case BasicOp.SubExpOp x when env.use(x.value()).isPrim(PrimType.I64) ->
              Poly.of(x.value());
          case BasicOp.BinOpExp x when x.op().type() == PrimType.I64 -> {
            Poly a = env.expand(Poly.of(x.left()));
            Poly b = env.expand(Poly.of(x.right()));
            yield switch (x.op().kind()) {
              case ADD -> a.plus(b);
              case SUB -> a.minus(b);
              case MUL -> a.terms().size() * b.terms().size() <= MAX_TERMS ? a.times(b) : null;
              default -> null;
            };
          }
          case BasicOp _,
              Exp.Apply _,
              Exp.Match _,
              Exp.Loop _,
              Exp.WithAcc _,
              Soac _,
              SegExp _,
              HostOp _,
              MemOp _ ->
              null;
        };
    if (value != null && value.terms().size() <= MAX_TERMS) {
      env.define(s.pat().get(0).name(), env.expand(value));
    }
  }

  /** Binds a parameter, whose type may mention earlier parameters. */
  void bindParam(Param p, @Nullable String protection) {
    binderType(p.type());
    env.bind(p.name(), p.type(), env.fresh(p.name(), p.type(), protection));
  }

  /**
   * Checks the type of a binder: sizes are bound, and an array has a memory annotation exactly if
   * the representation has memory.
   */
  void binderType(Type t) {
    type(t);
    if (t instanceof Type.Array a && a.mem() == null && rep.hasMemory()) {
      throw broken("type " + Printer.print(t) + " has no memory annotation");
    }
  }

  /** Checks a type: the names in it are bound and have the right types. */
  void type(Type t) {
    switch (t) {
      case Type.Prim p -> {}
      case Type.Array a -> {
        if (a.elem() == PrimType.UNIT && rep.hasMemory()) {
          throw broken("array of unit values in memory");
        }
        sizes(a.shape());
        if (a.mem() != null) {
          mem(a, a.mem());
        }
      }
      case Type.Acc acc -> {
        if (!env.type(acc.token()).isPrim(PrimType.UNIT)) {
          throw broken("token " + acc.token() + " of an accumulator is not a unit value");
        }
        sizes(acc.space());
        for (Type e : acc.elems()) {
          type(e);
        }
      }
      case Type.Mem m -> {
        require(rep.hasMemory(), "memory blocks are not part of representation " + rep);
        space(m.space());
      }
    }
  }

  /** Checks that a memory space is legal in the representation. */
  void space(Space s) {
    if (!rep.allows(s)) {
      throw broken(
          "space " + Printer.print(new Type.Mem(s)) + " is not part of representation " + rep);
    }
    if (s instanceof Space.Scalar sc) {
      sizes(sc.shape());
    }
  }

  private void mem(Type.Array a, ArrayMem mem) {
    require(rep.hasMemory(), "memory annotations are not part of representation " + rep);
    if (!(env.type(mem.block()) instanceof Type.Mem block)) {
      throw broken(mem.block() + " is not a memory block");
    }
    if (block.space() instanceof Space.Elements e && e.elem() != a.elem()) {
      throw broken("array of " + a.elem() + " in " + mem.block() + ", a block of " + e.elem());
    }
    Lmad l = mem.lmad();
    if (!l.shape().equals(a.shape())) {
      throw broken("sizes of array and index function differ in " + Printer.print(a));
    }
    poly(l.offset());
    for (Lmad.Dim d : l.dims()) {
      poly(d.stride());
    }
  }

  private void poly(Poly p) {
    for (Poly.Product product : p.terms().keySet()) {
      for (Name n : product.factors()) {
        if (!env.type(n).isPrim(PrimType.I64)) {
          throw broken(n + " in an index function is not an i64");
        }
      }
    }
  }

  /** Checks operands that are sizes, indices or strides. */
  void sizes(List<SubExp> es) {
    for (SubExp e : es) {
      operand(e, PrimType.I64);
    }
  }

  /** Checks a scalar operand. */
  void operand(SubExp e, PrimType t) {
    Type actual = env.use(e);
    if (!actual.isPrim(t)) {
      throw broken("operand " + e + ": " + Printer.print(actual) + " should be " + t);
    }
  }

  /** Checks an array operand and returns its type. */
  Type.Array array(Name n) {
    if (env.use(n) instanceof Type.Array a) {
      return a;
    }
    throw broken(n + " is not an array");
  }

  /** Requires that two types are equal, apart from memory annotations. */
  void same(Type actual, Type expected, String what) {
    if (!actual.withoutMem().equals(expected.withoutMem())) {
      throw broken(
          what
              + " has type "
              + Printer.print(actual.withoutMem())
              + ", expected "
              + Printer.print(expected.withoutMem()));
    }
  }

  /** Requires that two types are equal, including memory annotations. */
  void sameWithMem(Type actual, Type expected, String what) {
    same(actual, expected, what);
    if (!(actual instanceof Type.Array a && expected instanceof Type.Array e)) {
      return;
    }
    if (a.mem() == null || e.mem() == null) {
      return;
    }
    if (!a.mem().block().equals(e.mem().block()) || !sameLmad(a.mem().lmad(), e.mem().lmad())) {
      throw broken(what + " is " + Printer.print(actual) + ", expected " + Printer.print(expected));
    }
  }

  /**
   * Tests whether two index functions are equal, apart from strides of dimensions with a single
   * index.
   */
  boolean sameLmad(Lmad a, Lmad b) {
    if (!samePoly(a.offset(), b.offset()) || a.dims().size() != b.dims().size()) {
      return false;
    }
    for (int i = 0; i < a.dims().size(); i++) {
      Lmad.Dim d = a.dims().get(i);
      if (!d.size().isInt(1) && !samePoly(d.stride(), b.dims().get(i).stride())) {
        return false;
      }
    }
    return true;
  }

  /** Tests for equal polynomials, after replacement of names by their definitions. */
  boolean samePoly(Poly a, Poly b) {
    return a.equals(b) || env.expand(a).equals(env.expand(b));
  }

  /** Requires that the pattern has the given types, apart from memory annotations. */
  void pattern(Stm s, List<Type> expected) {
    patternCount(s, expected.size());
    for (int i = 0; i < expected.size(); i++) {
      PatElem p = s.pat().get(i);
      same(p.type(), expected.get(i), "result " + p.name());
    }
  }

  void patternCount(Stm s, int n) {
    if (s.pat().size() != n) {
      throw broken("the expression has " + n + " results, the pattern has " + s.pat().size());
    }
  }

  /** Replaces names in a type. */
  static Type substitute(Type t, Substitution replacements) {
    try {
      return replacements.type(t);
    } catch (IllegalArgumentException e) {
      throw broken("in type " + Printer.print(t) + ": " + e.getMessage());
    }
  }

  /** Returns a substitution of names by operands, in equal numbers. */
  static Substitution replacements(List<Name> names, List<SubExp> by) {
    Map<Name, SubExp> m = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      m.put(names.get(i), by.get(i));
    }
    return new Substitution(m);
  }

  static void count(int actual, int expected, String what) {
    if (actual != expected) {
      throw broken(actual + " " + what + ", expected " + expected);
    }
  }

  /** Returns the scalars and primitive arrays that represent a value of an entry point's type. */
  static List<ExtType.Transparent> parts(ExtType t, Map<String, ExtType.Def> opaques) {
    try {
      return t.parts(opaques);
    } catch (IllegalArgumentException e) {
      throw broken("in the entry point: " + e.getMessage());
    }
  }

  /** Returns the types of a body's results, in the scope of its statements. */
  List<Type> results(Body b) {
    List<Type> types = new ArrayList<>();
    for (SubExp e : b.results()) {
      types.add(env.use(e));
    }
    return types;
  }

  /**
   * The alias classes of the parameters and results of a lambda or other body. A class may be
   * consumed later, by an operation that uses the results.
   */
  record Called(List<Set<AliasClass>> params, List<Set<AliasClass>> results) {
    /** Returns the consumer of a parameter, or null. */
    @Nullable String consumer(int param) {
      for (AliasClass o : params.get(param)) {
        if (o.consumer != null) {
          return o.consumer;
        }
      }
      return null;
    }
  }

  /**
   * Checks a lambda that may be evaluated any number of times.
   *
   * @param params the types of its arguments
   */
  Called lambda(Lambda l, List<Type> params) {
    int before = env.enterRegion(false);
    Called c = body(l, params, List.of());
    env.leaveRegion(before);
    return c;
  }

  /**
   * Checks an operator that may be evaluated any number of times and must not consume its operands.
   * An operand may be a neutral element, an element of an input, or a result of the operator
   * itself.
   *
   * @param params the types of its arguments
   * @param protection the reason in error messages
   */
  Called operator(Lambda l, List<Type> params, String protection) {
    int before = env.enterRegion(false);
    List<Set<AliasClass>> given = new ArrayList<>();
    for (Param p : l.params()) {
      given.add(env.fresh(p.name(), p.type(), protection));
    }
    Called c = body(l, params, given);
    env.leaveRegion(before);
    return c;
  }

  /**
   * Checks a lambda that is evaluated once.
   *
   * @param params the types of its arguments
   * @param given the alias classes of its arguments; arguments beyond the end of the list have no
   *     aliases
   */
  Called body(Lambda l, List<Type> params, List<Set<AliasClass>> given) {
    int mark = env.enter();
    lambdaParams(l, params, given);
    for (Type t : l.results()) {
      type(t);
    }
    stms(l.body().stms());
    lambdaResults(l);
    Called c = called(l);
    env.leave(mark);
    return c;
  }

  /**
   * Checks the accumulators among the results of an elementwise body. The body must return each
   * accumulator once; returning an outer accumulator consumes it.
   *
   * @param origins the alias classes of the results
   */
  void accumulators(Stm s, List<Type> results, List<Set<AliasClass>> origins) {
    Set<AliasClass> given = new HashSet<>();
    for (int i = 0; i < results.size(); i++) {
      if (!(results.get(i) instanceof Type.Acc)) {
        continue;
      }
      for (AliasClass o : origins.get(i)) {
        if (!given.add(o)) {
          throw broken("accumulator " + o.first + " is returned twice");
        }
        if (o.region <= env.region() && o.consumer == null) {
          env.consume(o, o.first, ExpCheck.consumer(s));
        }
      }
    }
  }

  /** Returns the alias classes of a lambda, in the scope of its body. */
  Called called(Lambda l) {
    return new Called(
        l.params().stream().map(p -> env.origins(p.name())).toList(),
        l.body().results().stream().map(env::origins).toList());
  }

  /**
   * An operand of an operation.
   *
   * @param consumer the consumer in error messages, or null if the operand is not consumed
   */
  record Operand(SubExp value, @Nullable String consumer) {
    static Operand of(Name n, @Nullable String consumer) {
      return new Operand(SubExp.of(n), consumer);
    }

    static List<Operand> all(List<SubExp> values, @Nullable String consumer) {
      return values.stream().map(e -> new Operand(e, consumer)).toList();
    }
  }

  /**
   * Consumes operands of an operation. The order of reads and writes within an operation is
   * unspecified. Therefore no other operand may alias a consumed operand, and the operation's
   * bodies must not use it.
   *
   * @param all the operands that have aliases; an operand occurs twice if it is passed twice
   * @param uses the number of {@linkplain VerifierScope#uses uses} before the operation's bodies
   */
  void operands(List<Operand> all, int uses) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).consumer() == null || !(all.get(i).value() instanceof SubExp.Var v)) {
        continue;
      }
      for (AliasClass o : env.origins(v)) {
        for (int j = 0; j < all.size(); j++) {
          if (j != i && env.origins(all.get(j).value()).contains(o)) {
            throw shared(v, all.get(j));
          }
        }
        if (o.usedInside > uses && o.region == env.region()) {
          throw broken("the operation consumes " + v + ", but also uses its elements otherwise");
        }
      }
    }
    for (Operand x : all) {
      if (x.consumer() != null && x.value() instanceof SubExp.Var v) {
        env.consume(v.name(), x.consumer());
      }
    }
  }

  private static BrokenRule shared(SubExp.Var consumed, Operand other) {
    return broken(
        "the operation consumes "
            + consumed
            + (consumed.equals(other.value())
                ? ", but also has it as another operand"
                : ", but its operand " + other.value() + " shares its elements"));
  }

  boolean hasMemory() {
    return rep.hasMemory();
  }

  void lambdaParams(Lambda l, List<Type> params, List<Set<AliasClass>> given) {
    count(l.params().size(), params.size(), "parameters of a lambda");
    for (int i = 0; i < params.size(); i++) {
      Param p = l.params().get(i);
      same(p.type(), params.get(i), "parameter " + p.name());
      binderType(p.type());
      env.bind(
          p.name(),
          p.type(),
          i < given.size() ? given.get(i) : env.fresh(p.name(), p.type(), null));
    }
  }

  void lambdaResults(Lambda l) {
    count(l.body().results().size(), l.results().size(), "results of a lambda's body");
    for (int i = 0; i < l.results().size(); i++) {
      SubExp e = l.body().results().get(i);
      same(env.use(e), l.results().get(i), "result " + e + " of a lambda");
    }
  }
}
