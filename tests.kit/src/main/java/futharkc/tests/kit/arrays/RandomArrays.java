package futharkc.tests.kit.arrays;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.Param;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A random program without memory annotations, in the representation for one thread, for several
 * threads or for a GPU. The program has loops, branches, updates, slices, transpositions,
 * concatenations, accumulators, nested parallel operations and calls. The program satisfies the
 * verifier, reads only initialised elements and has no index out of range. So it has a result for
 * all inputs.
 *
 * <p>{@code main} takes the arrays {@code xs: *[n], ys: [m], a: *[n][m], b: [m][m]} and a number
 * {@code k} less than both {@code n} and {@code m}.
 *
 * @param positive true if {@code n} and {@code m} must be at least one; otherwise the program does
 *     not use {@code k}
 */
public record RandomArrays(Program program, boolean positive) {
  /**
   * Returns the program of a seed.
   *
   * @param rep {@code SEQ}, {@code MC} or {@code GPU}
   * @param size the approximate number of statements that are not scalar operations
   */
  public static RandomArrays of(long seed, Rep rep, int size) {
    return new Writer(new Random(seed), rep).write(size);
  }

  private static final class Writer {
    private final Random random;
    private final Rep rep;
    private final NameSource names = new NameSource(0);

    Writer(Random random, Rep rep) {
      this.random = random;
      this.rep = rep;
    }

    RandomArrays write(int size) {
      boolean positive = random.nextInt(3) > 0;
      List<PrimType> elems =
          random.nextInt(3) > 0
              ? List.of(PrimType.I32)
              : List.of(PrimType.I8, PrimType.I64, PrimType.I32);
      ArrayScope s = new ArrayScope(names);
      Name n = names.fresh("n");
      Name m = names.fresh("m");
      List<Param> params = new ArrayList<>();
      List<EntryPoint.Param> given = new ArrayList<>();
      params.add(new Param(n, Type.I64));
      params.add(new Param(m, Type.I64));
      SubExp rows = SubExp.of(n);
      SubExp columns = SubExp.of(m);
      for (SubExp size3 : List.of(SubExp.i64(2), rows, columns)) {
        s.sizes.add(size3);
      }
      array("xs", List.of(rows), true, s, params, given);
      array("ys", List.of(columns), false, s, params, given);
      array("a", List.of(rows, columns), true, s, params, given);
      array("b", List.of(columns, columns), false, s, params, given);
      Name k = names.fresh("k");
      params.add(new Param(k, Type.I64));
      given.add(new EntryPoint.Param("k", new ExtType.Transparent(PrimType.I64, false, 0), false));
      if (positive) {
        inRange(s, SubExp.of(k), List.of(rows, columns));
      }
      FunDef callee =
          random.nextBoolean() ? RandomSteps.callee(random, rep, positive, size / 2) : null;
      new RandomSteps(random, rep, elems, positive, callee, size).all(s);
      Map<String, FunDef> functions = new LinkedHashMap<>();
      if (callee != null) {
        functions.put(callee.name(), callee);
      }
      return new RandomArrays(program(s, params, given, functions), positive);
    }

    private void array(
        String base,
        List<SubExp> shape,
        boolean unique,
        ArrayScope s,
        List<Param> params,
        List<EntryPoint.Param> given) {
      Name name = names.fresh(base);
      Type.Array type = new Type.Array(PrimType.I32, shape);
      params.add(new Param(name, type, unique));
      ExtType seen = new ExtType.Transparent(PrimType.I32, false, shape.size());
      given.add(new EntryPoint.Param(base, seen, unique));
      ArrayVariable a = s.fresh(name, type);
      if (!unique) {
        s.fix(a);
      }
    }

    /** Adds an assertion that an index is in the range of all of some sizes. */
    private void inRange(ArrayScope s, SubExp k, List<SubExp> sizes) {
      List<SubExp> conditions = new ArrayList<>();
      conditions.add(s.code.cmp("cond", CmpOp.Kind.SLE, PrimType.I64, SubExp.i64(0), k));
      for (SubExp size : sizes) {
        conditions.add(s.code.cmp("cond", CmpOp.Kind.SLT, PrimType.I64, k, size));
        s.indices.add(new ArrayScope.Index(k, size));
      }
      SubExp all = conditions.get(0);
      for (SubExp c : conditions.subList(1, conditions.size())) {
        all = s.code.binOp("cond", BinOp.Kind.LOG_AND, PrimType.BOOL, all, c);
      }
      List<BasicOp.MsgPart> message = List.of(new BasicOp.MsgPart.Text("k is out of range"));
      Name cert = s.code.let("cert", Type.UNIT, new BasicOp.Assert(all, message, List.of()));
      s.code.with(Aux.NONE.withCerts(List.of(cert)));
    }

    private Program program(
        ArrayScope s,
        List<Param> params,
        List<EntryPoint.Param> given,
        Map<String, FunDef> functions) {
      List<FunDef.Result> results = new ArrayList<>();
      List<SubExp> values = new ArrayList<>();
      List<ExtType.Transparent> parts = new ArrayList<>();
      Map<SubExp, SubExp> sizes = new HashMap<>();
      List<ArrayVariable> live = s.live();
      List<ArrayVariable> chosen = new ArrayList<>();
      for (int k = 0; k < 4 && k < live.size(); k++) {
        ArrayVariable a = live.get(live.size() - 1 - k);
        if (k == 0 || random.nextInt(3) > 0) {
          chosen.add(a);
        }
      }
      for (ArrayVariable a : chosen) {
        for (SubExp d : a.type().shape()) {
          if (!(d instanceof SubExp.Var) || sizes.containsKey(d)) {
            continue;
          }
          Name size = names.fresh("size");
          sizes.put(d, SubExp.of(size));
          results.add(new FunDef.Result(size, Type.I64, false));
          values.add(d);
        }
      }
      for (ArrayVariable a : chosen) {
        List<SubExp> shape = new ArrayList<>();
        for (SubExp d : a.type().shape()) {
          shape.add(sizes.getOrDefault(d, d));
        }
        Type t = new Type.Array(a.type().elem(), shape);
        results.add(new FunDef.Result(names.fresh("res"), t, false));
        values.add(SubExp.of(a.name()));
        parts.add(new ExtType.Transparent(a.type().elem(), false, shape.size()));
      }
      for (ArrayScope.Scalar x : s.scalars) {
        results.add(new FunDef.Result(names.fresh("res"), Type.prim(x.type()), false));
        values.add(x.value());
        parts.add(new ExtType.Transparent(x.type(), false, 0));
      }
      List<ExtType.Field> fields = new ArrayList<>();
      for (int k = 0; k < parts.size(); k++) {
        fields.add(new ExtType.Field(Integer.toString(k), parts.get(k)));
      }
      ExtType.Def def = new ExtType.Def("results", parts, new ExtType.Structure.Record(fields));
      ExtType result = new ExtType.Opaque("results");
      EntryPoint entry = new EntryPoint("main", given, result, false, "");
      FunDef main =
          new FunDef(
              "main",
              List.of(),
              params,
              results,
              s.code.body(values),
              entry,
              names.next(),
              Loc.NONE);
      functions.put("main", main);
      return new Program(rep, Map.of("results", def), List.of(), functions);
    }
  }
}
