package futharkc.tests.reference;

/** The text that all generated pages have. */
final class GeneratedPages {
  /** The second line of a generated page. */
  static final String NOTICE =
      """
      <!-- Generated: FUTHARKC_BLESS=1 mvn -q -pl tests -am package -Dtest=ReferenceTest \
      -Dsurefire.failIfNoSpecifiedTests=false -->
      """;

  private GeneratedPages() {}
}
