package import GlassSchema

/// Says what the network is like, and when that changes.
public protocol NetworkInformationProvider: AnyObject, Sendable {
    /// What the network is like now.
    var current: NetworkInformation { get }

    /// What the network is like now, and again after each change.
    ///
    /// - Returns: A stream of the caller's own. A slow reader misses what was true in between, never the last.
    func changes() -> AsyncStream<NetworkInformation>
}

extension NetworkInformationProvider {
    /// The state as getters, and the interfaces.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("isConnected", [], "Whether other hosts may be reachable.") { _ in
                .boolean(self.current.isConnected)
            },
            ScriptMethod("isExpensive", [], "Whether data costs money.") { _ in .boolean(self.current.isExpensive) },
            ScriptMethod("isConstrained", [], "Whether the user asked to save data.") { _ in
                .boolean(self.current.isConstrained)
            },
            ScriptMethod("interfaces", [], "The interfaces with name, kind, isUp and addresses.") { _ in
                .list(
                    self.current.interfaces.map { interface in
                        [
                            "name": .string(interface.name), "kind": .string(interface.kind.rawValue),
                            "isUp": .boolean(interface.isUp),
                            "addresses": .list(interface.addresses.map { .string($0) }),
                        ]
                    })
            },
        ]
    }
}

/// Where the state of the network comes from: the kernel, or a test.
package protocol NetworkInformationSource: Sendable {
    /// The state now.
    func read() -> NetworkInformation

    /// Reports from now on that the state may have changed; called at most once.
    func start(_ onChange: @escaping @Sendable () -> Void)

    /// Reports nothing more and gives back what it holds.
    func stop()
}
