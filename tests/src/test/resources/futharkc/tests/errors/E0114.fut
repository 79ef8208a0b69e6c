-- A definition binds a qualified name.
--
-- A name such as `m.plus` or an operator such as `m.+` belongs to a module. Only the module itself defines its names.
--
-- Fix: bind a name without qualifiers, inside of a module if necessary.

def (complex.+) (x: f64) (y: f64): f64 = x + y
