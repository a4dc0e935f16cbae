import GlassContainer

let container: Container = assumed()
