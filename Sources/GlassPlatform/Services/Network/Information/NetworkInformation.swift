/// What the network is like.
public struct NetworkInformation: Sendable, Equatable {
    /// The interfaces, by name.
    public var interfaces: [NetworkInterface]
    /// Whether hosts other than this one may be reachable.
    public var isConnected: Bool
    /// Whether data costs money. False where the system does not know, as on Linux without a mobile interface.
    public var isExpensive: Bool
    /// Whether the user asked to save data. False where the system does not know, as on Linux.
    public var isConstrained: Bool

    /// Describes a network.
    ///
    /// - Parameters:
    ///   - interfaces: The interfaces; they are sorted by name.
    ///   - isConnected: Whether other hosts may be reachable; nil decides by the interfaces.
    ///   - isExpensive: Whether data costs money; nil decides by the interfaces.
    ///   - isConstrained: Whether the user asked to save data.
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

/// One interface of the network.
public struct NetworkInterface: Sendable, Equatable {
    /// What an interface is made of.
    public enum Kind: String, Sendable, CaseIterable {
        /// A cable, or what looks like one to the system.
        case ethernet
        /// Wi-Fi.
        case wifi
        /// A mobile network.
        case cellular
        /// A tunnel to another network.
        case tunnel
        /// This host itself.
        case loopback
        /// Anything else.
        case other
    }

    /// The system's name, such as `eth0`.
    public var name: String
    /// What it is made of.
    public var kind: Kind
    /// Whether it is switched on and has a carrier.
    public var isUp: Bool
    /// Its addresses as text, IPv4 before IPv6.
    public var addresses: [String]

    /// Describes an interface.
    ///
    /// - Parameters:
    ///   - name: The system's name.
    ///   - kind: What it is made of.
    ///   - isUp: Whether it is switched on and has a carrier.
    ///   - addresses: Its addresses as text.
    public init(name: String, kind: Kind, isUp: Bool, addresses: [String] = []) {
        self.name = name
        self.kind = kind
        self.isUp = isUp
        self.addresses = addresses
    }

    /// Whether it leads to other hosts: up, not this host, and with an address that is valid beyond the cable.
    package var connects: Bool {
        isUp && kind != .loopback
            && addresses.contains { !$0.hasPrefix("169.254.") && !$0.lowercased().hasPrefix("fe80:") }
    }
}
