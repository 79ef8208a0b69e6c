/** Scalars stay on the device: {@link futharkc.pass.migration.MigrationPass}. */
@org.jspecify.annotations.NullMarked
package futharkc.pass.migration;
