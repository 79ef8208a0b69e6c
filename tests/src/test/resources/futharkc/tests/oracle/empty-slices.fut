-- No elements may be taken from anywhere.
def main (k: i64) = let xs = iota 5 in (length xs[5:5], length xs[7:7], length xs[2:2:-1], k)
