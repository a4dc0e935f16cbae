// swift-format-ignore-file
// The snippets are printed verbatim.

// 003:11-13
public protocol AccountLoading {
    func load() -> [Account]
}

// Around the snippet.
public struct Account: Equatable {
    public let name: String

    public init(name: String) {
        self.name = name
    }
}
