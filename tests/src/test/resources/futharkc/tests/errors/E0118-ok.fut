type shape = #circle f64 | #rectangle (f64, f64)
