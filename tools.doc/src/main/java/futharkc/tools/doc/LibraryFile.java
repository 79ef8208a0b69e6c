package futharkc.tools.doc;

/**
 * A file of a library.
 *
 * @param path the path in messages and in the index of names
 * @param title the path relative to the documented folder, without extension
 * @param page the address of the page of its documentation
 * @param kind the part of the library
 */
record LibraryFile(String path, String title, String page, Kind kind) {
  /** The parts of a library. */
  enum Kind {
    /** A file below the documented folder. */
    MAIN,
    /** A file elsewhere that a file imports. */
    IMPORTED,
    /** A file of the prelude. */
    PRELUDE
  }

  /** Returns the address of the page with the source text. */
  String sourcePage() {
    return "source/" + page;
  }

  /** Returns the address of a line of the source text. */
  String source(int line) {
    return Html.encoded(sourcePage()) + "#L" + line;
  }
}
