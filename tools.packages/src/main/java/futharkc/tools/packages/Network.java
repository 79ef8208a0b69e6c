package futharkc.tools.packages;

/** The use of the network by a package operation. */
public enum Network {
  /** The operation uses copies of repositories in the cache only. */
  NEVER,
  /** The operation fetches a repository if the cache lacks the repository or the version. */
  IF_MISSING,
  /** The operation fetches each repository once. */
  ALWAYS
}
