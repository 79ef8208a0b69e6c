package futharkc.tools.literate;

/** An exception for a literate program that cannot be processed; the message is for users. */
public final class LiterateException extends Exception {
  private static final long serialVersionUID = 1;

  LiterateException(String message) {
    super(message, null, false, false);
  }

  @Override
  public String getMessage() {
    String message = super.getMessage();
    return message == null ? "" : message;
  }
}
