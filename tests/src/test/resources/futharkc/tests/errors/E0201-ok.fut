import "statistics"

def main [n] (xs: [n]f64): f64 = mean xs
