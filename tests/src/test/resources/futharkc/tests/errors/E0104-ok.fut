def folder: []u8 = "C:\\games"
