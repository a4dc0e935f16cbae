import Foundation
import GlassContainer

let container: Container = assumed()
let url: URL = assumed()
