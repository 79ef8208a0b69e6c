-- A character is not part of the language.
--
-- Futhark has no statement terminator, no `$` and no `?` outside of types. Identifiers consist of letters, digits, `_` and `'`.
--
-- Fix: remove the character. A sequence of bindings is written with `let` and one final `in`.

def main (x: i32): i32 =
  let y = x * x;
  in y + 1
