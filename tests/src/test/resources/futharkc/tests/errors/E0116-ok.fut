type grid [n] = [n](i32, i32)
type grid3 = grid [3]
