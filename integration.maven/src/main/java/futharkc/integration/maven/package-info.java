/** The Maven plugin, which compiles the Futhark programs of a project to typed Java classes. */
@org.jspecify.annotations.NullMarked
package futharkc.integration.maven;
