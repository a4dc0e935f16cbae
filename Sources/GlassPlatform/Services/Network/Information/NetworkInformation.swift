/// The state of the network.
public struct NetworkInformation: Sendable, Equatable {
    /// The interfaces, by name.
    public var interfaces: [NetworkInterface]
    /// Whether hosts other than this one may be reachable.
    public var isConnected: Bool
    /// Whether data transfer costs money. `false` if the system does not know, as on Linux without a cellular
    /// interface.
    public var isExpensive: Bool
    /// Whether the user wants to save data. `false` if the system does not know, as on Linux.
    public var isConstrained: Bool

    /// Creates the state of a network.
    ///
    /// - Parameters:
    ///   - interfaces: The interfaces. They are sorted by name.
    ///   - isConnected: Whether other hosts may be reachable; `nil` determines it from the interfaces.
    ///   - isExpensive: Whether data transfer costs money; `nil` determines it from the interfaces.
    ///   - isConstrained: Whether the user wants to save data.
    public init(
        interfaces: [NetworkInterface] = [], isConnected: Bool? = nil, isExpensive: Bool? = nil,
        isConstrained: Bool = false
    ) {
        self.interfaces = interfaces.sorted { $0.name < $1.name }
        let connecting = interfaces.filter(\.connects)
        self.isConnected = isConnected ?? !connecting.isEmpty
        self.isExpensive = isExpensive ?? (!connecting.isEmpty && connecting.allSatisfy { $0.kind == .cellular })
        self.isConstrained = isConstrained
    }
}

/// A network interface.
public struct NetworkInterface: Sendable, Equatable {
    /// The kind of an interface.
    public enum Kind: String, Sendable, CaseIterable {
        /// A cable, or an interface that the system treats as one.
        case ethernet
        /// Wi-Fi.
        case wifi
        /// A cellular network.
        case cellular
        /// A tunnel to another network.
        case tunnel
        /// This host.
        case loopback
        /// Anything else.
        case other
    }

    /// The system's name, such as `eth0`.
    public var name: String
    /// Its kind.
    public var kind: Kind
    /// Whether it is enabled and has a carrier.
    public var isUp: Bool
    /// Its addresses as strings, IPv4 before IPv6.
    public var addresses: [String]

    /// Creates an interface.
    ///
    /// - Parameters:
    ///   - name: The system's name.
    ///   - kind: Its kind.
    ///   - isUp: Whether it is enabled and has a carrier.
    ///   - addresses: Its addresses as strings.
    public init(name: String, kind: Kind, isUp: Bool, addresses: [String] = []) {
        self.name = name
        self.kind = kind
        self.isUp = isUp
        self.addresses = addresses
    }

    /// Whether it connects to other hosts: it is up, is not the loopback, and has an address that is not just
    /// link-local.
    package var connects: Bool {
        isUp && kind != .loopback
            && addresses.contains { !$0.hasPrefix("169.254.") && !$0.lowercased().hasPrefix("fe80:") }
    }
}
