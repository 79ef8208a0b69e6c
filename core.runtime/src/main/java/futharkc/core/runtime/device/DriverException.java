package futharkc.core.runtime.device;

/** A driver call that failed. The message names the call and the driver's own error. */
public final class DriverException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What follows from it. */
  public enum Kind {
    /** Source that does not compile; the message is the compiler's. */
    COMPILATION,
    /** There is no compiler; the message says what was looked for, and what to do. */
    NO_COMPILER,
    /** A binary that this device or driver cannot load. */
    BINARY,
    /** Not enough memory on the device. */
    MEMORY,
    /** A kernel did what it must not: nothing on the device can be used any more. */
    LOST,
    /** Something else. */
    OTHER
  }

  private final Kind kind;

  /** A failed call. */
  public DriverException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** A native call that did not come about. */
  public static DriverException broken(Throwable e) {
    return new DriverException(Kind.OTHER, "a native call failed: " + e);
  }

  /** What follows from it. */
  public Kind kind() {
    return kind;
  }

  @Override
  public String getMessage() {
    String message = super.getMessage();
    return message == null ? "" : message;
  }
}
