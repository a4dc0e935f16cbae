package import GlassBase

/// Fetches newer metadata from a server, in the order of the specification (1.0, section 5) and within limits.
///
/// It writes no files. The outcome contains everything that should be stored.
package struct UpdateClient: Sendable {
    private let metadata: any UpdateTransport
    private let files: any UpdateTransport
    private let clock: UpdateClock
    private let backoff: Backoff
    private let random: @Sendable () -> Double

    /// Creates a client.
    package init(
        metadata: any UpdateTransport, files: any UpdateTransport, clock: UpdateClock = .system,
        backoff: Backoff = Backoff(initialDelay: .seconds(1), maximumDelay: .seconds(3600), multiplier: 2, jitter: 1),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.metadata = metadata
        self.files = files
        self.clock = clock
        self.backoff = backoff
        self.random = random
    }

    /// Fetches newer metadata.
    package func refresh(
        from trusted: TrustedSet, now: UpdateTime, entityTag: String? = nil, lookingFor paths: [String] = []
    ) async -> RefreshOutcome {
        var run = Run(client: self, outcome: RefreshOutcome(trusted: trusted), now: now, start: clock.elapsed())
        do throws(MetadataError) {
            try await run.updateRoots()
            try await run.updateTimestamp(entityTag: entityTag)
            try await run.updateSnapshot()
            try await run.updateTargets()
            for path in paths { run.outcome.files[path] = try await run.find(path) }
        } catch {
            run.outcome.error = error
        }
        return run.outcome
    }

    /// Downloads a file that the targets metadata lists.
    package func download(
        _ file: TargetFile, of trusted: TrustedSet, resuming partial: PartialFile? = nil
    ) async -> DownloadOutcome {
        let limits = trusted.limits
        guard file.length <= limits.fileLength else {
            return DownloadOutcome(
                error: MetadataError(file.path, .tooLarge, "it has more than \(limits.fileLength.grouped) bytes"))
        }
        let path = file.serverPath(consistent: trusted.root.consistentSnapshot).percentEncoded(keeping: "/")
        var request = UpdateRequest(path: path, limit: file.length, timeLimit: limits.refreshTime)
        request.resuming = partial
        var run = Run(
            client: self, outcome: RefreshOutcome(trusted: trusted), now: UpdateTime(secondsSince1970: 0),
            start: clock.elapsed())
        var outcome = DownloadOutcome()
        do throws(MetadataError) {
            let response = try await run.get(request, from: files, role: file.path, partial: &outcome.partial)
            guard case .content(let bytes, _) = response else {
                throw MetadataError(file.path, .network, "the server does not have it")
            }
            // Bytes that fail this check are not kept for the next attempt.
            try file.check(bytes)
            outcome.bytes = bytes
        } catch {
            outcome.error = error
        }
        outcome.retryAfter = run.outcome.retryAfter
        return outcome
    }

    /// A refresh in progress.
    private struct Run {
        let client: UpdateClient
        var outcome: RefreshOutcome
        let now: UpdateTime
        let start: Duration

        var limits: UpdateLimits { outcome.trusted.limits }

        /// Records a verified file.
        mutating func note(_ role: String, _ version: Int?, _ bytes: [UInt8]) {
            outcome.received.append(.init(role: role, version: version ?? 0, bytes: bytes))
        }

        mutating func updateRoots() async throws(MetadataError) {
            for _ in 0..<limits.rootRotations {
                let next = "\(outcome.trusted.root.version + 1).root.json"
                guard let bytes = try await fetch(next, role: "root", limit: limits.rootLength) else { break }
                try outcome.trusted.update(root: bytes)
                note("root", outcome.trusted.root.version, bytes)
            }
            if try outcome.trusted.finishRoots(now: now) { outcome.hasForgotten = true }
        }

        mutating func updateTimestamp(entityTag: String?) async throws(MetadataError) {
            var request = UpdateRequest(
                path: "timestamp.json", limit: limits.timestampLength, timeLimit: limits.refreshTime)
            // A discarded timestamp leaves nothing for a conditional request to confirm.
            if outcome.trusted.timestamp != nil { request.ifNoneMatch = entityTag }
            var partial: PartialFile?
            switch try await get(request, from: client.metadata, role: "timestamp", partial: &partial) {
            case .content(let bytes, let tag):
                if try await take(timestamp: bytes) {
                    note("timestamp", outcome.trusted.timestamp?.version, bytes)
                }
                outcome.entityTag = tag
            case .notModified:
                try outcome.trusted.confirmTimestamp(now: now)
                outcome.entityTag = entityTag
            case .missing(let status):
                throw MetadataError("timestamp", .network, "the server does not have it (\(status))")
            }
        }

        /// Accepts a timestamp. If the known keys did not sign it, the next root is requested once more before the
        /// timestamp is rejected: that root may have other keys, and a cache may have served the new timestamp before
        /// it had the new root.
        private mutating func take(timestamp bytes: [UInt8]) async throws(MetadataError) -> Bool {
            let version = outcome.trusted.root.version
            do throws(MetadataError) {
                return try outcome.trusted.update(timestamp: bytes, now: now)
            } catch {
                guard error.rule == .unsigned else { throw error }
                try await updateRoots()
                guard outcome.trusted.root.version > version else { throw error }
                return try outcome.trusted.update(timestamp: bytes, now: now)
            }
        }

        mutating func updateSnapshot() async throws(MetadataError) {
            if outcome.trusted.hasListedSnapshot { return try outcome.trusted.confirmSnapshot(now: now) }
            guard let listed = outcome.trusted.timestamp?.snapshot else { return }
            let bytes = try await fetch("snapshot", listed)
            try outcome.trusted.update(snapshot: bytes, now: now)
            note("snapshot", outcome.trusted.snapshot?.version, bytes)
        }

        mutating func updateTargets() async throws(MetadataError) {
            if outcome.trusted.hasListedTargets() { return try outcome.trusted.confirmTargets(now: now) }
            let bytes = try await fetch("targets", outcome.trusted.listed("targets"))
            try outcome.trusted.update(targets: bytes, now: now)
            note("targets", outcome.trusted.targets?.version, bytes)
        }

        /// Finds a file, fetching unknown delegated targets metadata on the way.
        mutating func find(_ path: String) async throws(MetadataError) -> TargetFile? {
            // A role has to be confirmed separately for each role that delegates to it.
            var confirmed: [(role: String, delegator: String)] = []
            while true {
                let search = outcome.trusted.search(path) { role, delegator in
                    confirmed.contains { $0.role.hasSameUTF8(as: role) && $0.delegator.hasSameUTF8(as: delegator) }
                }
                switch search {
                case .found(let file): return file
                case .absent: return nil
                case .needs(let role, let delegator):
                    try await updateDelegated(role, delegatedBy: delegator)
                    confirmed.append((role, delegator))
                    outcome.roles.append(role)
                }
            }
        }

        mutating func updateDelegated(_ role: String, delegatedBy delegator: String) async throws(MetadataError) {
            if outcome.trusted.hasListedTargets(role) {
                return try outcome.trusted.confirmTargets(role, delegatedBy: delegator, now: now)
            }
            let bytes = try await fetch(role, outcome.trusted.listed(role))
            try outcome.trusted.update(delegated: bytes, role: role, delegatedBy: delegator, now: now)
            note(role, outcome.trusted.delegated(role)?.version, bytes)
        }

        /// Fetches the metadata file of a role that another file lists.
        mutating func fetch(_ role: String, _ listed: ListedFile) async throws(MetadataError) -> [UInt8] {
            let isConsistent = outcome.trusted.root.consistentSnapshot
            let path = (isConsistent ? "\(listed.version)." : "") + TrustedSet.fileName(of: role)
            let bytes = try await fetch(path, role: role, limit: listed.length ?? limits.length(of: role))
            guard let bytes else {
                throw MetadataError(role, version: listed.version, .network, "the server does not have it")
            }
            return bytes
        }

        /// Fetches a file. Returns `nil` if the server does not have it.
        mutating func fetch(_ path: String, role: String, limit: Int) async throws(MetadataError) -> [UInt8]? {
            let request = UpdateRequest(path: path, limit: limit, timeLimit: limits.refreshTime)
            var partial: PartialFile?
            switch try await get(request, from: client.metadata, role: role, partial: &partial) {
            case .content(let bytes, _): return bytes
            case .missing: return nil
            case .notModified: throw MetadataError(role, .network, "the server sent an unexpected 304 Not Modified")
            }
        }

        /// Sends a request and retries a few times after temporary failures, within the limits of the whole refresh.
        mutating func get(
            _ asked: UpdateRequest, from transport: any UpdateTransport, role: String, partial: inout PartialFile?
        ) async throws(MetadataError) -> UpdateResponse {
            var request = asked
            partial = asked.resuming
            var attempt = 1
            while true {
                let left = limits.refreshTime - (client.clock.elapsed() - start)
                let room = limits.refreshLength - outcome.bytes
                guard left > .zero else {
                    throw MetadataError(role, .network, "the refresh took longer than \(limits.refreshTime)")
                }
                request.timeLimit = left
                request.limit = min(asked.limit, room)
                request.resuming = partial
                outcome.requests += 1
                do throws(TransportFailure) {
                    let response = try await transport.get(request)
                    if case .content(let bytes, _) = response { outcome.bytes += bytes.count }
                    partial = nil
                    return response
                } catch {
                    outcome.bytes += error.received
                    outcome.retryAfter = error.retryAfter
                    partial = error.partial
                    if error.rule == .tooLarge, request.limit < asked.limit {
                        throw MetadataError(
                            role, .tooLarge, "the refresh received more than \(limits.refreshLength.grouped) bytes")
                    }
                    let pause = max(
                        backoff.pause(beforeRetry: attempt, random: client.random()), error.retryAfter ?? .zero)
                    guard error.mayPass, attempt < limits.tries, pause < left, await slept(pause) else {
                        throw MetadataError(role, error.rule, error.text)
                    }
                    attempt += 1
                }
            }
        }

        private var backoff: Backoff { client.backoff }

        /// Waits. Returns `false` if the task was canceled.
        private func slept(_ pause: Duration) async -> Bool {
            do {
                try await client.clock.sleep(pause)
                return true
            } catch { return false }
        }
    }
}
