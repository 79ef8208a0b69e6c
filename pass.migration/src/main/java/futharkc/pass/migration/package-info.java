/**
 * Migration of scalar work from the host to the device.
 *
 * <p>Begin with {@link futharkc.pass.migration.MigrationPass}, which has the idea and an example.
 * {@link futharkc.pass.migration.DataFlow} builds the graph of scalars, {@link
 * futharkc.pass.migration.WeightedGraph} finds the cut of least cost, and {@link
 * futharkc.pass.migration.Migrator} rewrites the function. Rules for statements belong to {@link
 * futharkc.pass.migration.Operations}, {@link futharkc.pass.migration.Branches} and {@link
 * futharkc.pass.migration.Loops}; the cut and the rewriting do not depend on the kinds of
 * statements that move.
 */
@org.jspecify.annotations.NullMarked
package futharkc.pass.migration;
