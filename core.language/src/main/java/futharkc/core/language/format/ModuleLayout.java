package futharkc.core.language.format;

import futharkc.core.language.grammar.FutharkParser.*;
import java.util.List;

/** The layout of modules and module types. */
final class ModuleLayout {
  private final Output out;
  private final TypeLayout types;
  private final DeclarationLayout decs;

  ModuleLayout(Output out, TypeLayout types, DeclarationLayout decs) {
    this.out = out;
    this.types = types;
    this.decs = decs;
  }

  // Modules

  void module(ModuleContext c) {
    lambdas(c, 0);
  }

  private void lambdas(ModuleContext c, int i) {
    if (i == c.moduleLambda().size()) {
      ascriptions(c, c.moduleType().size());
      return;
    }
    ModuleLambdaContext l = c.moduleLambda(i);
    out.node(
        Span.of(l).to(Span.of(c)),
        () -> {
          out.text("\\");
          param(l.moduleParam());
          if (l.moduleTypeAtom() != null) {
            out.text(": ");
            ModuleTypeAtomContext result = l.moduleTypeAtom();
            if (result.moduleType() != null) {
              moduleTypeAtom(result);
            } else {
              out.text("(");
              moduleTypeAtom(result);
              out.text(")");
            }
          }
          out.text(" ->");
          out.line();
          out.indent(() -> lambdas(c, i + 1));
        });
  }

  private static Span start(ModuleContext c) {
    return c.STRING() != null ? Span.of(c.IMPORT().getSymbol()) : Span.of(c.moduleAtom(0));
  }

  private void ascriptions(ModuleContext c, int n) {
    if (n == 0) {
      if (c.STRING() != null) {
        out.node(
            start(c).to(Span.of(c.STRING().getSymbol())),
            () -> out.text("import " + c.STRING().getText()));
      } else {
        applications(c.moduleAtom());
      }
      return;
    }
    ModuleTypeContext type = c.moduleType(n - 1);
    out.node(
        start(c).to(Span.of(type)),
        () ->
            out.align(
                () -> {
                  ascriptions(c, n - 1);
                  out.text(":");
                  out.line();
                  moduleType(type);
                }));
  }

  private void applications(List<ModuleAtomContext> atoms) {
    ModuleAtomContext last = atoms.getLast();
    if (atoms.size() == 1) {
      moduleAtom(last);
      return;
    }
    out.node(
        Span.of(atoms.getFirst()).to(Span.of(last)),
        () -> {
          applications(atoms.subList(0, atoms.size() - 1));
          out.space();
          moduleAtom(last);
        });
  }

  private void moduleAtom(ModuleAtomContext c) {
    Span end = Span.of(c.getStop());
    out.node(
        Span.of(c),
        () -> {
          if (c.qualName() != null) {
            out.text(c.qualName().getText());
          } else if (c.module() != null) {
            out.text("(");
            out.lineIfMulti();
            out.indent(() -> module(c.module()));
            out.close(")", end);
          } else {
            decs.body(c.dec(), end);
          }
        });
  }

  void param(ModuleParamContext c) {
    out.node(
        Span.of(c),
        () -> {
          out.text("(" + c.ID().getText() + ": ");
          moduleType(c.moduleType());
          out.close(")", Span.of(c.getStop()));
        });
  }

  // Module types

  void moduleType(ModuleTypeContext c) {
    moduleType(c, 0);
  }

  private void moduleType(ModuleTypeContext c, int i) {
    ModuleTypeItemContext item = c.moduleTypeItem(i);
    Span span = Span.of(item).to(Span.of(c));
    if (i == c.moduleTypeItem().size() - 1) {
      if (c.WITH().isEmpty()) {
        moduleTypeAtom(item.moduleTypeAtom());
      } else {
        out.node(span, () -> refined(c, item.moduleTypeAtom()));
      }
      return;
    }
    out.node(
        span,
        () -> {
          if (item.moduleTypeAtom() != null) {
            moduleTypeAtom(item.moduleTypeAtom());
            out.text(" -> ");
            moduleType(c, i + 1);
            return;
          }
          out.text("(" + item.ID().getText() + ": ");
          moduleType(item.moduleType());
          out.close(")", Span.of(item.getStop()));
          out.line();
          out.text("-> ");
          if (isAligned(c, i + 1)) {
            out.align(() -> moduleType(c, i + 1));
          } else {
            moduleType(c, i + 1);
          }
        });
  }

  /** Tests whether the result of a parametric module type is aligned. */
  private static boolean isAligned(ModuleTypeContext c, int i) {
    ModuleTypeAtomContext last = c.moduleTypeItem(i).moduleTypeAtom();
    return i == c.moduleTypeItem().size() - 1
        && !(c.WITH().isEmpty() && last != null && last.LCURLY() != null);
  }

  /** Writes a module type with its refinements {@code with t = u}. */
  private void refined(ModuleTypeContext c, ModuleTypeAtomContext root) {
    moduleTypeAtom(root);
    for (var child : c.children) {
      switch (child) {
        case QualNameContext n -> {
          out.line();
          out.text("with " + n.getText());
        }
        case TypeParamContext p -> {
          out.space();
          types.typeParam(p);
        }
        case TypeExpContext t -> {
          out.text(" = ");
          types.type(t);
        }
        default -> {}
      }
    }
  }

  private void moduleTypeAtom(ModuleTypeAtomContext c) {
    Span end = Span.of(c.getStop());
    out.node(
        Span.of(c),
        () -> {
          if (c.qualName() != null) {
            out.text(c.qualName().getText());
          } else if (c.moduleType() != null) {
            out.text("(");
            out.align(() -> moduleType(c.moduleType()));
            out.close(")", end);
          } else {
            decs.specs(c.spec(), end);
          }
        });
  }

  /** Tests whether a module type is a list of specifications. */
  static boolean isSpecs(ModuleTypeContext c) {
    return c.moduleTypeItem().size() == 1
        && c.WITH().isEmpty()
        && c.moduleTypeItem(0).moduleTypeAtom() != null
        && c.moduleTypeItem(0).moduleTypeAtom().LCURLY() != null;
  }
}
