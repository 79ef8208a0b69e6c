package futharkc.core.runtime.executable;

/** Text in JSON. */
public final class Json {
  private Json() {}

  /** Appends a string in quotation marks. */
  public static void string(StringBuilder json, String s) {
    json.append('"');
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ') {
        json.append("\\u00").append(c < 16 ? "0" : "1").append("0123456789abcdef".charAt(c % 16));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
