-- allocations: c 1, cuda 1, multicore 1
-- Starts of parts are sums of up to 69 sizes.
-- call: main [0i64, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1]
-- call: main [0i64, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, -1, 1, 2, 0]
def main (ns: [70]i64): []i64 =
  let part i = scan (+) i (iota ns[i])
  in part 0 ++ part 1 ++ part 2 ++ part 3 ++ part 4 ++ part 5 ++ part 6 ++ part 7 ++ part 8 ++ part 9
     ++ part 10 ++ part 11 ++ part 12 ++ part 13 ++ part 14 ++ part 15 ++ part 16 ++ part 17 ++ part 18 ++ part 19
     ++ part 20 ++ part 21 ++ part 22 ++ part 23 ++ part 24 ++ part 25 ++ part 26 ++ part 27 ++ part 28 ++ part 29
     ++ part 30 ++ part 31 ++ part 32 ++ part 33 ++ part 34 ++ part 35 ++ part 36 ++ part 37 ++ part 38 ++ part 39
     ++ part 40 ++ part 41 ++ part 42 ++ part 43 ++ part 44 ++ part 45 ++ part 46 ++ part 47 ++ part 48 ++ part 49
     ++ part 50 ++ part 51 ++ part 52 ++ part 53 ++ part 54 ++ part 55 ++ part 56 ++ part 57 ++ part 58 ++ part 59
     ++ part 60 ++ part 61 ++ part 62 ++ part 63 ++ part 64 ++ part 65 ++ part 66 ++ part 67 ++ part 68 ++ part 69
