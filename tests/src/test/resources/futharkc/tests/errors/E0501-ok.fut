def evens (m: i64): ?[n].[n]i64 = filter (\x -> x % 2 == 0) (iota m)
