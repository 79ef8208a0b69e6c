def bounds = (0i32, 9i32)
def main (x: i32): i32 = i32.max bounds.0 (i32.min bounds.1 x)
