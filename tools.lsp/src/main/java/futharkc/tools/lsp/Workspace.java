package futharkc.tools.lsp;

import futharkc.core.driver.pipeline.DeepStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of the editor, and the programs whose main files are open. The thread that reads
 * messages calls the methods about buffers. Analyses and answers run on one thread, in the order of
 * their requests.
 */
final class Workspace implements AutoCloseable {
  /** A buffer of the editor. */
  record Buffer(String uri, int version, TextSnapshot text) {}

  private final Map<String, Buffer> buffers = new ConcurrentHashMap<>();
  private final Map<String, Program> programs = new ConcurrentHashMap<>();
  private final Publication publication;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          r -> {
            Thread t = new Thread(r, "analyses");
            t.setDaemon(true);
            return t;
          });

  /** The folders that the client has opened. */
  private volatile List<String> folders = List.of();

  private final Consumer<String> log;

  /**
   * Creates a workspace.
   *
   * @param publisher the receiver of the diagnostics of a file, given its path
   * @param log the receiver of messages about failures
   */
  Workspace(
      BiConsumer<String, List<org.eclipse.lsp4j.Diagnostic>> publisher, Consumer<String> log) {
    this.publication = new Publication(publisher);
    this.log = log;
  }

  @Override
  public void close() {
    programs.values().forEach(Program::change);
    thread.shutdown();
  }

  List<String> folders() {
    return folders;
  }

  void setFolders(List<String> folders) {
    this.folders = List.copyOf(folders);
  }

  // Buffers

  void open(String uri, int version, String text) {
    String path = Paths.path(uri);
    buffers.put(path, new Buffer(uri, version, new TextSnapshot(text)));
    programs.putIfAbsent(path, new Program(path));
    changed(path);
  }

  /** Changes a buffer. Does nothing if the buffer is not open. */
  void change(String uri, int version, Function<TextSnapshot, TextSnapshot> change) {
    String path = Paths.path(uri);
    Buffer old = buffers.get(path);
    if (old != null) {
      buffers.put(path, new Buffer(old.uri, version, change.apply(old.text)));
      changed(path);
    }
  }

  void close(String uri) {
    String path = Paths.path(uri);
    buffers.remove(path);
    Program closed = programs.remove(path);
    if (closed != null) {
      closed.change();
      run(() -> publication.remove(path));
    }
    changed(path);
  }

  /** Analyses again all programs with a file that changed on disk or in the editor. */
  void changed(String path) {
    Program own = programs.get(path);
    if (own != null) {
      analyse(own);
    }
    for (Program p : programs.values()) {
      if (p != own && p.mayInclude(path)) {
        analyse(p);
      }
    }
  }

  /** Analyses all programs again, because files appeared or disappeared. */
  void changedFiles() {
    programs.values().forEach(this::analyse);
  }

  @Nullable Buffer buffer(String uri) {
    return buffers.get(Paths.path(uri));
  }

  /** Returns the current text of a file: that of the editor, or that on disk. */
  @Nullable String read(String path) {
    Buffer buffer = buffers.get(path);
    return buffer == null ? Paths.read(path) : buffer.text.text();
  }

  // Analyses

  private void analyse(Program program) {
    int change = program.change();
    run(
        () -> {
          if (!programs.containsValue(program)) {
            return;
          }
          Program.Snapshot snapshot = program.analyse(change, this::read);
          if (snapshot != null) {
            publication.replace(program.path(), snapshot);
          }
        });
  }

  private void run(Runnable task) {
    thread.execute(
        () -> {
          try {
            DeepStack.call(
                () -> {
                  task.run();
                  return true;
                });
          } catch (RuntimeException | StackOverflowError e) {
            log.accept("internal error: " + e + " at " + List.of(e.getStackTrace()));
          }
        });
  }

  /** Computes an answer after all analyses that earlier messages require. */
  <T> CompletableFuture<T> answer(Supplier<T> answer) {
    CompletableFuture<T> result = new CompletableFuture<>();
    thread.execute(
        () -> {
          if (result.isDone()) {
            return;
          }
          try {
            result.complete(DeepStack.call(answer::get));
          } catch (RuntimeException | StackOverflowError e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  /**
   * Returns the best analysis of an open file as seen from the current text, or empty before the
   * first analysis.
   */
  Optional<View> view(String uri) {
    String path = Paths.path(uri);
    Program program = programs.get(path);
    Program.Snapshot snapshot = program == null ? null : program.best();
    return Optional.ofNullable(snapshot).map(s -> new View(path, s, this::read));
  }

  /** Returns the latest analysis of an open file, which can lack types. */
  Optional<View> latestView(String uri) {
    String path = Paths.path(uri);
    Program program = programs.get(path);
    Program.Snapshot snapshot = program == null ? null : program.latest();
    return Optional.ofNullable(snapshot).map(s -> new View(path, s, this::read));
  }

  /** Returns the latest analyses of all open programs. */
  List<View> views() {
    List<View> views = new ArrayList<>();
    for (Program p : programs.values()) {
      Program.Snapshot snapshot = p.latest();
      if (snapshot != null) {
        views.add(new View(p.path(), snapshot, this::read));
      }
    }
    return views;
  }
}
