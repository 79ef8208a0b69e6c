type option = #none | #some i32

def main (o: option): i32 =
  match o
  case #some x -> x
  case #none -> 0
