package futharkc.core.driver;

import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.driver.pipeline.DeepStack;
import futharkc.core.language.parser.SourceToken;
import futharkc.core.language.syntax.SourceFile;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The files of a program that has no syntax errors. Types are not checked. */
public final class ProgramFiles {
  /** The length of {@link #hash} in bytes. */
  private static final int HASH_BYTES = 16;

  private final Source source;
  private final List<SourceFile> files;

  private ProgramFiles(Source source, List<SourceFile> files) {
    this.source = source;
    this.files = files;
  }

  /**
   * Parses a program and all files that it imports.
   *
   * @throws ProgramRejectedException if a file has a syntax error or an import does not exist
   */
  public static ProgramFiles parse(Source source) {
    return new ProgramFiles(source, DeepStack.call(() -> FrontEndCalls.parse(source)));
  }

  /**
   * Returns the tokens of the main file of a program, which may have syntax errors.
   *
   * @throws ProgramRejectedException if the file has a lexical error
   */
  public static List<SourceToken> tokens(Source source) {
    return FrontEndCalls.tokens(source, source.file());
  }

  /**
   * Returns the paths of the files, each after the files that it imports: the main file is last.
   * Files of the prelude are not among them.
   */
  public List<String> paths() {
    return files.stream().map(SourceFile::path).toList();
  }

  /**
   * Returns a hash of the program in 32 hexadecimal digits. White space, comments and the names of
   * files do not change the hash, except for names in imports.
   */
  public String hash() {
    MessageDigest digest = sha256();
    for (String path : paths()) {
      for (SourceToken token : FrontEndCalls.tokens(source, path)) {
        if (!token.kind().equals(SourceToken.DOC)) {
          digest.update((token.kind() + " " + token.text()).getBytes(StandardCharsets.UTF_8));
          digest.update((byte) 0);
        }
      }
      digest.update((byte) 1);
    }
    return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
