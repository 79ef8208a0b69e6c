def limit: u16 = 256
