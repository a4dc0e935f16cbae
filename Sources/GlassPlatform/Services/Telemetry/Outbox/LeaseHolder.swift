import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Who has the right to send to a sink, and until when.
struct LeaseHolder: Equatable {
    /// The outbox object.
    var owner: String
    /// Its process.
    var process = getpid()
    /// Where the process number means something.
    var place = LeaseHolder.here
    /// When the lease ends without a sign of life, as time since the machine started.
    var until: Duration

    /// Whether the right still stands.
    ///
    /// A lease from before a restart of the machine ends further in the future than any that could be given now, or
    /// names another start; a process that is gone has lost it at once.
    func stands(now: Duration, longest: Duration) -> Bool {
        // A second is for rounding.
        guard until > now, until - now <= longest + .seconds(1) else { return false }
        if place.boot != Self.here.boot { return false }
        guard place == Self.here else { return true }
        return kill(process, 0) == 0 || errno != ESRCH
    }

    /// The start of the machine and, on Linux, the process's view of process numbers.
    struct Place: Equatable, Sendable {
        var boot: String
        var numbering: String

        /// One text for both.
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
            // Without /proc all leases look as if they were of this start, and end by time.
            let boot = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""  // See above.
            let space = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")  // See above.
            return Place(boot: boot.trimmingCharacters(in: .whitespacesAndNewlines), numbering: space ?? "")
        #endif
    }()
}
