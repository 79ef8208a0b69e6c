package futharkc.core.language.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed file.
 *
 * @param name the import path without extension, by which other files import this file ({@code
 *     /prelude/array} for a file of the prelude)
 * @param path the path shown in messages
 */
public record SourceFile(String name, String path, @Nullable String doc, List<Dec> decs) {}
