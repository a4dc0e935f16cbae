/// How files come from a server: one folder of it, whose files are asked for by their paths.
package protocol UpdateTransport: Sendable {
    /// Fetches a file.
    func get(_ request: UpdateRequest) async throws(TransportFailure) -> UpdateResponse
}

/// A request for a file.
package struct UpdateRequest: Sendable, Equatable {
    /// The path below the transport's folder, percent-encoded.
    package var path: String
    /// How many bytes of content are taken, counted while they come and after decompression.
    package var limit: Int
    /// How long the answer may take.
    package var timeLimit: Duration
    /// The entity tag of the file that is known.
    package var ifNoneMatch: String?
    /// What came before of a file whose transfer broke off.
    package var resuming: PartialFile?

    /// Creates a request.
    package init(path: String, limit: Int, timeLimit: Duration) {
        self.path = path
        self.limit = limit
        self.timeLimit = timeLimit
    }
}

/// The beginning of a file.
package struct PartialFile: Sendable, Equatable {
    /// The bytes so far.
    package var bytes: [UInt8]
    /// The entity tag of the file they are of. Without one the rest could be another file's.
    package var entityTag: String

    /// Creates the beginning of a file.
    package init(bytes: [UInt8], entityTag: String) {
        self.bytes = bytes
        self.entityTag = entityTag
    }
}

/// An answer.
package enum UpdateResponse: Sendable, Equatable {
    /// The whole file, and its entity tag if it has one.
    case content([UInt8], entityTag: String?)
    /// The known file is the newest (status 304).
    case notModified
    /// There is no such file (404, and 403, which object stores answer).
    case missing(status: Int)
}

/// Why a request came to nothing.
package struct TransportFailure: Error, Sendable, Equatable {
    /// ``MetadataError/Rule/network`` or ``MetadataError/Rule/tooLarge``.
    package var rule: MetadataError.Rule
    /// What happened.
    package var text: String
    /// Whether the same request may succeed a little later.
    package var mayPass: Bool
    /// How long the server asks to be left alone.
    package var retryAfter: Duration?
    /// How many bytes came.
    package var received: Int
    /// What came of the file, if the rest can be asked for.
    package var partial: PartialFile?

    /// Creates a failure.
    package init(_ rule: MetadataError.Rule, _ text: String, mayPass: Bool = false, received: Int = 0) {
        self.rule = rule
        self.text = text
        self.mayPass = mayPass
        self.received = received
    }
}

/// The time that passes, for deadlines and pauses.
package struct UpdateClock: Sendable {
    /// The time since some moment; it never goes back.
    package var elapsed: @Sendable () -> Duration
    /// Waits.
    package var sleep: @Sendable (Duration) async throws -> Void

    /// Creates a clock.
    package init(
        elapsed: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        self.sleep = sleep
    }

    /// The system's clock.
    package static var system: UpdateClock {
        let start = ContinuousClock.now
        return UpdateClock(elapsed: { ContinuousClock.now - start }, sleep: { try await Task.sleep(for: $0) })
    }
}
