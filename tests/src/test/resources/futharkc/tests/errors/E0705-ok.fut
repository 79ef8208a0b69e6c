module one (p: {val step: i32}) = {def value = p.step}
module two = one {def step = 1i32}
