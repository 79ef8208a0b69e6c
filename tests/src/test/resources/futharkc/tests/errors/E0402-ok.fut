def square (x: i32): i32 = x * x
def main (x: i32): i32 = square x * x
