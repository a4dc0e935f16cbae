import GlassBase
#if os(Linux)
    import Dispatch
    package import Foundation
    import GlassDeepLinking

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// The state of the network on Linux: interfaces and addresses from `getifaddrs`, the kind of each interface from
    /// `/sys/class/net`, and notifications of changes from a routing socket.
    package final class NetlinkInformationSource: NetworkInformationSource {
        private struct State {
            var events: (any DispatchSourceProtocol)?
            var isStopped = false
        }

        /// `struct sockaddr_nl` of `<linux/netlink.h>`, which the system's Swift module does not include.
        private struct Address {
            var family = UInt16(AF_NETLINK)
            var padding: UInt16 = 0
            var port: UInt32 = 0
            /// RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV6_IFADDR of `<linux/rtnetlink.h>`.
            var groups: UInt32 = 0x1 | 0x10 | 0x100
        }

        private let state = Lock(State())
        private let folder: URL

        /// Creates a source.
        package init(folder: URL = URL(filePath: "/sys/class/net")) {
            self.folder = folder
        }

        deinit { stop() }

        /// The current state. Takes two system calls, and up to three small files per interface.
        package func read() -> NetworkInformation {
            var first: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&first) == 0 else { return NetworkInformation() }
            defer { freeifaddrs(first) }
            var interfaces: [String: NetworkInterface] = [:]
            for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
                guard let entry = entry?.pointee else { break }
                let name = String(cString: entry.ifa_name)
                let flags = entry.ifa_flags
                let isUp = flags & UInt32(IFF_UP) != 0 && flags & UInt32(IFF_RUNNING) != 0
                let isLoopback = flags & UInt32(IFF_LOOPBACK) != 0
                var interface =
                    interfaces[name]
                    ?? NetworkInterface(name: name, kind: isLoopback ? .loopback : kind(of: name), isUp: isUp)
                if let text = Self.text(of: entry.ifa_addr) { interface.addresses.append(text) }
                interfaces[name] = interface
            }
            return NetworkInformation(
                interfaces: interfaces.values.map { interface in
                    var interface = interface
                    interface.addresses.sort { ($0.contains(":") ? 1 : 0, $0) < ($1.contains(":") ? 1 : 0, $1) }
                    return interface
                })
        }

        /// Reports changes of links and addresses.
        package func start(_ onChange: @escaping @Sendable () -> Void) {
            let queue = DispatchQueue(label: "glass.network-information")
            let events: any DispatchSourceProtocol
            if let socket = Self.openSocket() {
                events = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
                events.setEventHandler {
                    Self.drain(socket)
                    onChange()
                }
                events.setCancelHandler { close(socket) }
            } else {
                // Without a socket, poll for changes instead.
                let timer = DispatchSource.makeTimerSource(queue: queue)
                timer.schedule(deadline: .now() + 5, repeating: 5)
                timer.setEventHandler(handler: onChange)
                events = timer
            }
            events.resume()
            let isStopped = state.withLock { state in
                if !state.isStopped { state.events = events }
                return state.isStopped
            }
            if isStopped { events.cancel() }
        }

        /// Stops reporting and closes the socket.
        package func stop() {
            let events = state.withLock { state in
                defer { state.events = nil }
                state.isStopped = true
                return state.events
            }
            events?.cancel()
        }

        private static func openSocket() -> Int32? {
            let flags = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            let descriptor = socket(AF_NETLINK, flags, 0)
            guard descriptor >= 0 else { return nil }
            var address = Address()
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
                }
            }
            guard status == 0 else {
                close(descriptor)
                return nil
            }
            return descriptor
        }

        /// Discards everything in the socket. The content of the messages is irrelevant, because the whole state is
        /// read again; an overflow (ENOBUFS) therefore loses nothing.
        private static func drain(_ socket: Int32) {
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            var taken = 0
            repeat {
                taken = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
            } while taken > 0
        }

        /// The kind of an interface, according to the kernel's files.
        func kind(of name: String) -> NetworkInterface.Kind {
            let folder = folder.appending(path: name)
            let files = FileManager.default
            if files.fileExists(atPath: folder.appending(path: "wireless").path)
                || files.fileExists(atPath: folder.appending(path: "phy80211").path)
            {
                return .wifi
            }
            // A missing file provides no information about the kind.
            let events = (try? String(contentsOf: folder.appending(path: "uevent"), encoding: .utf8)) ?? ""  // as above
            if events.contains("DEVTYPE=wwan") || name.hasPrefix("wwan") { return .cellular }
            if events.contains("DEVTYPE=wlan") { return .wifi }
            if events.contains("DEVTYPE=wireguard")
                || files.fileExists(atPath: folder.appending(path: "tun_flags").path)
            {
                return .tunnel
            }
            let type = (try? String(contentsOf: folder.appending(path: "type"), encoding: .utf8)) ?? ""  // as above
            return type.trimmingCharacters(in: .whitespacesAndNewlines) == "1" ? .ethernet : .other
        }

        private static func text(of address: UnsafeMutablePointer<sockaddr>?) -> String? {
            guard let address, [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family)) else { return nil }
            let isLong = Int32(address.pointee.sa_family) == AF_INET6
            let length = isLong ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            var buffer = [CChar](repeating: 0, count: 128)
            guard
                getnameinfo(address, socklen_t(length), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0
            else { return nil }
            // A link-local address ends with the name of the interface, such as `%eth0`, which is already known.
            let bytes = buffer.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }.map { UInt8(bitPattern: $0) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
