import Foundation
import GlassContainer
import GlassMarkets
import GlassPlatform
import UIKit

let container: Container = assumed()
let market: Market = assumed()
let store: MarketStore = assumed()
let dialog: Dialog = assumed()
let port: SerialPort = assumed()
nonisolated(unsafe) var host: PlatformHost = assumed()
nonisolated(unsafe) let controller: UIViewController? = assumed()

struct Dialog {
    func confirm(_ question: String) async -> Bool { false }
}

struct SerialPort {
    func fixes() -> AsyncStream<(north: Double, east: Double)> { assumed() }
}

struct LinkNotTaken: Error {
    let url: URL
}

func show(_ place: Location) {}
