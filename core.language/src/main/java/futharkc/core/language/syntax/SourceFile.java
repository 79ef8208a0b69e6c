package futharkc.core.language.syntax;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed file.
 *
 * @param name the import path without extension, by which other files mean it ({@code
 *     /prelude/array} for the prelude's)
 * @param path the path shown in messages
 */
public record SourceFile(String name, String path, @Nullable String doc, List<Dec> decs) {}
