// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer

// 003:11-13
public protocol AccountLoading {
    func load() -> [Account]
}

// 003:80-83
extension Container {
    public var accountLoading: Factory<AccountLoading?> { self { nil } }
}

// Around the snippets.
public struct Account: Equatable {
    public let name: String

    public init(name: String) {
        self.name = name
    }
}
