package futharkc.tools.lsp;

import futharkc.core.language.index.ProgramIndex;
import futharkc.core.language.index.Symbol;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.eclipse.lsp4j.MarkupContent;
import org.eclipse.lsp4j.MarkupKind;
import org.eclipse.lsp4j.ParameterInformation;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.SignatureHelp;
import org.eclipse.lsp4j.SignatureInformation;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.jspecify.annotations.Nullable;

/** The function that is applied at a position, with its parameters. */
final class Calls {
  private static final Set<String> KEYWORDS =
      Set.of(
          "if", "then", "else", "def", "let", "loop", "in", "val", "for", "do", "with", "local",
          "open", "include", "import", "type", "entry", "module", "while", "assert", "match",
          "case");

  private Calls() {}

  static @Nullable SignatureHelp at(View view, Position position) {
    int offset = view.text().offset(position);
    List<SourceScan.Token> tokens = SourceScan.before(view.text().text(), offset);
    if (!tokens.isEmpty() && tokens.getLast().isComment()) {
      return null;
    }
    List<SourceScan.Token> operands = operands(tokens, offset);
    if (operands.isEmpty()) {
      return null;
    }
    String head = operands.getFirst().text();
    Symbol symbol = Names.find(view, position, List.of(head.split("\\.")));
    if (symbol == null) {
      return null;
    }
    return help(view.index(), symbol, operands.size() - 1);
  }

  /**
   * Returns the function and the arguments before the position; a bracket stands for an argument.
   * The token that ends at the position is not complete.
   */
  private static List<SourceScan.Token> operands(List<SourceScan.Token> tokens, int offset) {
    List<SourceScan.Token> operands = new ArrayList<>();
    int i = tokens.size() - 1;
    if (i >= 0 && tokens.get(i).end() == offset && tokens.get(i).isOperand()) {
      i--;
    }
    while (i >= 0) {
      SourceScan.Token t = tokens.get(i);
      if (t.text().equals(")") || t.text().equals("]") || t.text().equals("}")) {
        i = opening(tokens, i);
        if (i < 0) {
          break;
        }
        operands.addFirst(tokens.get(i));
      } else if (t.isOperand() && !KEYWORDS.contains(t.text())) {
        operands.addFirst(t);
      } else if (!t.isComment()) {
        break;
      }
      i--;
    }
    return operands;
  }

  private static int opening(List<SourceScan.Token> tokens, int closing) {
    int depth = 0;
    for (int i = closing; i >= 0; i--) {
      switch (tokens.get(i).text()) {
        case ")", "]", "}" -> depth++;
        case "(", "[", "{" -> {
          depth--;
          if (depth == 0) {
            return i;
          }
        }
        default -> {}
      }
    }
    return -1;
  }

  private static @Nullable SignatureHelp help(ProgramIndex index, Symbol symbol, int argument) {
    List<String> types = index.parameterTypesOf(symbol);
    if (types.isEmpty() || argument >= types.size()) {
      return null;
    }
    StringBuilder label = new StringBuilder(symbol.name());
    String parameters = index.parametersOf(symbol);
    label.append(parameters.isEmpty() ? "" : " " + parameters).append(" : ");
    List<ParameterInformation> informations = new ArrayList<>();
    for (String type : types) {
      int start = label.length();
      label.append(type.contains("->") && !type.startsWith("(") ? "(" + type + ")" : type);
      var information = new ParameterInformation();
      information.setLabel(
          Either.forRight(
              new org.eclipse.lsp4j.jsonrpc.messages.Tuple.Two<>(start, label.length())));
      informations.add(information);
      label.append(" -> ");
    }
    String whole = index.typeOf(symbol).orElse("");
    label.append(whole.substring(whole.lastIndexOf("->") < 0 ? 0 : whole.lastIndexOf("->") + 3));
    var signature = new SignatureInformation(label.toString());
    signature.setParameters(informations);
    if (symbol.doc() != null) {
      signature.setDocumentation(new MarkupContent(MarkupKind.MARKDOWN, symbol.doc()));
    }
    return new SignatureHelp(List.of(signature), 0, argument);
  }
}
