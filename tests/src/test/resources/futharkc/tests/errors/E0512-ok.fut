def primes (n: i64) : []i64 = filter (> 1) (iota n)
