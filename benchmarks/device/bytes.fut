-- Transposes of elements of one byte: 1 GiB.
-- shape: [32768][32768]i8
entry copied (xss: [][]i8) = copy xss
entry transposed (xss: [][]i8) = copy (transpose xss)
