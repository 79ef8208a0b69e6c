-- Payloads that share storage differ in sign.
type word = #signed i64 i32 i8 | #unsigned u64 u32 u8 | #vector ([2]u32) ([2]i32)

entry same (w: word) : word = w

entry other (w: word) (x: u32) : word =
  match w
  case #signed a b c -> #unsigned (u64.i64 a) (u32.i32 b) (u8.i8 c)
  case #unsigned a b c -> #signed (i64.u64 a) (i32.u32 b) (i8.u8 c)
  case #vector v u -> #vector (map u32.i32 u) [i32.u32 (v[0] + x), 1]
