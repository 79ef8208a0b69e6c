package futharkc.core.ir.text;

import futharkc.core.ir.Aux;
import futharkc.core.ir.Body;
import futharkc.core.ir.EntryPoint;
import futharkc.core.ir.Exp;
import futharkc.core.ir.ExtType;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.Ir;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Program;
import futharkc.core.ir.Rep;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/** A printer of programs and their nodes. {@link Parser} parses the text back to equal ones. */
public final class Printer {
  private final StringBuilder out = new StringBuilder();
  private int indent;

  Printer() {}

  /** Prints a whole program with its header line. */
  public static String print(Ir ir) {
    Printer printer = new Printer();
    switch (ir) {
      case Program p -> printer.program(p);
      case ImperativeProgram p -> new ImperativePrinter(printer).program(p);
    }
    return printer.out.toString();
  }

  /** Prints a function with its entry point. */
  public static String print(FunDef f) {
    Printer printer = new Printer();
    printer.function(f);
    return printer.out.toString();
  }

  /** Prints a statement. */
  public static String print(Stm s) {
    Printer printer = new Printer();
    printer.stm(s);
    return printer.out.toString();
  }

  /** Prints an expression. */
  public static String print(Exp e) {
    Printer printer = new Printer();
    new ExpPrinter(printer).exp(e);
    return printer.out.toString();
  }

  /** Prints a body in braces. */
  public static String print(Body b) {
    Printer printer = new Printer();
    printer.body(b);
    return printer.out.toString();
  }

  /** Prints a function of an imperative program. Uses of constants state their types. */
  public static String print(ImperativeProgram.Function f) {
    Printer printer = new Printer();
    new ImperativePrinter(printer).function(f);
    return printer.out.toString();
  }

  /**
   * Prints an imperative statement. Uses of variables that it does not declare state their types.
   */
  public static String print(Code c) {
    Printer printer = new Printer();
    new CodePrinter(printer, new Declarations()).statement(c);
    return printer.out.toString();
  }

  /** Prints a type. */
  public static String print(Type t) {
    Printer printer = new Printer();
    printer.put(TypeText.type(t));
    return printer.out.toString();
  }

  private void program(Program p) {
    header(p.rep(), p.opaques().values());
    if (!p.constants().isEmpty()) {
      put("\n");
    }
    for (Stm s : p.constants()) {
      put("const ");
      stm(s);
      put("\n");
    }
    for (FunDef f : p.functions().values()) {
      put("\n");
      function(f);
      put("\n");
    }
  }

  /** Prints the header line and the opaque types. */
  void header(Rep rep, Collection<ExtType.Def> opaques) {
    put("#futhark-ir " + rep + " v1\n");
    if (!opaques.isEmpty()) {
      put("\n");
    }
    for (ExtType.Def d : opaques) {
      opaque(d);
      put("\n");
    }
  }

  private void opaque(ExtType.Def d) {
    put("type " + Atoms.string(d.name()) + " ");
    Iterator<List<String>> dims = d.dims().iterator();
    list("(", d.parts(), t -> put(part(t, dims.next())), ")");
    put(" = ");
    switch (d.structure()) {
      case ExtType.Structure.Record r -> {
        put("record ");
        list("{", r.fields(), this::field, "}");
      }
      case ExtType.Structure.Sum s -> {
        put("sum ");
        list("{", s.variants(), this::variant, "}");
      }
      case ExtType.Structure.Array a -> put("array " + a.rank() + " " + ext(a.elem()));
      case ExtType.Structure.RecordArray a -> {
        put("record_array " + a.rank() + " ");
        list("{", a.fields(), this::field, "}");
      }
      case ExtType.Structure.Unknown u -> put("unknown");
    }
  }

  private void field(ExtType.Field f) {
    put(Atoms.string(f.name()) + ": " + ext(f.type()));
  }

  private void variant(ExtType.Variant v) {
    put(Atoms.string(v.name()) + " ");
    list("(", v.payload(), t -> put(ext(t)), ")");
    put(" ");
    list("[", v.slots(), s -> put(Atoms.permutation(s)), "]");
  }

  private static String part(ExtType.Transparent t, List<String> dims) {
    StringBuilder out = new StringBuilder();
    for (String size : dims) {
      out.append("[").append(size).append("]");
    }
    return out + Atoms.external(t.prim(), t.unsigned());
  }

  private static String ext(ExtType t) {
    return switch (t) {
      case ExtType.Transparent x -> "[]".repeat(x.rank()) + Atoms.external(x.prim(), x.unsigned());
      case ExtType.Opaque o -> Atoms.string(o.name());
    };
  }

  private void function(FunDef f) {
    if (f.entry() != null) {
      entry(f.entry());
      put("\n");
    }
    put("fun " + Atoms.word(f.name()));
    list("(", f.params(), this::param, ")");
    put(" -> ");
    list("(", f.results(), r -> put(binding(r.name(), r.unique(), r.type())), ")");
    if (!f.attrs().isEmpty()) {
      put(" ");
      attrs(f.attrs());
    }
    put(" next " + f.nextTag());
    loc(f.loc());
    put(" = ");
    body(f.body());
  }

  /** Prints an entry point without a line break. */
  void entry(EntryPoint e) {
    put("entry " + Atoms.string(e.name()) + " ");
    list(
        "(",
        e.params(),
        p -> put(Atoms.string(p.name()) + ": " + (p.unique() ? "*" : "") + ext(p.type())),
        ")");
    put(" -> " + (e.uniqueResult() ? "*" : "") + ext(e.result()));
    if (!e.doc().isEmpty()) {
      put(" doc " + Atoms.string(e.doc()));
    }
  }

  void stm(Stm s) {
    put("let ");
    list("{", s.pat(), p -> put(binding(p.name(), false, p.type())), "}");
    put(" = ");
    aux(s.aux());
    new ExpPrinter(this).exp(s.exp());
    loc(s.aux().loc());
  }

  private void aux(Aux aux) {
    if (!aux.attrs().isEmpty()) {
      attrs(aux.attrs());
      put(" ");
    }
    if (!aux.certs().isEmpty()) {
      put("cert");
      names(aux.certs());
      put(" ");
    }
  }

  void attrs(List<String> attrs) {
    list("#[", attrs, a -> put(Atoms.word(a)), "]");
  }

  void loc(Loc l) {
    if (!l.equals(Loc.NONE)) {
      put(" @" + Atoms.loc(l));
    }
  }

  /** Prints statements and results in braces, on one line if there are no statements. */
  void body(Body b) {
    block(b.stms(), () -> subExps("{", b.results(), "}"));
  }

  void block(List<Stm> stms, Runnable results) {
    if (stms.isEmpty()) {
      put("{in ");
      results.run();
      put("}");
      return;
    }
    put("{");
    indent++;
    for (Stm s : stms) {
      line();
      stm(s);
    }
    line();
    put("in ");
    results.run();
    indent--;
    line();
    put("}");
  }

  void lambda(Lambda l) {
    list("\\{", l.params(), this::param, "}");
    put(" -> ");
    list("{", l.results(), t -> put(TypeText.type(t)), "}");
    put(" ");
    body(l.body());
  }

  void param(Param p) {
    put(binding(p.name(), p.unique(), p.type()));
  }

  static String binding(Name n, boolean unique, Type t) {
    return Atoms.name(n) + ": " + (unique ? "*" : "") + TypeText.type(t);
  }

  void names(List<Name> names) {
    list("{", names, n -> put(Atoms.name(n)), "}");
  }

  void subExps(String open, List<SubExp> es, String close) {
    list(open, es, e -> put(TypeText.subExp(e)), close);
  }

  <T> void list(String open, List<T> items, Consumer<T> print, String close) {
    put(open);
    boolean first = true;
    for (T item : items) {
      if (!first) {
        put(", ");
      }
      first = false;
      print.accept(item);
    }
    put(close);
  }

  /** Prints items in braces, one per line. */
  <T> void lines(List<T> items, Consumer<T> print) {
    put("{");
    indent++;
    for (T item : items) {
      line();
      print.accept(item);
    }
    indent--;
    if (!items.isEmpty()) {
      line();
    }
    put("}");
  }

  /** Prints content on indented lines of its own. */
  void clause(Runnable content) {
    indent += 2;
    line();
    content.run();
    indent -= 2;
  }

  void line() {
    out.append('\n').append("  ".repeat(indent));
  }

  Printer put(String s) {
    out.append(s);
    return this;
  }
}
