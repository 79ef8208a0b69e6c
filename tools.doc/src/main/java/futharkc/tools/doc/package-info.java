/**
 * Documentation of libraries as web pages. Begin reading at {@link
 * futharkc.tools.doc.DocumentationSite}.
 *
 * <ul>
 *   <li>The library: {@code Library} (files and the index of their names), {@code LibraryFile}.
 *   <li>Addresses: {@code Addresses} (the page and anchor of each definition).
 *   <li>Text: {@code CodeText} (source text with links), {@code CommentText} (documentation
 *       comments as Markdown), {@code Html}.
 *   <li>Pages: {@code FilePage}, {@code SourcePage}, {@code NamesPage}, {@code StartPage}, all
 *       within a {@code PageFrame}; {@code SearchIndex}.
 * </ul>
 */
@NullMarked
package futharkc.tools.doc;

import org.jspecify.annotations.NullMarked;
