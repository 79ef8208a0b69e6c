-- The module of intrinsics is used in a module expression.
--
-- The compiler's own module `intrinsics` is no module of Futhark programs.
--
-- Fix: use the names that the prelude defines.

module numbers = intrinsics
