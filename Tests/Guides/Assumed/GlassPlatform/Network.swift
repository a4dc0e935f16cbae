import GlassContainer

let container: Container = assumed()

struct Item: Decodable {}
