package futharkc.tools.lsp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.eclipse.lsp4j.CodeActionContext;
import org.eclipse.lsp4j.CodeActionParams;
import org.eclipse.lsp4j.CodeLensParams;
import org.eclipse.lsp4j.CompletionItem;
import org.eclipse.lsp4j.CompletionParams;
import org.eclipse.lsp4j.DefinitionParams;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DidCloseTextDocumentParams;
import org.eclipse.lsp4j.DocumentFormattingParams;
import org.eclipse.lsp4j.DocumentHighlightParams;
import org.eclipse.lsp4j.DocumentSymbol;
import org.eclipse.lsp4j.DocumentSymbolParams;
import org.eclipse.lsp4j.ExecuteCommandParams;
import org.eclipse.lsp4j.FormattingOptions;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.HoverParams;
import org.eclipse.lsp4j.InlayHintParams;
import org.eclipse.lsp4j.Location;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.ReferenceContext;
import org.eclipse.lsp4j.ReferenceParams;
import org.eclipse.lsp4j.RenameParams;
import org.eclipse.lsp4j.SemanticTokensParams;
import org.eclipse.lsp4j.SignatureHelp;
import org.eclipse.lsp4j.SignatureHelpParams;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.WorkspaceEdit;
import org.eclipse.lsp4j.WorkspaceSymbolParams;
import org.eclipse.lsp4j.services.TextDocumentService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the language server with a client in the same process. */
class LspServerTest {
  private static final int EDITS = Integer.getInteger("lsp.edits", 150);

  @TempDir private Path folder;
  private Editor editor;
  private CompletableFuture<Boolean> orderly;
  private String main = "";

  @BeforeEach
  void start() throws IOException {
    main = uri("main.fut");
    Pipe toServer = Pipe.open();
    Pipe toClient = Pipe.open();
    Evaluator evaluator = (path, reader, expression) -> "the value of\n" + expression;
    orderly =
        CompletableFuture.supplyAsync(
            () ->
                LspServer.serve(
                    Channels.newInputStream(toServer.source()),
                    Channels.newOutputStream(toClient.sink()),
                    "test",
                    evaluator),
            r -> new Thread(r).start());
    editor = 
        new Editor(
            Channels.newInputStream(toClient.source()), Channels.newOutputStream(toServer.sink()));
    assertEquals(
        "futharkc", editor.initialize(folder.toUri().toString()).getServerInfo().getName());
  }

  @AfterEach
  void stop() throws Exception {
    editor.close();
    assertTrue(orderly.get(20, TimeUnit.SECONDS));
    assertEquals(List.of(), editor.log);
  }

  private String uri(String file) {
    return folder.resolve(file).toUri().toString();
  }

  private TextDocumentService documents() {
    return editor.server().getTextDocumentService();
  }

  private static List<String> messages(List<Diagnostic> diagnostics) {
    return diagnostics.stream()
        .map(d -> d.getCode().getLeft() + " " + d.getRange().getStart().getLine())
        .toList();
  }

  @Test
  void diagnosticsFollowTheText() {
    editor.open(main, "def main (x: i32) = y\n");
    assertEquals(List.of("E0301 0"), messages(editor.diagnostics(main)));
    editor.replace(main, "y\n", "x\n");
    assertEquals(List.of(), editor.diagnostics(main));
    editor.replace(main, "x\n", "(x\n");
    assertEquals(List.of("E0101 0"), messages(editor.diagnostics(main)));
    assertEquals(3, editor.published.get(main).getVersion());
    documents().didClose(new DidCloseTextDocumentParams(editor.id(main)));
    String other = uri("other.fut");
    editor.open(other, "def f = 1i32");
    assertEquals(List.of(), editor.diagnostics(other));
    assertEquals(List.of(), editor.published.get(main).getDiagnostics());
  }

  @Test
  void unsavedImportsAreRead() throws IOException {
    Files.writeString(folder.resolve("lib.fut"), "def one = 1i32\n");
    editor.open(main, "import \"lib\"\ndef main : i32 = one\n");
    assertEquals(List.of(), editor.diagnostics(main));
    String lib = uri("lib.fut");
    editor.open(lib, "def one = 1i32\n");
    editor.replace(lib, "1i32", "true");
    assertEquals(List.of(), editor.diagnostics(lib));
    assertEquals(List.of("E0401 1"), messages(editor.diagnostics(main)));
    editor.replace(lib, "true", "(");
    assertEquals(1, editor.diagnostics(lib).size());
    editor.diagnostics(main);
    documents().didClose(new DidCloseTextDocumentParams(editor.id(lib)));
    assertEquals(List.of(), editor.diagnostics(main));
    assertEquals(List.of(), editor.published.get(lib).getDiagnostics());
  }

  @Test
  void importsThatAppearAreRead() {
    editor.open(main, "import \"new\"\ndef main : i32 = one\n");
    assertEquals(List.of("E0201 0"), messages(editor.diagnostics(main)));
    editor.open(uri("new.fut"), "def one = 1i32\n");
    assertEquals(List.of(), editor.diagnostics(main));
  }

  @Test
  void columnsCountUtfSixteenUnits() {
    editor.open(main, "def f (x: i32) = (\"\uD834\uDD1E\", x, zz)\n");
    Range range = editor.diagnostics(main).getFirst().getRange();
    assertEquals(editor.position(main, "zz"), range.getStart());
    assertEquals(editor.position(main, "zz", 1, 2), range.getEnd());
    editor.replace(main, ", zz", "");
    assertTrue(hover("x", 2).contains("x : i32"));
  }

  private String hover(String word, int n) {
    Hover hover =
        Editor.get(
            documents().hover(new HoverParams(editor.id(main), editor.position(main, word, n, 0))));
    return hover == null ? "" : hover.getContents().getRight().getValue();
  }

  @Test
  void hoversShowTypesAndSizes() {
    editor.open(
        main,
        """
        type t = i32

        -- | Adds one to all.
        def inc [n] (xs: [n]i32) = map (+ 1) xs
        def main (k: i64) =
          let ys = inc (replicate k 2)
          in (ys, length ys)
        """);
    String inc = hover("inc", 2);
    assertTrue(inc.contains("def inc [n] : [n]i32 -> *[n]i32"), inc);
    assertTrue(inc.contains("Adds one to all."), inc);
    assertTrue(inc.contains("Here: `[k]i32 -> "), inc);
    assertTrue(hover("ys", 1).contains("ys : [k]i32"), hover("ys", 1));
    assertTrue(hover("map", 1).contains("[n]a -> *[n]x"), hover("map", 1));
    assertEquals("", hover("=", 2));
    editor.replace(main, "(replicate k 2)", "(replicate k");
    assertEquals(1, editor.diagnostics(main).size());
    assertTrue(hover("ys", 2).contains("ys : [k]i32"), "the last good state is used");
  }

  @Test
  void definitionsAndReferencesCrossFiles() throws IOException {
    Files.writeString(folder.resolve("lib.fut"), "def one = 1i32\n");
    Files.writeString(folder.resolve("user.fut"), "import \"lib\"\ndef two = one + one\n");
    editor.open(main, "import \"lib\"\ndef main = map (+ one) [one]\n");
    List<? extends Location> definition =
        Editor.get(
                documents()
                    .definition(
                        new DefinitionParams(editor.id(main), editor.position(main, "one"))))
            .getLeft();
    assertEquals(
        List.of(new Location(uri("lib.fut"), new Range(new Position(0, 4), new Position(0, 7)))),
        definition);
    var references =
        new ReferenceParams(
            editor.id(main), editor.position(main, "one"), new ReferenceContext(true));
    assertEquals(
        List.of("lib.fut 0:4", "main.fut 1:18", "main.fut 1:24", "user.fut 1:10", "user.fut 1:16"),
        Editor.get(documents().references(references)).stream()
            .map(LspServerTest::show)
            .sorted()
            .toList());
    Location map =
        Editor.get(
                documents()
                    .definition(
                        new DefinitionParams(editor.id(main), editor.position(main, "map"))))
            .getLeft()
            .getFirst();
    assertTrue(Files.readString(Path.of(java.net.URI.create(map.getUri()))).contains("def map"));
    assertEquals(
        2,
        Editor.get(
                documents()
                    .documentHighlight(
                        new DocumentHighlightParams(
                            editor.id(main), editor.position(main, "one"))))
            .size());
  }

  private static String show(Location l) {
    Position p = l.getRange().getStart();
    return l.getUri().replaceAll(".*/", "") + " " + p.getLine() + ":" + p.getCharacter();
  }

  @Test
  void newNamesReachFilesThatAreNotOpen() throws IOException {
    Files.writeString(folder.resolve("lib.fut"), "def one = 1i32\n");
    Files.writeString(folder.resolve("user.fut"), "import \"lib\"\ndef two = one + one\n");
    editor.open(main, "import \"lib\"\ndef main (two: i32) = one + two\n");
    WorkspaceEdit edit =
        Editor.get(
            documents()
                .rename(
                    new RenameParams(
                        editor.id(main), editor.position(main, "one"), "single")));
    assertEquals(
        "lib.fut=1 main.fut=1 user.fut=2",
        edit.getChanges().entrySet().stream()
            .map(e -> e.getKey().replaceAll(".*/", "") + "=" + e.getValue().size())
            .sorted()
            .collect(Collectors.joining(" ")));
    var clash =
        documents()
            .rename(
                new RenameParams(editor.id(main), editor.position(main, "one"), "two"));
    CompletionException e = assertThrows(CompletionException.class, () -> Editor.get(clash));
    assertTrue(e.getMessage().contains("clashes"), e.getMessage());
  }

  private List<String> complete(Position position) {
    return Editor.get(documents().completion(new CompletionParams(editor.id(main), position)))
        .getLeft()
        .stream()
        .map(CompletionItem::getLabel)
        .toList();
  }

  @Test
  void completionsKnowFieldsModulesAndScopes() {
    editor.open(
        main,
        """
        type shape = #circle f32 | #square f32
        module m = { def inside = 1i32 module deep = { def bottom = 2i32 } }
        def f (point: {x: f32, y: {z: f32}}) =
          let length = point.x
          in length
        """);
    editor.diagnostics(main);
    editor.replace(main, "in length", "in point.");
    assertEquals(List.of("x", "y"), complete(editor.position(main, "in point.", 1, 9)));
    editor.replace(main, "in point.", "in point.y.");
    assertEquals(List.of("z"), complete(editor.position(main, "in point.y.", 1, 11)));
    editor.replace(main, "in point.y.", "in m.");
    assertEquals(List.of("inside", "deep"), complete(editor.position(main, "in m.", 1, 5)));
    editor.replace(main, "in m.", "in m.deep.b");
    assertEquals(List.of("bottom"), complete(editor.position(main, "in m.deep.b", 1, 11)));
    editor.replace(main, "in m.deep.b", "in #");
    assertEquals(List.of("circle", "square"), complete(editor.position(main, "in #", 1, 4)));
    editor.replace(main, "in #", "in le");
    List<String> names = complete(editor.position(main, "in le", 1, 5));
    assertTrue(names.containsAll(List.of("length", "point", "f", "m", "map", "let", "i32")));
    editor.replace(main, "in le", "in 1 -- le");
    assertEquals(List.of(), complete(editor.position(main, "-- le", 1, 5)));
  }

  @Test
  void signaturesShowTheCurrentParameter() {
    editor.open(
        main,
        "def f (a: i32) (b: {x: bool}) (c: i64) = c\ndef main = f 1 {x = true} 3\n");
    editor.diagnostics(main);
    editor.replace(main, "f 1 {x = true} 3", "f (1 + 1) ");
    SignatureHelp help =
        Editor.get(
            documents()
                .signatureHelp(
                    new SignatureHelpParams(
                        editor.id(main), editor.position(main, "f (1 + 1) ", 1, 10))));
    assertEquals(
        "f : (a: i32) -> (b: {x: bool}) -> (c: i64) -> i64",
        help.getSignatures().getFirst().getLabel());
    assertEquals(1, help.getActiveParameter());
  }

  @Test
  void symbolsFormTheOutline() {
    editor.open(main, "module m = {\n  def x = 1i32\n  type t = i32\n}\ndef y = m.x\n");
    List<DocumentSymbol> symbols =
        Editor.get(documents().documentSymbol(new DocumentSymbolParams(editor.id(main)))).stream()
            .map(e -> e.getRight())
            .toList();
    assertEquals(List.of("m", "y"), symbols.stream().map(DocumentSymbol::getName).toList());
    assertEquals(
        List.of("x", "t"),
        symbols.getFirst().getChildren().stream().map(DocumentSymbol::getName).toList());
    assertEquals(
        List.of("x"),
        Editor.get(
                editor
                    .server()
                    .getWorkspaceService()
                    .symbol(new WorkspaceSymbolParams("x")))
            .getRight()
            .stream()
            .map(s -> s.getName())
            .toList());
    assertEquals(
        6 * 5,
        Editor.get(documents().semanticTokensFull(new SemanticTokensParams(editor.id(main))))
            .getData()
            .size());
  }

  @Test
  void formattingReplacesTheText() {
    editor.open(main, "let f x=x+1i32");
    var params = new DocumentFormattingParams(editor.id(main), new FormattingOptions(2, true));
    List<? extends TextEdit> edits = Editor.get(documents().formatting(params));
    assertEquals("def f x = x + 1i32\n", edits.getFirst().getNewText());
    editor.setText(main, "def f = (");
    assertEquals(List.of(), Editor.get(documents().formatting(params)));
  }

  private List<String> actions(Range range) {
    var context = new CodeActionContext(editor.diagnostics(main));
    return Editor.get(
            documents().codeAction(new CodeActionParams(editor.id(main), range, context)))
        .stream()
        .map(a -> a.getRight().getTitle())
        .toList();
  }

  @Test
  void actionsFollowHintsAndTypes() {
    editor.open(main, "def count [n] (xs: [n]i32) = lenght xs\n");
    Position at = editor.position(main, "lenght");
    assertEquals(List.of("Replace by length"), actions(new Range(at, at)));
    editor.replace(main, "lenght", "length");
    editor.setText(main, "def f (xs: []i32) =\n  let ys = map (\\x -> x + 1) xs\n  in length ys\n");
    assertEquals(List.of(), editor.diagnostics(main));
    var hints =
        Editor.get(
            documents()
                .inlayHint(
                    new InlayHintParams(
                        editor.id(main), new Range(new Position(0, 0), new Position(3, 0)))));
    List<String> labels = hints.stream().map(h -> h.getLabel().getLeft()).toList();
    assertTrue(labels.containsAll(List.of(" : i64", ": i32")), labels.toString());
    Position x = editor.position(main, "x ->");
    assertEquals(List.of("Insert the type i32"), actions(new Range(x, x)));
  }

  @Test
  void evaluationsAreWrittenBelowTheirComments() throws Exception {
    editor.open(main, "def f x = x + 1i32\n-- >>> f 2\n-- an old value\n\ndef g = 2i32\n");
    var lens =
        Editor.get(documents().codeLens(new CodeLensParams(editor.id(main)))).getFirst();
    Editor.get(
        editor
            .server()
            .getWorkspaceService()
            .executeCommand(
                new ExecuteCommandParams(
                    lens.getCommand().getCommand(),
                    new ArrayList<>(List.of(new JsonPrimitive(main), new JsonPrimitive(1))))));
    TextEdit edit =
        editor.edits.poll(20, TimeUnit.SECONDS).getEdit().getChanges().get(main).getFirst();
    assertEquals("-- the value of\n-- f 2\n", edit.getNewText());
    assertEquals(new Range(new Position(2, 0), new Position(3, 0)), edit.getRange());
  }

  /** Random edits. After each of some edits, the diagnostics must be those of the current text. */
  @Test
  void randomEditsLeaveNoStaleAnswers() {
    String program =
        """
        -- | A point \uD834\uDD1E.
        type point = {x: f32, y: f32}
        module type shape = { type t val area : t -> f32 }
        module square : shape with t = f32 = { type t = f32 def area (a: t) = a * a }
        def norm (p: point) = f32.sqrt (p.x * p.x + p.y * p.y)
        def main [n] (ps: [n]point) =
          let ns = map norm ps
          let total = reduce (+) 0 ns
          in if total > square.area 2 then ns else map (/ total) ns
        """;
    editor.open(main, program);
    var random = new Random(Long.getLong("lsp.seed", 1));
    String[] pieces = {
      "(", ")", "let ", " = ", "x", "\n", "in ", "p.", "square.", "[", "]", "-- ", "\"", "0", " ",
      "\\", "\uD834\uDD1E", "type ", "def f = 1\n", "{", "}", "#a", ";", "map "
    };
    for (int i = 0; i < EDITS; i++) {
      TextSnapshot text = editor.buffers.get(main);
      int length = text.text().length();
      if (random.nextInt(12) == 0) {
        editor.setText(main, program);
      } else {
        int start = boundary(text.text(), random.nextInt(length + 1));
        int end = boundary(text.text(), Math.min(length, start + random.nextInt(6)));
        String by = random.nextInt(3) == 0 ? "" : pieces[random.nextInt(pieces.length)];
        editor.edit(main, text.range(start, end), by);
      }
      request(random);
      if (i % 10 == 0) {
        assertCurrent();
      }
    }
    editor.setText(main, program);
    assertCurrent();
    assertEquals(List.of(), editor.diagnostics(main));
  }

  /** Returns an offset that is not within a surrogate pair. */
  private static int boundary(String text, int offset) {
    boolean within =
        offset > 0
            && offset < text.length()
            && Character.isSurrogatePair(text.charAt(offset - 1), text.charAt(offset));
    return within ? offset + 1 : offset;
  }

  /** Sends a random request, whose answer must come. */
  private void request(Random random) {
    TextSnapshot text = editor.buffers.get(main);
    Position p = text.position(random.nextInt(text.text().length() + 1));
    var id = editor.id(main);
    switch (random.nextInt(9)) {
      case 0 -> Editor.get(documents().hover(new HoverParams(id, p)));
      case 1 -> Editor.get(documents().completion(new CompletionParams(id, p)));
      case 2 -> Editor.get(documents().signatureHelp(new SignatureHelpParams(id, p)));
      case 3 -> Editor.get(documents().definition(new DefinitionParams(id, p)));
      case 4 -> Editor.get(documents().semanticTokensFull(new SemanticTokensParams(id)));
      case 5 ->
          Editor.get(
              documents().inlayHint(new InlayHintParams(id, new Range(new Position(0, 0), p))));
      case 6 ->
          Editor.get(
              documents()
                  .formatting(new DocumentFormattingParams(id, new FormattingOptions(2, true))));
      case 7 ->
          Editor.get(
              documents().references(new ReferenceParams(id, p, new ReferenceContext(true))));
      default -> {}
    }
  }

  /** Compares the diagnostics with those of a first analysis of the same text. */
  private void assertCurrent() {
    List<Diagnostic> shown = editor.diagnostics(main);
    String fresh = uri("fresh.fut");
    editor.open(fresh, editor.buffers.get(main).text());
    List<Diagnostic> expected = editor.diagnostics(fresh);
    assertEquals(
        expected.stream().map(d -> d.getRange() + d.getCode().getLeft()).toList(),
        shown.stream().map(d -> d.getRange() + d.getCode().getLeft()).toList(),
        editor.buffers.get(main).text());
    documents().didClose(new DidCloseTextDocumentParams(editor.id(fresh)));
  }
}
