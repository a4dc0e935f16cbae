import Crypto
import GlassBase

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Signed metadata, markets, and their state, in a folder that several processes share.
///
/// ```text
/// root.json timestamp.json snapshot.json targets.json ROLE.json   as received
/// objects/<sha256>                                                  markets, never modified
/// state                                                             replaced as a whole, last
/// lock                                                              held only while files are renamed
/// ```
///
/// Readers take no lock. A writer creates all files under temporary names, then takes the lock, verifies that no other
/// process has written since it read the store, and renames the files. A process that is killed at any point leaves
/// either the old or the new state. The lock is never held during a request or across a suspension point of a task: iOS
/// terminates an app that is suspended while it holds a lock on a file shared with its extensions.
package struct DeliveryStore: Sendable {
    /// The maximum total size of the markets of a store, in bytes.
    package static let quota = 4 << 20
    /// The maximum number of market files of a store.
    static let maximumObjects = 1024
    /// The maximum size of a metadata file in bytes, which is also the limit of a whole refresh.
    static let metadataLimit = 2 << 20
    /// The maximum total size of the metadata in bytes.
    static let metadataQuota = 8 << 20
    /// The maximum number of metadata files: the four top-level roles, and the delegated roles that a phone requests.
    static let maximumMetadataFiles = 256
    /// Temporary files older than this many seconds are abandoned.
    static let abandonedFileAge = 600

    /// The folder's path.
    package let path: String
    let system: StoreSystem
    private let lockWait: Duration
    /// The last state that was read, and its bytes: the file is read more often than it changes during a launch.
    private let lastState = Lock<(bytes: [UInt8], state: StoredState)?>(nil)

    /// Creates a value for the store in a folder. Opens nothing.
    package init(_ path: String, system: StoreSystem = StoreSystem(), lockWait: Duration = .milliseconds(500)) {
        self.path = path
        self.system = system
        self.lockWait = lockWait
    }

    /// The new paths of folders that were in the place of files of the store, since the last call. They were moved aside
    /// when a file was written.
    package func takeMovedAside() -> [String] { system.takeMovedAside() }

    // MARK: Reading

    /// The state, or `nil` if there is none.
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
    /// While another process replaces the files, or if one was killed doing so, a reader may get files of two
    /// refreshes. Verification detects this, because each file is signed.
    ///
    /// The folder may contain any number of files that no refresh wrote. Files beyond the limits of a store are
    /// ignored, and the next refresh that changes the metadata removes them.
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

    /// The bytes of a version. Throws if the file is missing or its digest differs.
    package func bytes(of version: DeliveredVersion) throws(StoreError) -> [UInt8] {
        try telling("read a market") {
            let bytes: [UInt8]?
            do throws(POSIXFailure) {
                bytes = try system.read(objectPath(version.digest), limit: version.length)
            } catch {
                guard error.code == EFBIG else { throw error }
                bytes = nil  // a longer file has different bytes
            }
            guard let bytes, SHA256.hexadecimal(of: bytes) == version.digest else {
                throw StoreError.missingObject(version.digest)
            }
            return bytes
        }
    }

    // MARK: Writing

    /// Starts storing a version. Returns `nil` if it is stored already.
    package func object(for version: DeliveredVersion) throws(StoreError) -> ObjectFile? {
        // A file that is damaged or unreadable in any way is replaced.
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

    /// New metadata that replaces the stored metadata.
    package struct MetadataChange: Sendable {
        /// The stored metadata against which the new metadata was verified.
        package var base: [String: [UInt8]]
        /// The new files by name: `ROLE.json`, with every character encoded that could lead out of the folder.
        package var files: [String: [UInt8]]

        /// Creates a change.
        package init(base: [String: [UInt8]], files: [String: [UInt8]]) {
            self.base = base
            self.files = files
        }
    }

    /// Changes the state, and optionally the metadata with it.
    package func update<Result>(
        metadata: MetadataChange? = nil, elsewhere: Set<String> = [], survivesPowerCut: Bool = true,
        _ change: (inout StoredState) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        for _ in 0..<Self.maximumAttempts {
            let before = try stateBytes()
            // Replace an unreadable state: it would keep the device on the embedded markets forever.
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

    /// Removes unused markets once the markets take up half of the store: each release that a phone fetched but never
    /// used leaves files in it.
    func makeRoom(now: UpdateTime) throws(StoreError) {
        let files = try telling("determine its size") { try system.files(in: "\(path)/objects") }
        guard 2 * files.reduce(0, { $0 + $1.size }) > Self.quota || 2 * files.count > Self.maximumObjects else {
            return
        }
        try collect(now: now)
    }

    /// Removes unreferenced files: unused markets, and temporary files of processes that have ended.
    @discardableResult
    package func collect(now: UpdateTime) throws(StoreError) -> Int {
        try telling("remove unused files") {
            var count = try removeLeftovers(now: now)
            guard let before = try stateBytes() else { return count }
            let used = try state(in: before).digests
            let unused = try system.files(in: "\(path)/objects").map(\.name)
                .filter { $0.ifDigest != nil && !used.contains($0) }
            guard !unused.isEmpty else { return count }
            // Hold the lock, so that no state can start to refer to a file between this check and its removal.
            let lock = try takeLock()
            defer { system.unlock(lock) }
            // Another process has written in the meantime: leave the unused files to the next call.
            guard try stateBytes() == before else { return count }
            for name in unused {
                try system.remove(objectPath(name))
                count += 1
            }
            return count
        }
    }

    /// Removes the temporary files of processes that ended while writing.
    func removeLeftovers(now: UpdateTime) throws(POSIXFailure) -> Int {
        var count = 0
        for folder in [path, "\(path)/objects"] {
            for file in try system.files(in: folder) where file.name.hasPrefix(".part-") {
                // A modification time in the future comes from a wrong clock.
                guard abs(now.secondsSince1970 - file.changed) > Self.abandonedFileAge else { continue }
                try system.remove("\(folder)/\(file.name)")
                count += 1
            }
        }
        return count
    }

    // MARK: Committing

    /// One of two writers always makes progress, so this many lost races mean that another process loops.
    private static let maximumAttempts = 200

    /// The changes of one commit, made by renaming files once all of them are written.
    private struct Commit {
        let before: [UInt8]?
        let state: StoredState
        let metadata: MetadataChange?
        let objects: Set<String>
        let durability: FileCalls.Durability
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
            // Parts that were renamed no longer exist. If a full disk or an error keeps a part here, `removeLeftovers`
            // removes it later.
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

    /// Compares, renames and removes files under the lock, and does nothing else there.
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
            // Roles without a delegation, and files that no refresh wrote.
            for file in try system.files(in: path) where Self.isMetadata(file.name) && change.files[file.name] == nil {
                try system.remove("\(path)/\(file.name)")
            }
        }
        return true
    }

    private static func isMetadata(_ name: String) -> Bool { name.hasSuffix(".json") && !name.hasPrefix(".part-") }

    /// The files in the order in which they verify each other. A writer that is killed between two of them therefore
    /// leaves the same files as a refresh that fails there.
    private static func inOrder(_ names: [String]) -> [String] {
        let first = UpdateRole.allCases.map { "\($0.rawValue).json" }
        return names.sorted { left, right in
            let (one, other) = (first.firstIndex(of: left) ?? first.count, first.firstIndex(of: right) ?? first.count)
            return (one, left) < (other, right)
        }
    }

    private func takeLock() throws -> CInt {
        let deadline = ContinuousClock.now + lockWait
        // `flock` cannot wait with a timeout, so poll until the deadline.
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

    private func write(_ bytes: [UInt8], to path: String, _ durability: FileCalls.Durability) throws(POSIXFailure) {
        let descriptor = try system.create(path)
        defer { close(descriptor) }
        try system.write(bytes, to: descriptor, path)
        try system.synchronize(descriptor, path, durability)
    }

    private func stateBytes() throws(StoreError) -> [UInt8]? {
        do throws(POSIXFailure) {
            return try system.read("\(path)/state", limit: StoredState.limit)
        } catch {
            // A file that is too large, or a folder with that name, counts as an unreadable state.
            if error.code == EFBIG || error.code == EINVAL { return [] }
            throw .unavailable("read its state", reason: "\(error)")
        }
    }

    /// Adds the operation to the errors that `body` throws.
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
            throw .unavailable("create its folder", reason: "\(error)")
        }
    }

    /// 128 random bits in hexadecimal digits.
    static func randomName() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
