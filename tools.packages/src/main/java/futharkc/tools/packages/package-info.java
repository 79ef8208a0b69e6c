/**
 * Packages of Futhark programs. Begin reading at {@link futharkc.tools.packages.PackageManager}.
 *
 * <ul>
 *   <li>The manifest: {@code Manifest}, {@code ManifestParser}, {@code Requirement}, {@code
 *       PackagePath}, {@code Version}.
 *   <li>Repositories: {@code Git} (the program), {@code Repository} (a cached copy), {@code
 *       Repositories}, {@code Revision}.
 *   <li>The choice of versions: {@code VersionSelection}.
 *   <li>The installation: {@code LibFolder}.
 * </ul>
 */
@NullMarked
package futharkc.tools.packages;

import org.jspecify.annotations.NullMarked;
