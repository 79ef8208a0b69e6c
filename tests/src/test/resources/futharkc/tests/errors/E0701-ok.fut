module counter (p: {val step: i32}) = {
  def next (x: i32): i32 = x + p.step
}
module by_two = counter {def step = 2i32}
def main (x: i32): i32 = by_two.next x
