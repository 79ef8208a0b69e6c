-- Escape times of the Mandelbrot set on a grid: a parallel map of any nesting over a sequential loop.
--
-- ==
-- input @ mandelbrot.in
-- input { 3i64 2i64 10i32 }
-- output { [[1, 2, 2], [1, 10, 10]] }

type complex = {re: f32, im: f32}

def add (a: complex) (b: complex): complex = {re = a.re + b.re, im = a.im + b.im}

def square (a: complex): complex = {re = a.re * a.re - a.im * a.im, im = 2 * a.re * a.im}

def norm2 (a: complex): f32 = a.re * a.re + a.im * a.im

-- The number of steps, at most `limit`, until the orbit of `c` leaves the disc of radius two.
def escape_time (limit: i32) (c: complex): i32 =
  let (_, steps) =
    loop (z, i) = ({re = 0, im = 0}, 0)
    while i < limit && norm2 z <= 4 do
      (add (square z) c, i + 1)
  in steps

def main (width: i64) (height: i64) (limit: i32): [height][width]i32 =
  let point (x: i64) (y: i64): complex =
    { re = -2.25 + 3 * f32.i64 x / f32.i64 width
    , im = -1.5 + 3 * f32.i64 y / f32.i64 height
    }
  in tabulate_2d height width (\y x -> escape_time limit (point x y))
