package futharkc.tools.doc;

/** The frame of all pages: the title, the search field and the links to the indexes. */
final class PageFrame {
  private PageFrame() {}

  /**
   * Returns a page.
   *
   * @param page the address of the page from the folder of the site
   * @param library the name of the library
   * @param title the title of the page
   * @param content the HTML of the page
   */
  static String html(String page, String library, String title, String content) {
    String root = Html.root(page);
    String name = Html.escaped(library);
    return """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>%2$s</title>
    <link rel="stylesheet" href="%1$sstyle.css">
    </head>
    <body data-root="%1$s">
    <header>
    <a class="library" href="%1$sindex.html">%3$s</a>
    <a href="%1$sdoc-index.html">All names</a>
    <search><input id="search" type="search" placeholder="Search names ( / )" aria-label="Search names" \
    autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results">
    <ul id="results" role="listbox" hidden></ul></search>
    </header>
    <main>
    <h1>%4$s</h1>
    %5$s</main>
    <script src="%1$ssearch-index.js"></script>
    <script src="%1$ssearch.js"></script>
    </body>
    </html>
    """
        .formatted(
            root,
            Html.escaped(title.equals(library) ? title : title + " – " + library),
            name,
            Html.escaped(title),
            content);
  }
}
