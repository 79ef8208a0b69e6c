-- A loop that updates its own parameter consumes nothing that a function argument must not.
def both (f: i64 -> i64) (g: i64 -> i64) (x: i64) = f (g x)

def adder (x: i64) = \y -> x + y

entry main (n: i64) (k: i64) : i64 =
  both (adder (let xs = loop ys = replicate 5 k for i < 5 do ys with [i] = i * k in xs[3])) (\y -> y * n) k
