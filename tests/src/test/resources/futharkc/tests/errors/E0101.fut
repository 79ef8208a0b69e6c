-- The text does not follow the grammar.
--
-- The parser stops at the first token that no rule of the grammar allows. The message names the token and, if there are few alternatives, the tokens that it expects.
--
-- Fix: complete the expression before the token, or remove the token.

def main (x: i32): i32 = x +
