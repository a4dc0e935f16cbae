import Crypto
import GlassBase

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Signed metadata, markets and their state in a folder that several processes share.
///
/// ```text
/// root.json timestamp.json snapshot.json targets.json ROLE.json   as received
/// objects/<sha256>                                                  markets, never changed
/// state                                                             replaced whole, last
/// lock                                                              held while names change, at no other time
/// ```
///
/// Readers take no lock. A writer makes everything beside the names that readers look at, then takes the lock, makes sure
/// that nobody wrote since it read, and renames. A process that ends anywhere leaves the old state or the new one. The lock
/// is never held across a request or a point where a task may be suspended: iOS ends an app that is suspended with a lock
/// on a file that its extensions share.
package struct DeliveryStore: Sendable {
    /// How many bytes the markets of a store may take.
    package static let quota = 4 << 20
    /// How many files the markets of a store may have.
    static let maximumObjects = 1024
    /// The most bytes of a metadata file: as many as a whole refresh takes.
    static let metadataLimit = 2 << 20
    /// How many bytes the metadata may take.
    static let metadataQuota = 8 << 20
    /// How many files the metadata may have: the four, and the delegated roles that a phone asks.
    static let maximumMetadataFiles = 256
    /// What is left of a write after so many seconds is nobody's any more.
    static let abandonedFileAge = 600

    /// The folder's path.
    package let path: String
    let system: StoreSystem
    private let lockWait: Duration
    /// The state that was read last, and from which bytes: a start reads the file more often than it changes.
    private let lastState = Lock<(bytes: [UInt8], state: StoredState)?>(nil)

    /// Names a store; nothing is opened.
    package init(_ path: String, system: StoreSystem = StoreSystem(), lockWait: Duration = .milliseconds(500)) {
        self.path = path
        self.system = system
        self.lockWait = lockWait
    }

    // MARK: Reading

    /// The state.
    package func state() throws(StoreError) -> StoredState? {
        guard let bytes = try stateBytes() else { return nil }
        return try state(in: bytes)
    }

    private func state(in bytes: [UInt8]) throws(StoreError) -> StoredState {
        if let last = lastState.withLock({ $0 }), last.bytes == bytes { return last.state }
        let state = try StoredState(reading: bytes)
        lastState.withLock { $0 = (bytes, state) }
        return state
    }

    /// The stored metadata, each file as it was received.
    ///
    /// A reader may meet files of two refreshes while another process replaces them, or after one was killed there. Each is
    /// signed, so who verifies them finds out.
    ///
    /// A folder may have any number of files that no refresh wrote. What is more than a store may hold is left out, and goes
    /// with the next refresh that changes the metadata.
    package func metadata() throws(StoreError) -> [String: [UInt8]] {
        try telling("read the metadata") {
            var metadata: [String: [UInt8]] = [:]
            var sizes: [String: Int] = [:]
            for file in try system.files(in: path) where Self.isMetadata(file.name) { sizes[file.name] = file.size }
            var size = 0
            for name in Self.inOrder(Array(sizes.keys)) where metadata.count < Self.maximumMetadataFiles {
                guard let own = sizes[name], own <= Self.metadataLimit, size + own <= Self.metadataQuota else {
                    continue
                }
                metadata[name] = try system.read("\(path)/\(name)", limit: Self.metadataLimit)
                size += metadata[name]?.count ?? 0
            }
            return metadata
        }
    }

    /// The bytes of a version.
    package func bytes(of version: DeliveredVersion) throws(StoreError) -> [UInt8] {
        try telling("read a market") {
            let bytes: [UInt8]?
            do throws(POSIXFailure) {
                bytes = try system.read(objectPath(version.digest), limit: version.length)
            } catch {
                guard error.code == EFBIG else { throw error }
                bytes = nil  // a longer file is another one
            }
            guard let bytes, SHA256.hexadecimal(of: bytes) == version.digest else {
                throw StoreError.missingObject(version.digest)
            }
            return bytes
        }
    }

    // MARK: Writing

    /// Begins to store a version.
    package func object(for version: DeliveredVersion) throws(StoreError) -> ObjectFile? {
        // Whatever is wrong with a file that is there, it is replaced.
        if (try? bytes(of: version)) != nil { return nil }
        try makeFolders()
        return try telling("store a market") {
            let files = try system.files(in: "\(path)/objects")
            let used = files.reduce(0) { $0 + ($1.name == version.digest ? 0 : $1.size) }
            guard used + version.length <= Self.quota, files.count < Self.maximumObjects else {
                throw StoreError.full(limit: Self.quota)
            }
            return try ObjectFile(version, in: "\(path)/objects", system)
        }
    }

    /// Metadata that takes the place of what is stored.
    package struct MetadataChange: Sendable {
        /// What the new metadata was proved against: what was stored then.
        package var base: [String: [UInt8]]
        /// The new files by their names, which are `ROLE.json` with everything encoded that could lead out of a folder.
        package var files: [String: [UInt8]]

        /// Describes a change.
        package init(base: [String: [UInt8]], files: [String: [UInt8]]) {
            self.base = base
            self.files = files
        }
    }

    /// Changes the state, and the metadata with it.
    package func update<Result>(
        metadata: MetadataChange? = nil, elsewhere: Set<String> = [], survivesPowerCut: Bool = true,
        _ change: (inout StoredState) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        for _ in 0..<Self.maximumAttempts {
            let before = try stateBytes()
            // One that cannot be read is replaced: it would keep the device on the embedded markets for ever.
            let old = before.flatMap { try? state(in: $0) }
            var new = old ?? StoredState(install: Self.randomName())
            let result = try change(&new)
            if metadata == nil, new == old { return result }
            new.generation += 1
            let commit = Commit(
                before: before, state: new, metadata: metadata,
                objects: new.digests.subtracting(old?.digests ?? []).subtracting(elsewhere),
                durability: survivesPowerCut ? .full : .ordered)
            if try perform(commit) { return result }
        }
        throw .busy
    }

    /// Removes markets that are out of use where they begin to take the place of others: each release that a phone fetched
    /// and never started leaves some.
    func makeRoom(now: UpdateTime) throws(StoreError) {
        let files = try telling("look for space") { try system.files(in: "\(path)/objects") }
        guard 2 * files.reduce(0, { $0 + $1.size }) > Self.quota || 2 * files.count > Self.maximumObjects else {
            return
        }
        try collect(now: now)
    }

    /// Removes what nobody refers to: markets that are out of use, and what ended processes left.
    @discardableResult
    package func collect(now: UpdateTime) throws(StoreError) -> Int {
        try telling("remove what is out of use") {
            var count = try removeLeftovers(now: now)
            guard let before = try stateBytes() else { return count }
            let used = try state(in: before).digests
            let unused = try system.files(in: "\(path)/objects").map(\.name)
                .filter { $0.ifDigest != nil && !used.contains($0) }
            guard !unused.isEmpty else { return count }
            // Under the lock, so that no state comes to refer to a file between the look and the removal.
            let lock = try takeLock()
            defer { system.unlock(lock) }
            // Somebody wrote meanwhile: what goes out of use goes the next time.
            guard try stateBytes() == before else { return count }
            for name in unused {
                try system.remove(objectPath(name))
                count += 1
            }
            return count
        }
    }

    /// Removes what processes left that ended while they wrote.
    func removeLeftovers(now: UpdateTime) throws(POSIXFailure) -> Int {
        var count = 0
        for folder in [path, "\(path)/objects"] {
            for file in try system.files(in: folder) where file.name.hasPrefix(".part-") {
                // A time in the future is that of a wrong clock.
                guard abs(now.secondsSince1970 - file.changed) > Self.abandonedFileAge else { continue }
                try system.remove("\(folder)/\(file.name)")
                count += 1
            }
        }
        return count
    }

    // MARK: Committing

    /// With two writers the faster one gets on, so this many lost races are another process's endless loop.
    private static let maximumAttempts = 200

    /// What is to become of the names, once everything has its bytes.
    private struct Commit {
        let before: [UInt8]?
        let state: StoredState
        let metadata: MetadataChange?
        let objects: Set<String>
        let durability: StoreSystem.Durability
    }

    private func perform(_ commit: Commit) throws(StoreError) -> Bool {
        if let files = commit.metadata?.files {
            guard files.count <= Self.maximumMetadataFiles,
                files.values.reduce(0, { $0 + $1.count }) <= Self.metadataQuota
            else { throw .tooMuchMetadata(files: Self.maximumMetadataFiles, bytes: Self.metadataQuota) }
        }
        try makeFolders()
        var parts: [(part: String, name: String)] = []
        defer {
            // Those that got their names are gone. What a full disk or a fault keeps here goes with the leftovers.
            for part in parts { try? system.remove(part.part) }
        }
        return try telling("write its state") {
            let changed = commit.metadata.map { change in
                Self.inOrder(change.files.keys.filter { change.files[$0] != change.base[$0] })
            }
            for name in changed ?? [] {
                let part = newPart(&parts, named: name)
                try write(commit.metadata?.files[name] ?? [], to: part, .ordered)
            }
            try write(commit.state.bytes(), to: newPart(&parts, named: "state"), commit.durability)
            let isDone = try exchange(commit, &parts)
            if isDone, commit.durability == .full { try system.synchronize(folder: path) }
            return isDone
        }
    }

    /// Under the lock: nothing but looking and renaming.
    private func exchange(_ commit: Commit, _ parts: inout [(part: String, name: String)]) throws -> Bool {
        let lock = try takeLock()
        defer { system.unlock(lock) }
        guard try stateBytes() == commit.before else { return false }
        if let change = commit.metadata, try metadata() != change.base { throw StoreError.superseded }
        for digest in commit.objects.sorted() where access(objectPath(digest), R_OK) != 0 {
            throw StoreError.missingObject(digest)
        }
        while let next = parts.first {
            try system.rename(next.part, to: "\(path)/\(next.name)")
            parts.removeFirst()
        }
        if let change = commit.metadata {
            // Roles that nobody delegates to any more, and what no refresh wrote.
            for file in try system.files(in: path) where Self.isMetadata(file.name) && change.files[file.name] == nil {
                try system.remove("\(path)/\(file.name)")
            }
        }
        return true
    }

    private static func isMetadata(_ name: String) -> Bool { name.hasSuffix(".json") && !name.hasPrefix(".part-") }

    /// Files in the order in which they prove each other, so that a writer that is killed between two of them leaves what a
    /// refresh leaves that fails there.
    private static func inOrder(_ names: [String]) -> [String] {
        let first = UpdateRole.allCases.map { "\($0.rawValue).json" }
        return names.sorted { left, right in
            let (one, other) = (first.firstIndex(of: left) ?? first.count, first.firstIndex(of: right) ?? first.count)
            return (one, left) < (other, right)
        }
    }

    private func takeLock() throws -> CInt {
        let deadline = ContinuousClock.now + lockWait
        while true {
            if let lock = try system.tryLock("\(path)/lock") { return lock }
            guard ContinuousClock.now < deadline else { throw StoreError.busy }
            usleep(500)
        }
    }

    private func newPart(_ parts: inout [(part: String, name: String)], named name: String) -> String {
        let part = "\(path)/.part-\(Self.randomName())"
        parts.append((part, name))
        return part
    }

    private func write(_ bytes: [UInt8], to path: String, _ durability: StoreSystem.Durability) throws(POSIXFailure) {
        let descriptor = try system.create(path)
        defer { close(descriptor) }
        try system.write(bytes, to: descriptor, path)
        try system.synchronize(descriptor, path, durability)
    }

    private func stateBytes() throws(StoreError) -> [UInt8]? {
        do throws(POSIXFailure) {
            return try system.read("\(path)/state", limit: StoredState.limit)
        } catch {
            // A file that is too large, or a folder of that name, is no state.
            if error.code == EFBIG || error.code == EINVAL { return [] }
            throw .unavailable("read its state", reason: "\(error)")
        }
    }

    /// Says what the store was about to do when something failed.
    private func telling<Result>(
        _ operation: String, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch {
            throw .unavailable(operation, reason: "\(error)")
        }
    }

    private func objectPath(_ digest: String) -> String { "\(path)/objects/\(digest)" }

    private func makeFolders() throws(StoreError) {
        do {
            try PrivateFolder.make(path)
            try PrivateFolder.make("\(path)/objects")
        } catch {
            throw .unavailable("make its folder", reason: "\(error)")
        }
    }

    /// 128 random bits as hexadecimal digits.
    static func randomName() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
