package futharkc.tools.packages;

import org.jspecify.annotations.Nullable;

/**
 * A required package of a manifest.
 *
 * @param version the least version
 * @param hash the commit of this version, or null if the manifest does not pin the commit
 */
record Requirement(PackagePath path, Version version, @Nullable String hash) {
  @Override
  public String toString() {
    return path + " " + version + (hash == null ? "" : " #" + hash);
  }
}
