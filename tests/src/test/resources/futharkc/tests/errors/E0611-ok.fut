def table: [3]i32 = [1, 2, 3]

def values (_: i32): [3]i32 = copy table
