/** The front end, from the source of a program to its checked tree. */
@org.jspecify.annotations.NullMarked
package futharkc.core.language.frontend;
