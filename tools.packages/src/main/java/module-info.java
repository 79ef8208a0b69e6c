/** Packages of Futhark programs: the manifest, versions and the folder {@code lib}. */
module futharkc.tools.packages {
  requires static org.jspecify;

  exports futharkc.tools.packages;
}
