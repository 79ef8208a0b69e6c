/**
 * Programs on data in partitions, independent of the engine that has the data.
 *
 * <p>A {@link futharkc.integration.partitions.Job} names a program, an {@link
 * futharkc.integration.partitions.Operation} and the shape of the data. {@link
 * futharkc.integration.partitions.CheckedJob} checks its types before it starts. An engine runs
 * {@link futharkc.integration.partitions.PartitionTask} for each partition, and joins the partial
 * results of a fold with {@link futharkc.integration.partitions.NeighbourTree}. {@link
 * futharkc.integration.partitions.LocalRunner} is the engine of one host.
 */
@NullMarked
package futharkc.integration.partitions;

import org.jspecify.annotations.NullMarked;
