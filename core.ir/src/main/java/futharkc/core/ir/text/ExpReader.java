package futharkc.core.ir.text;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FlatSlice;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Loc;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Space;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parser of statements, bodies and expressions. */
class ExpReader extends ExternalReader {
  ExpReader(String source, String text, int from) {
    super(source, text, from);
  }

  final Stm stm() {
    expect("let");
    List<PatElem> pat =
        list(
            "{",
            () -> {
              Name n = name();
              expect(":");
              return new PatElem(n, type());
            },
            "}");
    expect("=");
    List<String> attrs = attrs();
    List<Name> certs = skip("cert") ? names() : List.of();
    Exp e = exp();
    return new Stm(pat, new Aux(certs, attrs, optionalLoc()), e);
  }

  /** Reads the statements of a body, up to and including the word {@code in}. */
  final List<Stm> stms() {
    expect("{");
    List<Stm> stms = new ArrayList<>();
    while (sees("let")) {
      stms.add(stm());
    }
    if (!skip("in")) {
      throw expected("'let' or 'in'");
    }
    return stms;
  }

  final Body body() {
    List<Stm> stms = stms();
    List<SubExp> results = subExps();
    expect("}");
    return new Body(stms, results);
  }

  final Lambda lambda() {
    expect("\\");
    List<Param> params = list("{", this::param, "}");
    expect("->");
    List<Type> results = types();
    return new Lambda(params, body(), results);
  }

  final List<Type> types() {
    return list("{", this::type, "}");
  }

  private Exp exp() {
    Token t = peek();
    if (t.kind() == Token.Kind.NAME) {
      return ofName();
    }
    if (seesPrimValue()) {
      return new BasicOp.SubExpOp(SubExp.of(primValue()));
    }
    if (sees("[")) {
      List<SubExp> elems = shape();
      expect(":");
      return new BasicOp.ArrayLit(elems, type());
    }
    if (t.kind() != Token.Kind.IDENT) {
      throw expected("an expression");
    }
    OperatorWords.Operator op = OperatorWords.find(t.text());
    if (op != null) {
      return op.basicOp().apply(operands(op, this::subExp));
    }
    next();
    return switch (t.text()) {
      case "if", "match", "loop", "with_acc", "apply" -> control(t.text());
      case "screma", "hist", "stream", "flat_map", "jvp", "vjp", "with_vjp" -> soac(t.text());
      case "segmap", "segred", "segscan", "seghist", "par" -> new SegReader(this).exp(t.text());
      case "get_size", "get_size_max", "cmp_size_le", "calc_num_blocks", "read", "gpu_body" ->
          new HostReader(this).exp(t.text());
      case "alloc", "ensure_direct" -> memOp(t.text());
      default -> basicOp(t);
    };
  }

  /** Reads an expression that begins with a name: the name itself or an access to the array. */
  private Exp ofName() {
    Name n = name();
    if (sees("[")) {
      return peek(1).is("flat")
          ? new BasicOp.FlatIndex(n, flatSlice())
          : new BasicOp.Index(n, slice());
    }
    if (!skip("with")) {
      return new BasicOp.SubExpOp(SubExp.of(n));
    }
    boolean safe = skip("safe");
    if (!safe && peek(1).is("flat")) {
      FlatSlice s = flatSlice();
      expect("=");
      return new BasicOp.FlatUpdate(n, s, name());
    }
    Slice s = slice();
    expect("=");
    return new BasicOp.Update(safe, n, s, subExp());
  }

  private Slice slice() {
    return new Slice(
        list(
            "[",
            () -> {
              SubExp start = subExp();
              if (!skip(":+")) {
                return new Slice.Fix(start);
              }
              SubExp count = subExp();
              expect("*");
              return new Slice.Range(start, count, subExp());
            },
            "]"));
  }

  private FlatSlice flatSlice() {
    expect("[");
    expect("flat");
    SubExp offset = subExp();
    expect(";");
    List<FlatSlice.Dim> dims =
        rest(
            () -> {
              SubExp count = subExp();
              expect(":");
              return new FlatSlice.Dim(count, subExp());
            },
            "]");
    return new FlatSlice(offset, dims);
  }

  private Exp control(String word) {
    return switch (word) {
      case "if" -> {
        SubExp c = subExp();
        expect("then");
        Body then = body();
        expect("else");
        yield Exp.Match.conditional(c, then, body());
      }
      case "match" -> {
        List<SubExp> scrutinees = list("(", this::subExp, ")");
        List<Exp.Case> cases = new ArrayList<>();
        while (skip("case")) {
          List<@Nullable PrimValue> pattern = list("(", this::patternValue, ")");
          cases.add(new Exp.Case(pattern, body()));
        }
        if (!skip("default")) {
          throw expected("'case' or 'default'");
        }
        yield new Exp.Match(scrutinees, cases, body());
      }
      case "loop" -> loop();
      case "with_acc" -> {
        List<Exp.AccInput> inputs = new ArrayList<>();
        while (skip("acc")) {
          inputs.add(accInput());
        }
        if (!skip("do")) {
          throw expected("'acc' or 'do'");
        }
        yield new Exp.WithAcc(inputs, lambda());
      }
      default -> apply();
    };
  }

  private @Nullable PrimValue patternValue() {
    return skip("_") ? null : primValue();
  }

  private Exp apply() {
    String function = word();
    List<Boolean> consumed = new ArrayList<>();
    List<SubExp> args =
        list(
            "(",
            () -> {
              consumed.add(skip("*"));
              return subExp();
            },
            ")");
    return new Exp.Apply(function, args, consumed);
  }

  private Exp loop() {
    List<Exp.LoopParam> params =
        list(
            "{",
            () -> {
              List<String> attrs = attrs();
              Param p = param();
              expect("=");
              return new Exp.LoopParam(p, subExp(), attrs);
            },
            "}");
    Exp.Form form;
    if (skip("for")) {
      Name i = name();
      expect(":");
      PrimType t = primType();
      expect("<");
      form = new Exp.Form.For(i, t, subExp());
    } else if (skip("while")) {
      form = new Exp.Form.While(name());
    } else {
      throw expected("'for' or 'while'");
    }
    expect("do");
    return new Exp.Loop(params, form, body());
  }

  private Exp.AccInput accInput() {
    expect("(");
    List<SubExp> space = shape();
    expect(",");
    List<Name> arrays = names();
    if (skip(")")) {
      return new Exp.AccInput(space, arrays, null);
    }
    expect(",");
    List<SubExp> neutral = subExps();
    expect(")");
    return new Exp.AccInput(space, arrays, new Exp.AccOp(lambda(), neutral));
  }

  private Exp soac(String word) {
    expect("(");
    return switch (word) {
      case "screma" -> screma();
      case "hist" -> hist();
      case "stream" -> {
        SubExp w = subExp();
        expect(",");
        List<Name> inputs = names();
        expect(",");
        List<SubExp> accs = subExps();
        expect(")");
        yield new Soac.Stream(w, inputs, accs, lambda());
      }
      case "flat_map" -> {
        SubExp w = subExp();
        expect(",");
        List<Name> inputs = names();
        expect(")");
        yield new Soac.FlatMap(w, inputs, lambda());
      }
      case "with_vjp" -> {
        List<SubExp> args = subExps();
        expect(")");
        expect("do");
        Lambda f = lambda();
        expect("adjoint");
        yield new Soac.WithVjp(args, f, lambda());
      }
      default -> {
        List<SubExp> vector = shape();
        expect(",");
        List<SubExp> args = subExps();
        expect(",");
        List<SubExp> seeds = subExps();
        expect(")");
        Lambda f = lambda();
        yield word.equals("jvp")
            ? new Soac.Jvp(vector, args, seeds, f)
            : new Soac.Vjp(vector, args, seeds, f);
      }
    };
  }

  private Exp screma() {
    SubExp w = subExp();
    expect(",");
    List<Name> inputs = names();
    expect(")");
    expect("map");
    Lambda map = lambda();
    List<Soac.Scan> scans = new ArrayList<>();
    while (skip("scan")) {
      List<SubExp> neutral = list("(", this::subExps, ")").get(0);
      scans.add(new Soac.Scan(lambda(), neutral));
    }
    List<Soac.Reduce> reduces = new ArrayList<>();
    while (sees("reduce") || sees("reduce_comm")) {
      boolean commutative = next().text().equals("reduce_comm");
      List<SubExp> neutral = list("(", this::subExps, ")").get(0);
      reduces.add(new Soac.Reduce(commutative, lambda(), neutral));
    }
    if (!skip("post")) {
      throw expected("'scan', 'reduce', 'reduce_comm' or 'post'");
    }
    return new Soac.Screma(w, inputs, map, scans, reduces, lambda());
  }

  private Exp hist() {
    SubExp w = subExp();
    expect(",");
    List<Name> inputs = names();
    expect(")");
    List<Soac.HistOp> ops = new ArrayList<>();
    while (skip("op")) {
      expect("(");
      List<SubExp> shape = shape();
      expect(",");
      SubExp race = subExp();
      expect(",");
      List<Name> dests = names();
      expect(",");
      List<SubExp> neutral = subExps();
      expect(")");
      ops.add(new Soac.HistOp(shape, race, dests, neutral, lambda()));
    }
    if (!skip("bucket")) {
      throw expected("'op' or 'bucket'");
    }
    return new Soac.Hist(w, inputs, ops, lambda());
  }

  private Exp memOp(String word) {
    expect("(");
    MemOp op;
    if (word.equals("alloc")) {
      SubExp size = subExp();
      expect(",");
      Space space = space();
      op = new MemOp.Alloc(size, space);
    } else {
      op = new MemOp.EnsureDirect(name());
    }
    expect(")");
    return op;
  }

  private Exp basicOp(Token t) {
    if (t.text().equals("values")) {
      PrimType elem = primType();
      return new BasicOp.ArrayVal(list("[", this::primValue, "]"), elem);
    }
    expect("(");
    BasicOp op = arguments(t);
    expect(")");
    return op;
  }

  /** Reads an operation in the form of a word with arguments in parentheses. */
  private BasicOp arguments(Token t) {
    return switch (t.text()) {
      case "opaque" -> new BasicOp.Opaque(new BasicOp.Tag.Barrier(), subExp());
      case "break" -> {
        int event = smallNumber();
        expect(",");
        yield new BasicOp.Opaque(new BasicOp.Tag.Break(event), subExp());
      }
      case "trace" -> {
        String text = string();
        expect(",");
        boolean unsigned = skip("unsigned");
        yield new BasicOp.Opaque(new BasicOp.Tag.Trace(text, unsigned), subExp());
      }
      case "assert" -> assertion();
      case "concat" -> {
        int dim = smallNumber();
        expect(",");
        SubExp size = subExp();
        expect(",");
        yield new BasicOp.Concat(dim, names(), size);
      }
      case "manifest" -> {
        List<Integer> perm = permutation();
        expect(",");
        yield new BasicOp.Manifest(name(), perm);
      }
      case "rearrange" -> {
        List<Integer> perm = permutation();
        expect(",");
        yield new BasicOp.Rearrange(name(), perm);
      }
      case "replicate" -> {
        List<SubExp> shape = shape();
        expect(",");
        yield new BasicOp.Replicate(shape, subExp());
      }
      case "scratch" -> {
        List<SubExp> shape = shape();
        yield new BasicOp.Scratch(primType(), shape);
      }
      case "reshape", "coerce" -> {
        List<SubExp> shape = shape();
        expect(",");
        yield new BasicOp.Reshape(t.text().equals("coerce"), name(), shape);
      }
      case "update_acc", "update_acc_in_range" -> {
        Name acc = name();
        expect(",");
        List<SubExp> index = shape();
        expect(",");
        yield new BasicOp.UpdateAcc(t.text().equals("update_acc_in_range"), acc, index, subExps());
      }
      case "user_param" -> {
        String name = string();
        expect(",");
        yield new BasicOp.UserParam(name, subExp());
      }
      default -> iota(t);
    };
  }

  private BasicOp iota(Token t) {
    PrimType type = t.text().startsWith("iota_") ? primType(t.text().substring(5)) : null;
    if (type == null) {
      throw error(t, "unknown operation " + t.text());
    }
    SubExp count = subExp();
    expect(",");
    SubExp start = subExp();
    expect(",");
    return new BasicOp.Iota(count, start, subExp(), type);
  }

  private BasicOp assertion() {
    SubExp cond = subExp();
    List<BasicOp.MsgPart> message = new ArrayList<>();
    List<Loc> trace = new ArrayList<>();
    while (skip(",")) {
      if (sees("@")) {
        trace.add(loc());
      } else if (!trace.isEmpty()) {
        throw expected("a location");
      } else if (peek().kind() == Token.Kind.STRING) {
        message.add(new BasicOp.MsgPart.Text(string()));
      } else {
        SubExp v = subExp();
        expect(":");
        External t = external();
        message.add(new BasicOp.MsgPart.Value(v, t.type(), t.unsigned()));
      }
    }
    return new BasicOp.Assert(cond, message, trace);
  }
}
