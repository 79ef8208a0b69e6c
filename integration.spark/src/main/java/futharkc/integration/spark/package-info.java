/**
 * Programs on Spark's datasets.
 *
 * <p>{@link futharkc.integration.spark.FutharkSpark} checks a job, and sends its program to the
 * executors. The classes load on Java 17, where they report that programs need Java 25.
 */
@NullMarked
package futharkc.integration.spark;

import org.jspecify.annotations.NullMarked;
