import GlassBase
#if canImport(Network)
    import Dispatch
    import GlassDeepLinking
    import Network

    /// The state of the network from the system's path monitor.
    package final class PathInformationSource: NetworkInformationSource {
        private let monitor = NWPathMonitor()
        private let onChange = Lock<(@Sendable () -> Void)?>(nil)

        /// Creates a source and starts monitoring the path.
        package init() {
            monitor.pathUpdateHandler = { [weak self] _ in self?.onChange.withLock { $0 }?() }
            monitor.start(queue: DispatchQueue(label: "glass.network-information"))
        }

        deinit { stop() }

        /// The current state.
        package func read() -> NetworkInformation {
            let path = monitor.currentPath
            let isUp = path.status == .satisfied
            return NetworkInformation(
                interfaces: path.availableInterfaces.map {
                    NetworkInterface(name: $0.name, kind: $0.type.kind, isUp: isUp)
                },
                isConnected: isUp, isExpensive: path.isExpensive, isConstrained: path.isConstrained)
        }

        /// Reports changes of the path.
        package func start(_ onChange: @escaping @Sendable () -> Void) {
            self.onChange.withLock { $0 = onChange }
        }

        /// Stops reporting.
        package func stop() {
            onChange.withLock { $0 = nil }
            monitor.cancel()
        }
    }

    extension NWInterface.InterfaceType {
        fileprivate var kind: NetworkInterface.Kind {
            switch self {
            case .wifi: .wifi
            case .cellular: .cellular
            case .wiredEthernet: .ethernet
            case .loopback: .loopback
            default: .other
            }
        }
    }
#endif
