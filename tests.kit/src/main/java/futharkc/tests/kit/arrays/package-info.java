/** Random programs of loops and parallel operations over arrays, for tests of passes on memory. */
package futharkc.tests.kit.arrays;
