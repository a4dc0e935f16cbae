package import GlassSchema

/// Reports the state of the network and its changes.
public protocol NetworkInformationProvider: AnyObject, Sendable {
    /// The current state of the network.
    var current: NetworkInformation { get }

    /// The current state of the network, followed by the state after each change.
    ///
    /// - Returns: A separate stream. A slow reader may miss intermediate states, but never the last one.
    func changes() -> AsyncStream<NetworkInformation>
}

extension NetworkInformationProvider {
    /// The getters for the state and the interfaces.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("isConnected", [], "Whether other hosts may be reachable.") { _ in
                .boolean(self.current.isConnected)
            },
            ScriptMethod("isExpensive", [], "Whether data transfer costs money.") { _ in
                .boolean(self.current.isExpensive)
            },
            ScriptMethod("isConstrained", [], "Whether the user wants to save data.") { _ in
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

/// The source of the network state: the kernel or a test.
package protocol NetworkInformationSource: Sendable {
    /// The current state.
    func read() -> NetworkInformation

    /// Starts reporting that the state may have changed. Called at most once.
    func start(_ onChange: @escaping @Sendable () -> Void)

    /// Stops reporting and releases resources.
    func stop()
}
