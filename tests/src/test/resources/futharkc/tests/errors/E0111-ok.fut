def main: (i32, i32) = {0 = 7, 1 = 8}
