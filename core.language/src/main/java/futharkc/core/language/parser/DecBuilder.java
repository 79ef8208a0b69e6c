package futharkc.core.language.parser;

import futharkc.core.ir.Loc;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.grammar.FutharkParser.*;
import futharkc.core.language.syntax.Attr;
import futharkc.core.language.syntax.Dec;
import futharkc.core.language.syntax.Exp;
import futharkc.core.language.syntax.ModExp;
import futharkc.core.language.syntax.Pat;
import futharkc.core.language.syntax.QualName;
import futharkc.core.language.syntax.SigExp;
import futharkc.core.language.syntax.TypeExp;
import futharkc.core.language.syntax.TypeParam;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.antlr.v4.runtime.tree.TerminalNode;
import org.jspecify.annotations.Nullable;

/** The builder of declarations, modules and module types from their parse trees. */
final class DecBuilder {
  private final Sources sources;
  private final ExpBuilder exps;
  private final TypeBuilder types;
  private final PatBuilder pats;

  DecBuilder(Sources sources) {
    this.sources = sources;
    this.exps = new ExpBuilder(sources);
    this.types = exps.types();
    this.pats = exps.pats();
  }

  /** Returns the text of a documentation comment without comment signs. */
  static String docText(String comment) {
    var out = new StringBuilder();
    String[] lines = comment.substring("-- |".length()).split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      String text = lines[i].strip();
      if (i > 0) {
        out.append('\n');
        text = text.substring(2);
      }
      out.append(text.startsWith(" ") ? text.substring(1) : text);
    }
    return out.toString();
  }

  static Attr attribute(AttributeContext c) {
    return attribute(c.attributeBody());
  }

  private static Attr attribute(AttributeBodyContext c) {
    if (c.ID() == null) {
      return new Attr.Int(attributeInt(c.getText()));
    }
    String name = c.ID().getText();
    if (c.LPAR() == null) {
      return new Attr.Atom(name);
    }
    List<Attr> args = new ArrayList<>();
    for (AttributeBodyContext a : c.attributeBody()) {
      args.add(attribute(a));
    }
    return new Attr.Compound(name, args);
  }

  private static long attributeInt(String text) {
    Exp literal = LiteralParser.integer(text, Loc.NONE);
    return literal instanceof Exp.IntLit i ? i.value().longValue() : 0;
  }

  Dec dec(DecContext c) {
    String doc = c.DOC() == null ? null : docText(c.DOC().getText());
    return dec(c, doc);
  }

  private Dec dec(DecContext c, @Nullable String doc) {
    if (c.valueDec() != null) {
      return value(c.valueDec(), attributes(c), doc);
    }
    if (c.typeDec() != null) {
      return typeDec(c.typeDec(), doc);
    }
    if (c.moduleTypeDec() != null) {
      ModuleTypeDecContext s = c.moduleTypeDec();
      return new Dec.Sig(s.ID().getText(), moduleType(s.moduleType()), doc, sources.loc(s));
    }
    if (c.moduleDec() != null) {
      return moduleDec(c.moduleDec(), doc);
    }
    if (c.openDec() != null) {
      return new Dec.Open(module(c.openDec().module()), sources.loc(c.openDec()));
    }
    if (c.importDec() != null) {
      Token path = c.importDec().STRING().getSymbol();
      return new Dec.Import(exps.literals().string(path), sources.loc(c.importDec()));
    }
    DecContext inner = c.localDec().dec();
    String innerDoc = inner.DOC() == null ? doc : docText(inner.DOC().getText());
    return new Dec.Local(dec(inner, innerDoc), sources.loc(c.localDec()));
  }

  private static List<Attr> attributes(DecContext c) {
    List<Attr> attrs = new ArrayList<>();
    for (AttributeContext a : c.attribute()) {
      attrs.add(attribute(a));
    }
    return List.copyOf(attrs);
  }

  private Dec value(ValueDecContext c, List<Attr> attrs, @Nullable String doc) {
    boolean entry = c.ENTRY() != null;
    List<Pat> params = new ArrayList<>(pats.params(c.param()));
    String name;
    Loc nameLoc;
    if (c.bindingOperator() != null) {
      name = pats.binder(c.bindingOperator());
      nameLoc = sources.loc(c.bindingOperator());
    } else {
      nameLoc = sources.loc(c.param(0));
      if (!(params.removeFirst() instanceof Pat.Var v && isName(c.param(0)))) {
        throw new DiagnosticException(
            Diagnostic.error("E0117", nameLoc, "Cannot bind patterns at top level.")
                .hint("Bind a single name instead."));
      }
      name = v.name();
    }
    List<TypeParam> typeParams = types.typeParams(c.typeParam());
    TypeExp result = c.typeExp() == null ? null : types.type(c.typeExp());
    Exp body = exps.exp(c.exp());
    return new Dec.Val(
        entry,
        name,
        typeParams,
        List.copyOf(params),
        result,
        body,
        entry ? withSplits(attrs, params) : attrs,
        doc,
        nameLoc,
        sources.loc(c));
  }

  /** Adds {@code split(x)} for each parameter {@code (#[split] x: t)} of an entry point. */
  private static List<Attr> withSplits(List<Attr> attrs, List<Pat> params) {
    List<Attr> all = new ArrayList<>(attrs);
    for (Pat param : params) {
      boolean split = false;
      Pat p = param;
      while (p instanceof Pat.Attributed || p instanceof Pat.Ascript) {
        if (p instanceof Pat.Attributed a) {
          split |= a.attr().is("split");
          p = a.pat();
        } else if (p instanceof Pat.Ascript a) {
          p = a.pat();
        }
      }
      if (split && p instanceof Pat.Var v) {
        all.add(new Attr.Compound("split", List.of(new Attr.Atom(v.name()))));
      }
    }
    return List.copyOf(all);
  }

  /**
   * Tests whether a parameter is a name or an operator in parentheses, rather than a name in
   * parentheses.
   */
  private static boolean isName(ParamContext c) {
    SimplePatContext p = c.simplePat();
    return p != null && (p.ID() != null || p.bindingOperator() != null);
  }

  private Dec.Type typeDec(TypeDecContext c, @Nullable String doc) {
    return new Dec.Type(
        TypeBuilder.liftedness(c.liftedness()),
        c.ID().getText(),
        types.typeParams(c.typeParam()),
        types.type(c.typeExp()),
        doc,
        sources.loc(c));
  }

  // Modules

  private Dec moduleDec(ModuleDecContext c, @Nullable String doc) {
    List<ModExp.Param> params = new ArrayList<>();
    for (ModuleParamContext p : c.moduleParam()) {
      params.add(moduleParam(p));
    }
    SigExp sig = c.moduleType() == null ? null : moduleType(c.moduleType());
    ModExp body = module(c.module());
    return new Dec.Mod(c.ID().getText(), List.copyOf(params), sig, body, doc, sources.loc(c));
  }

  private ModExp.Param moduleParam(ModuleParamContext c) {
    return new ModExp.Param(c.ID().getText(), moduleType(c.moduleType()), sources.loc(c));
  }

  private ModExp module(ModuleContext c) {
    ModExp result;
    if (c.STRING() != null) {
      String path = exps.literals().string(c.STRING().getSymbol());
      Loc loc = sources.loc(c.IMPORT().getSymbol(), c.STRING().getSymbol());
      result = new ModExp.Import(path, loc);
    } else {
      result = moduleAtom(c.moduleAtom(0));
      for (ModuleAtomContext a : c.moduleAtom().subList(1, c.moduleAtom().size())) {
        ModExp arg = moduleAtom(a);
        result = new ModExp.Apply(result, arg, result.loc().to(arg.loc()));
      }
    }
    for (ModuleTypeContext s : c.moduleType()) {
      SigExp sig = moduleType(s);
      result = new ModExp.Ascript(result, sig, result.loc().to(sig.loc()));
    }
    for (ModuleLambdaContext l : c.moduleLambda().reversed()) {
      SigExp sig = l.moduleTypeAtom() == null ? null : moduleTypeAtom(l.moduleTypeAtom());
      Loc loc = sources.loc(l).to(result.loc());
      result = new ModExp.Lambda(moduleParam(l.moduleParam()), sig, result, loc);
    }
    return result;
  }

  private ModExp moduleAtom(ModuleAtomContext c) {
    if (c.qualName() != null) {
      return new ModExp.Var(types.qualName(c.qualName()), sources.loc(c));
    }
    if (c.module() != null) {
      return module(c.module());
    }
    List<Dec> decs = new ArrayList<>();
    for (DecContext d : c.dec()) {
      decs.add(dec(d));
    }
    return new ModExp.Decs(List.copyOf(decs), sources.loc(c));
  }

  // Module types

  private SigExp moduleType(ModuleTypeContext c) {
    List<ModuleTypeItemContext> items = c.moduleTypeItem();
    ModuleTypeItemContext last = items.getLast();
    if (last.moduleTypeAtom() == null) {
      String message = "A named parameter is only valid to the left of '->'.";
      throw new DiagnosticException("E0115", sources.loc(last), message);
    }
    SigExp result = refined(moduleTypeAtom(last.moduleTypeAtom()), c.children);
    for (ModuleTypeItemContext item : items.subList(0, items.size() - 1).reversed()) {
      String name = item.ID() == null ? null : item.ID().getText();
      SigExp from =
          name == null ? moduleTypeAtom(item.moduleTypeAtom()) : moduleType(item.moduleType());
      result = new SigExp.Arrow(name, from, result, sources.loc(item).to(result.loc()));
    }
    return result;
  }

  /** Returns a module type with its consecutive refinements {@code with t = u}. */
  private SigExp refined(SigExp sig, List<ParseTree> children) {
    SigExp result = sig;
    QualName name = null;
    List<TypeParamContext> params = new ArrayList<>();
    for (ParseTree child : children) {
      switch (child) {
        case QualNameContext n -> {
          name = types.qualName(n);
          params.clear();
        }
        case TypeParamContext p -> params.add(p);
        case TypeExpContext t -> {
          if (name == null) {
            throw new IllegalStateException("refinement of nothing");
          }
          TypeExp type = types.type(t);
          Loc loc = result.loc().to(type.loc());
          result = new SigExp.With(result, name, types.typeParams(params), type, loc);
        }
        default -> {}
      }
    }
    return result;
  }

  private SigExp moduleTypeAtom(ModuleTypeAtomContext c) {
    if (c.qualName() != null) {
      return new SigExp.Var(types.qualName(c.qualName()), sources.loc(c));
    }
    if (c.moduleType() != null) {
      return moduleType(c.moduleType());
    }
    List<SigExp.Spec> specs = new ArrayList<>();
    for (SpecContext s : c.spec()) {
      specs.add(spec(s));
    }
    return new SigExp.Specs(List.copyOf(specs), sources.loc(c));
  }

  private SigExp.Spec spec(SpecContext c) {
    String doc = c.DOC() == null ? null : docText(c.DOC().getText());
    Loc loc = sources.loc(specStart(c), c.getStop());
    if (c.INCLUDE() != null) {
      return new SigExp.Spec.Include(moduleType(c.moduleType()), loc);
    }
    List<TypeParam> params = types.typeParams(c.typeParam());
    if (c.VAL() != null) {
      String name = c.ID() != null ? c.ID().getText() : pats.binder(c.bindingOperator());
      return new SigExp.Spec.Val(name, params, types.type(c.typeExp()), doc, loc);
    }
    String name = c.ID().getText();
    if (c.MODULE() != null) {
      return new SigExp.Spec.Mod(name, moduleType(c.moduleType()), doc, loc);
    }
    TypeParam.Liftedness liftedness = TypeBuilder.liftedness(c.liftedness());
    if (c.typeExp() == null) {
      return new SigExp.Spec.AbstractType(liftedness, name, params, doc, loc);
    }
    TypeExp type = types.type(c.typeExp());
    return new SigExp.Spec.TypeAbbr(new Dec.Type(liftedness, name, params, type, doc, loc));
  }

  private static Token specStart(SpecContext c) {
    for (ParseTree child : c.children) {
      boolean doc = child instanceof TerminalNode t && t == c.DOC();
      if (doc || child instanceof AttributeContext) {
        continue;
      }
      return child instanceof TerminalNode t
          ? t.getSymbol()
          : ((ParserRuleContext) child).getStart();
    }
    return c.getStart();
  }
}
