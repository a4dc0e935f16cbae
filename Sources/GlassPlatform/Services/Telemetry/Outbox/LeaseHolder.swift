import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The holder of the right to send to a sink, and its expiration.
struct LeaseHolder: Equatable {
    /// The outbox object.
    var owner: String
    /// The process of the outbox.
    var process = getpid()
    /// The context in which the process number is valid.
    var place = LeaseHolder.here
    /// The time at which the lease ends without renewal, measured from the start of the machine.
    var until: Duration

    /// Whether the lease is still valid.
    ///
    /// A lease from before a restart of the machine either ends later than any lease that could be granted now, or has
    /// a different boot identifier. The lease of a process that no longer exists is invalid immediately.
    func stands(now: Duration, longest: Duration) -> Bool {
        // Allow a second for rounding.
        guard until > now, until - now <= longest + .seconds(1) else { return false }
        if place.boot != Self.here.boot { return false }
        // In another namespace, the process number refers to a different process, so only the time counts.
        guard place == Self.here else { return true }
        // Signal 0 only checks for the process. Any error except ESRCH, such as EPERM, means that it exists.
        return kill(process, 0) == 0 || errno != ESRCH
    }

    /// The boot of the machine and, on Linux, the namespace of process numbers.
    struct Place: Equatable, Sendable {
        var boot: String
        var numbering: String

        /// Both values in one string.
        var text: String { boot + "|" + numbering }

        init(boot: String, numbering: String) {
            self.boot = boot
            self.numbering = numbering
        }

        init(text: String) {
            let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            boot = String(parts.first ?? "")
            numbering = parts.count > 1 ? String(parts[1]) : ""
        }
    }

    private static let here: Place = {
        #if canImport(Darwin)
            var size = 0
            sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0)
            var bytes = [CChar](repeating: 0, count: max(size, 1))
            sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0)
            let text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return Place(boot: text, numbering: "")
        #else
            let path = "/proc/sys/kernel/random/boot_id"
            // Without /proc, all leases appear to be from this boot, and end only by time.
            let boot = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""  // see above
            let space = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")  // see above
            return Place(boot: boot.trimmingCharacters(in: .whitespacesAndNewlines), numbering: space ?? "")
        #endif
    }()
}
