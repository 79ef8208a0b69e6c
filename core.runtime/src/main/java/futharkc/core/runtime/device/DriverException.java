package futharkc.core.runtime.device;

/** A failed driver call. The message contains the call and the driver's error. */
public final class DriverException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The kinds of failures. */
  public enum Kind {
    /** A source that does not compile; the message is the compiler's. */
    COMPILATION,
    /** A missing compiler; the message contains the search and a remedy. */
    NO_COMPILER,
    /** A binary that this device or driver cannot load. */
    BINARY,
    /** A lack of memory on the device. */
    MEMORY,
    /** An illegal operation of a kernel; everything on the device is lost. */
    LOST,
    /** Any other failure. */
    OTHER
  }

  private final Kind kind;

  /** Creates the exception of a failed call. */
  public DriverException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** Returns the exception of a native call that could not be made. */
  public static DriverException broken(Throwable e) {
    return new DriverException(Kind.OTHER, "a native call failed: " + e);
  }

  /** Returns the kind of failure. */
  public Kind kind() {
    return kind;
  }

  @Override
  public String getMessage() {
    String message = super.getMessage();
    return message == null ? "" : message;
  }
}
