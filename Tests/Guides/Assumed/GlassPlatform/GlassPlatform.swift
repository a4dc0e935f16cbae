import GlassContainer
import GlassPlatform

let container: Container = assumed()
let config: PlatformConfig = assumed()
