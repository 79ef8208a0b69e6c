package futharkc.pass.flattening;

import futharkc.core.ir.Type;

/**
 * A name that may have another value in each segment of a nest.
 *
 * @param type of the value in one segment; sizes may be such names, too
 * @param nest where it was bound: this nest, or one further out
 */
record LiftedName(Type type, ValueRep rep, Nest nest) {}
