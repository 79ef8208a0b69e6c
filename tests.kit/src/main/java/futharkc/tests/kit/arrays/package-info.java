/** Random programs of loops and parallel operations over arrays, to try passes on memory with. */
package futharkc.tests.kit.arrays;
