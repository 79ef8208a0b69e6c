package futharkc.tools.doc;

import java.nio.charset.StandardCharsets;

/** Text and addresses in HTML. */
final class Html {
  private Html() {}

  /** Returns text with HTML's special characters escaped. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Returns a path or an anchor with all characters percent-encoded that need it in an address. */
  static String encoded(String text) {
    StringBuilder out = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      if (plain || "/-_.~:@".indexOf(c) >= 0) {
        out.append(c);
      } else {
        out.append('%').append("%02X".formatted((int) c));
      }
    }
    return out.toString();
  }

  /** Returns the way from the folder of a page to the folder of the site, such as {@code ../}. */
  static String root(String page) {
    return "../".repeat((int) page.chars().filter(c -> c == '/').count());
  }

  /** Returns a link. */
  static String link(String href, String text) {
    return "<a href=\"" + href + "\">" + escaped(text) + "</a>";
  }
}
