package futharkc.core.language.check;

import futharkc.core.ir.Loc;
import futharkc.core.language.syntax.TypeParam.Liftedness;
import futharkc.core.language.typed.Name;

/** A type parameter of a definition. */
record TypeParamInfo(Name name, Liftedness liftedness, Loc loc) {}
