-- A literal does not fit its type.
--
-- The type of the literal follows from its suffix or context. Its value is out of the range of that type.
--
-- Fix: use a smaller value or a larger type.

def limit: u8 = 256
