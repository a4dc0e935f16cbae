import Foundation
import GlassContainer
import GlassPlatform

let container: Container = assumed()
let config: PlatformConfig = assumed()
let folder: URL = assumed()
let errors: any ErrorCoordinatorProducing = assumed()
let error: any Error = assumed()
let cart: Cart = assumed()

struct Cart {
    func load() async throws {}
}
