package futharkc.core.language.parser;

import static futharkc.core.language.grammar.FutharkParser.CONSTRUCTOR;
import static futharkc.core.language.grammar.FutharkParser.HOLE;
import static futharkc.core.language.grammar.FutharkParser.ID;
import static futharkc.core.language.grammar.FutharkParser.THREE_DOTS;
import static futharkc.core.language.grammar.FutharkParser.TWO_DOTS;
import static futharkc.core.language.grammar.FutharkParser.TWO_DOTS_GT;
import static futharkc.core.language.grammar.FutharkParser.TWO_DOTS_LT;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.grammar.FutharkParser.*;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.Exp.Access;
import futharkc.core.language.syntax.Exp.DimIndex;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.QualName;
import futharkc.core.language.syntax.TypeExp;
import futharkc.core.language.syntax.TypeParam;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** The builder of expressions from their parse trees. */
final class ExpBuilder implements SequenceBuilder.Expressions<Exp> {
  private final Sources sources;
  private final LiteralParser literals;
  private final SequenceBuilder<Exp> sequences = new SequenceBuilder<>(this);
  private final TypeBuilder types;
  private final PatBuilder pats;

  ExpBuilder(Sources sources) {
    this.sources = sources;
    this.literals = new LiteralParser(sources);
    this.types = new TypeBuilder(sources, this);
    this.pats = new PatBuilder(sources, literals, types);
  }

  TypeBuilder types() {
    return types;
  }

  PatBuilder pats() {
    return pats;
  }

  LiteralParser literals() {
    return literals;
  }

  Exp exp(ExpContext c) {
    return sequences.build(c.sequence(), c.typing());
  }

  private Exp sequence(SequenceContext c) {
    return sequences.build(c, List.of());
  }

  @Override
  public Exp typed(Exp exp, List<TypingContext> typings) {
    for (TypingContext t : typings) {
      TypeExp type = types.type(t.typeExp());
      Loc loc = exp.loc().to(type.loc());
      exp = t.COLON() != null ? new Exp.Ascript(exp, type, loc) : new Exp.Coerce(exp, type, loc);
    }
    return exp;
  }

  // Prefixes

  @Override
  public Exp unary(PrefixContext c, Exp operand) {
    Loc loc = sources.loc(c).to(operand.loc());
    return c.MINUS() != null ? new Exp.Negate(operand, loc) : new Exp.Not(operand, loc);
  }

  @Override
  public Exp prefixed(List<ParserRuleContext> prefixes, Exp body) {
    ParserRuleContext first = prefixes.getFirst();
    Loc loc = sources.loc(first).to(body.loc());
    if (first instanceof LambdaContext l) {
      return lambda(l, body, loc);
    }
    PrefixContext c = (PrefixContext) first;
    if (c.lambda() != null) {
      return lambda(c.lambda(), body, loc);
    }
    if (c.IF() != null) {
      return new Exp.If(exp(c.exp(0)), exp(c.exp(1)), body, loc);
    }
    if (c.LOOP() != null) {
      return loop(c, body, loc);
    }
    if (c.ASSERT() != null) {
      return assertion(c.atom(), body, loc);
    }
    if (c.attribute() != null) {
      return new Exp.Attributed(DecBuilder.attribute(c.attribute()), body, loc);
    }
    return let(prefixes, body, loc);
  }

  private Exp lambda(LambdaContext c, Exp body, Loc loc) {
    TypeExp result = c.typeTerm() == null ? null : types.term(c.typeTerm());
    return new Exp.Lambda(pats.params(c.param()), result, body, loc);
  }

  private Exp loop(PrefixContext c, Exp body, Loc loc) {
    Pat pat = pats.pat(c.pat());
    Exp init = c.exp().isEmpty() ? null : exp(c.exp(0));
    return new Exp.Loop(List.of(), pat, init, loopForm(c.loopForm()), body, loc);
  }

  private Exp.LoopForm loopForm(LoopFormContext c) {
    if (c.WHILE() != null) {
      return new Exp.LoopForm.While(exp(c.exp()));
    }
    if (c.ID() == null) {
      return new Exp.LoopForm.ForIn(pats.pat(c.pat()), exp(c.exp()));
    }
    Token index = c.ID().getSymbol();
    return new Exp.LoopForm.For(index.getText(), sources.loc(index), exp(c.exp()));
  }

  private Exp assertion(AtomContext condition, Exp body, Loc loc) {
    ParserRuleContext shown = condition;
    if (condition.getChildCount() == 1
        && condition.paren() != null
        && condition.paren().sequence() != null
        && condition.paren().getChildCount() == 3) {
      shown = condition.paren().sequence();
    }
    return new Exp.Assert(atom(condition), sources.textOf(shown), body, loc);
  }

  private Exp let(List<ParserRuleContext> prefixes, Exp body, Loc loc) {
    List<Exp.Binding> bindings = new ArrayList<>();
    for (ParserRuleContext prefix : prefixes) {
      for (LetBindingContext b : ((PrefixContext) prefix).letBinding()) {
        bindings.add(binding(b));
      }
    }
    if (body instanceof Exp.Let inner) {
      bindings.addAll(inner.bindings());
      body = inner.body();
    }
    return new Exp.Let(bindings, body, loc);
  }

  private Exp.Binding binding(LetBindingContext c) {
    Loc loc = sources.loc(c);
    Exp value = exp(c.exp());
    if (c.pat() != null) {
      List<Exp.SizeBinder> sizes = new ArrayList<>();
      for (SizeBinderContext s : c.sizeBinder()) {
        sizes.add(new Exp.SizeBinder(s.ID().getText(), sources.loc(s)));
      }
      return new Exp.Binding.OfPat(List.copyOf(sizes), pats.pat(c.pat()), value, loc);
    }
    Token name = c.ID().getSymbol();
    Loc nameLoc = sources.loc(name);
    if (!c.letAccess().isEmpty()) {
      List<Access> path = new ArrayList<>();
      for (LetAccessContext a : c.letAccess()) {
        path.add(access(a, a.dims()));
      }
      return new Exp.Binding.OfUpdate(name.getText(), nameLoc, List.copyOf(path), value, loc);
    }
    List<TypeParam> typeParams = new ArrayList<>();
    if (c.localSizeParam() != null) {
      LocalSizeParamContext size = c.localSizeParam();
      typeParams.add(new TypeParam.Size(size.ID().getText(), sources.loc(size)));
    } else if (c.typeTypeParam() != null) {
      typeParams.add(types.typeParam(c.typeTypeParam()));
    }
    typeParams.addAll(types.typeParams(c.typeParam()));
    TypeExp result = c.typeExp() == null ? null : types.type(c.typeExp());
    return new Exp.Binding.OfFun(
        name.getText(), typeParams, pats.params(c.param()), result, value, nameLoc, loc);
  }

  // Operators

  /** An infix operator between operands. */
  private record Operator(QualName name, Fixity fixity, Loc loc) {}

  /**
   * Builds an operator.
   *
   * @param name the name between backticks, or null for a symbolic operator
   */
  private Operator operator(ParserRuleContext c, @Nullable QualNameContext name) {
    if (name != null) {
      return new Operator(types.qualName(name), Fixity.NAME, sources.loc(c));
    }
    return symbol(c.getStart());
  }

  private Operator symbol(Token token) {
    String text = token.getText();
    int start = 0;
    List<String> qualifiers = new ArrayList<>();
    while (Character.isLetter(text.charAt(start)) || text.charAt(start) == '_') {
      int dot = text.indexOf('.', start);
      qualifiers.add(text.substring(start, dot));
      start = dot + 1;
    }
    String operator = text.substring(start);
    return new Operator(
        new QualName(qualifiers, operator), Fixity.of(operator), sources.loc(token));
  }

  @Override
  public Exp binary(Exp left, InfixContext c, Exp right) {
    Loc loc = left.loc().to(right.loc());
    if (c.WITH() != null) {
      return new Exp.With(left, path(c.access()), right, loc);
    }
    Operator operator = operator(c, c.qualName());
    return new Exp.BinOp(left, operator.name(), operator.loc(), right, loc);
  }

  @Override
  public Exp range(List<Exp> parts, List<Token> dots) {
    Token last = dots.getLast();
    Loc at = sources.loc(last);
    if (dots.size() > 2 || dots.size() == 2 && dots.getFirst().getType() != TWO_DOTS) {
      throw new DiagnosticException(
          Diagnostic.error("E0108", at, "A range cannot be part of a range.")
              .hint("Ranges have the form a...b or a..b...c, also with '..<' or '..>'."));
    }
    Exp.RangeKind kind =
        switch (last.getType()) {
          case THREE_DOTS -> Exp.RangeKind.INCLUSIVE;
          case TWO_DOTS_LT -> Exp.RangeKind.UP_TO;
          case TWO_DOTS_GT -> Exp.RangeKind.DOWN_TO;
          default ->
              throw new DiagnosticException(
                  Diagnostic.error("E0108", at, "Use '...' for ranges, not '..'.")
                      .hint("'a...b' ends with b, 'a..<b' before b."));
        };
    Exp second = dots.size() == 2 ? parts.get(1) : null;
    Loc loc = parts.getFirst().loc().to(parts.getLast().loc());
    return new Exp.Range(parts.getFirst(), second, kind, parts.getLast(), loc);
  }

  @Override
  public Exp apply(List<Exp> atoms) {
    Exp head = atoms.getFirst();
    if (atoms.size() == 1) {
      return head;
    }
    List<Exp> arguments = List.copyOf(atoms.subList(1, atoms.size()));
    Loc loc = head.loc().to(arguments.getLast().loc());
    if (head instanceof Exp.Constr c && c.args().isEmpty()) {
      return new Exp.Constr(c.name(), arguments, loc);
    }
    if (head instanceof Exp.Index && arguments.getFirst() instanceof Exp.ArrayLit second) {
      throw new DiagnosticException(
          Diagnostic.error(
                  "E0109",
                  head.loc().to(second.loc()),
                  "Incorrect syntax for multi-dimensional indexing.")
              .hint("Write all indices in one pair of brackets, as in a[i,j]."));
    }
    return new Exp.Apply(head, arguments, loc);
  }

  @Override
  public Exp match(MatchContext c) {
    List<Exp.Case> cases = new ArrayList<>();
    for (MatchCaseContext m : c.matchCase()) {
      cases.add(new Exp.Case(pats.pat(m.casePat()), exp(m.exp()), sources.loc(m)));
    }
    return new Exp.Match(exp(c.exp()), List.copyOf(cases), sources.loc(c));
  }

  // Atoms

  @Override
  public Exp atom(AtomContext c) {
    Exp result = primary(c.getChild(0));
    for (int i = 1; i < c.getChildCount(); i++) {
      result = postfix(result, (PostfixContext) c.getChild(i));
    }
    return result;
  }

  private Exp primary(ParseTree c) {
    return switch (c) {
      case ParenContext p -> paren(p);
      case ArrayContext a -> new Exp.ArrayLit(exps(a.exp()), sources.loc(a));
      case RecordContext r -> record(r);
      case TerminalNode t -> terminal(t.getSymbol());
      default -> throw new IllegalStateException("in an atom: " + c.getText());
    };
  }

  private Exp terminal(Token token) {
    if (token instanceof ConstantArray array) {
      return literals.array(array);
    }
    Loc loc = sources.loc(token);
    return switch (token.getType()) {
      case ID -> new Exp.Var(QualName.of(token.getText()), loc);
      case HOLE -> new Exp.Hole(loc);
      case CONSTRUCTOR -> new Exp.Constr(token.getText().substring(1), List.of(), loc);
      default -> {
        Exp literal = literals.of(token);
        if (literal == null) {
          throw new IllegalStateException("no atom: " + token.getText());
        }
        yield literal;
      }
    };
  }

  private Exp postfix(Exp left, PostfixContext c) {
    Loc loc = left.loc().to(sources.loc(c));
    if (c.dims() != null) {
      return new Exp.Index(left, dims(c.dims()), loc);
    }
    if (c.exp() != null) {
      if (left instanceof Exp.Var module) {
        return new Exp.OpenIn(module.name(), exp(c.exp()), loc);
      }
      String message = "Can only locally open module names, not arbitrary expressions.";
      throw new DiagnosticException("E0110", left.loc(), message);
    }
    if (c.ID() != null && left instanceof Exp.Var v) {
      List<String> qualifiers = new ArrayList<>(v.name().qualifiers());
      qualifiers.add(v.name().name());
      return new Exp.Var(new QualName(qualifiers, c.ID().getText()), loc);
    }
    return new Exp.Project(left, c.getStop().getText(), loc);
  }

  private Exp record(RecordContext c) {
    List<Exp.Field> fields = new ArrayList<>();
    for (FieldContext f : c.field()) {
      if (f.exp() == null && f.ID() == null) {
        throw new DiagnosticException("E0111", sources.loc(f), "This field has no value.");
      }
      Exp value = f.exp() == null ? null : exp(f.exp());
      fields.add(new Exp.Field(f.getStart().getText(), value, sources.loc(f)));
    }
    return new Exp.Record(List.copyOf(fields), sources.loc(c));
  }

  private Exp paren(ParenContext c) {
    Loc loc = sources.loc(c);
    if (!c.sectionAccess().isEmpty()) {
      List<Access> path = new ArrayList<>();
      for (SectionAccessContext a : c.sectionAccess()) {
        path.add(access(a, a.dims()));
      }
      return new Exp.AccessSection(List.copyOf(path), loc);
    }
    Operator op = null;
    if (c.operator() != null) {
      op = operator(c.operator(), c.operator().qualName());
    }
    if (c.MINUS() != null) {
      op = symbol(c.MINUS().getSymbol());
    }
    if (op != null) {
      return section(c, op, loc);
    }
    if (c.sequence() == null) {
      return new Exp.Tuple(List.of(), loc);
    }
    Exp first = sequences.build(c.sequence(), c.typing());
    if (c.COMMA().isEmpty()) {
      return new Exp.Paren(first, loc);
    }
    if (c.exp().isEmpty()) {
      throw new DiagnosticException("E0112", loc, "A tuple cannot have exactly one component.");
    }
    List<Exp> elems = new ArrayList<>();
    elems.add(first);
    elems.addAll(exps(c.exp()));
    return new Exp.Tuple(List.copyOf(elems), loc);
  }

  private Exp section(ParenContext c, Operator op, Loc loc) {
    if (c.sequence() == null) {
      return new Exp.OpSection(op.name(), loc);
    }
    if (c.getChild(1) instanceof SequenceContext left) {
      Exp operand = sequences.buildLeftOperand(left, op.fixity());
      if (operand == null) {
        throw new DiagnosticException(
            Diagnostic.error(
                    "E0107", op.loc(), "The operand of this operator section is ambiguous.")
                .hint("Put parentheses around the operand."));
      }
      return new Exp.LeftSection(operand, op.name(), op.loc(), loc);
    }
    return new Exp.RightSection(op.name(), op.loc(), sequence(c.sequence()), loc);
  }

  private List<Exp> exps(List<ExpContext> cs) {
    List<Exp> result = new ArrayList<>(cs.size());
    for (ExpContext c : cs) {
      result.add(exp(c));
    }
    return List.copyOf(result);
  }

  // Indices

  private List<Access> path(List<AccessContext> cs) {
    List<Access> path = new ArrayList<>();
    for (AccessContext c : cs) {
      path.add(access(c, c.dims()));
    }
    return List.copyOf(path);
  }

  private Access access(ParserRuleContext c, @Nullable DimsContext dims) {
    Loc loc = sources.loc(c);
    return dims != null
        ? new Access.Elem(dims(dims), loc)
        : new Access.Field(c.getStop().getText(), loc);
  }

  private List<DimIndex> dims(DimsContext c) {
    List<DimIndex> dims = new ArrayList<>();
    for (DimContext d : c.dim()) {
      dims.add(dim(d));
    }
    return List.copyOf(dims);
  }

  private DimIndex dim(DimContext c) {
    if (c.COLON().isEmpty()) {
      return new DimIndex.Fix(sequence(c.sequence(0)));
    }
    @Nullable Exp[] parts = new Exp[3];
    int part = 0;
    for (ParseTree child : c.children) {
      if (child instanceof SequenceContext s) {
        parts[part] = sequence(s);
      } else {
        part++;
      }
    }
    return new DimIndex.Slice(parts[0], parts[1], parts[2], sources.loc(c));
  }
}
