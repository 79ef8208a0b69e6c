package futharkc.tools.packages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * The program {@code git}. The user's configuration counts: credentials, proxies and {@code
 * insteadOf}. Git does not ask for passwords.
 */
final class Git {
  private final Map<String, String> environment;
  private final Consumer<String> log;

  /**
   * Creates an interface to the program.
   *
   * @param environment variables to add to the environment of this process
   * @param log a receiver of the commands and of the program's messages
   */
  Git(Map<String, String> environment, Consumer<String> log) {
    this.environment = Map.copyOf(environment);
    this.log = log;
  }

  /** The result of a command. */
  record Result(int status, byte[] output, String errors) {
    boolean succeeded() {
      return status == 0;
    }

    String text() {
      return new String(output, StandardCharsets.UTF_8);
    }

    List<String> lines() {
      return text().lines().toList();
    }
  }

  /**
   * Runs a command.
   *
   * @throws PackageException if the program does not exist
   */
  Result run(List<String> arguments) throws PackageException {
    List<String> command = new ArrayList<>();
    command.add("git");
    command.addAll(arguments);
    log.accept("Running command: " + String.join(" ", command));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("GIT_TERMINAL_PROMPT", "0");
    builder.environment().put("LC_ALL", "C");
    // A repository around the current folder must not count.
    builder.environment().keySet().removeAll(List.of("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"));
    builder.environment().putAll(environment);
    builder.redirectInput(ProcessBuilder.Redirect.PIPE);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new PackageException("git was not found. Packages need the program git.");
    }
    try (InputStream output = process.getInputStream();
        InputStream errors = process.getErrorStream()) {
      process.getOutputStream().close();
      CompletableFuture<String> messages =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return new String(errors.readAllBytes(), StandardCharsets.UTF_8);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      byte[] bytes = output.readAllBytes();
      Result result = new Result(process.waitFor(), bytes, messages.join().strip());
      if (!result.errors().isEmpty()) {
        log.accept(result.errors());
      }
      return result;
    } catch (IOException | CompletionException e) {
      throw new PackageException("'" + String.join(" ", command) + "' failed: " + e.getMessage());
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new PackageException("'" + String.join(" ", command) + "' was interrupted.");
    }
  }
}
