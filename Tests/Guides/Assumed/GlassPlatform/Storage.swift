import Foundation
import GlassContainer

let container: Container = assumed()
let stateFolder: URL = assumed()
