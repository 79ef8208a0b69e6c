package futharkc.tools.packages;

/** A failure of a package operation. The message is for users. */
public final class PackageException extends Exception {
  private static final long serialVersionUID = 1L;

  PackageException(String message) {
    super(message);
  }
}
