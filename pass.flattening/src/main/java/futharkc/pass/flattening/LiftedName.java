package futharkc.pass.flattening;

import futharkc.core.ir.Type;

/**
 * A name that may have another value in each segment of a nest.
 *
 * @param type the type of the value in one segment, whose sizes may vary as well
 * @param rep the representation of the values of all segments
 * @param nest the nest that binds the name: the current nest or an outer one
 */
record LiftedName(Type type, ValueRep rep, Nest nest) {}
