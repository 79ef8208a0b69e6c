def main: i64 = length "sum"
