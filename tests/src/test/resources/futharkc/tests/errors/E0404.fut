-- The type of a record or sum value is not determined.
--
-- The field access `p.x` works on all records with a field `x`, so that the type of `p` does not follow from it.
--
-- Fix: annotate the parameter.

def norm p = f64.sqrt (p.x * p.x + p.y * p.y)
