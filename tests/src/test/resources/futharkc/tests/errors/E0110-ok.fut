def main (x: f32): f32 = f32.(sqrt (x + 1))
