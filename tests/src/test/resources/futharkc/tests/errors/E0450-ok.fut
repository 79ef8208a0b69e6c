type colour = #red | #green | #blue

def code (c: colour): i32 =
  match c
  case #red -> 0
  case #green -> 1
  case #blue -> 2
