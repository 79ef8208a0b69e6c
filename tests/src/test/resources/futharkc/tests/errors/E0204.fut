-- The file is not encoded in UTF-8.
--
-- The message shows the first byte that is not part of a UTF-8 sequence. The comment of this example is encoded in Latin 1.
--
-- Fix: convert the file: `iconv -f latin1 -t utf-8`.

-- Café
def main (x: i32): i32 = x
