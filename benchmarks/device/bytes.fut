-- Operations on 1 GiB of elements of one byte.
-- shape: [32768][32768]i8
entry copied (xss: [][]i8) = copy xss
entry mapped (xss: [][]i8) = map (map (+ 1)) xss
entry transposed (xss: [][]i8) = copy (transpose xss)
