package futharkc.tools.repl;

/**
 * An exception for an input that a session rejects or cannot evaluate; the message is for users.
 */
public final class SessionException extends Exception {
  private static final long serialVersionUID = 1;

  SessionException(String message) {
    super(message, null, false, false);
  }

  @Override
  public String getMessage() {
    String message = super.getMessage();
    return message == null ? "" : message;
  }
}
