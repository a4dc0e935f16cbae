// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer

// 003:42-57
public protocol Networking {
    func load<T>() async throws -> T
}

extension Container {
    public var network: Factory<Networking> { self { Network() } }
}

private class Network: Networking {
    public func load<T>() async throws -> T {
        guard let value = "loaded" as? T else { throw Unloadable() }
        return value
    }
}

// Around the snippet.
public struct Unloadable: Error {}
