/// Fetches files from one folder of a server by their paths.
package protocol UpdateTransport: Sendable {
    /// Fetches a file.
    func get(_ request: UpdateRequest) async throws(TransportFailure) -> UpdateResponse
}

/// A request for a file.
package struct UpdateRequest: Sendable, Equatable {
    /// The path below the transport's folder, percent-encoded.
    package var path: String
    /// The maximum number of content bytes, counted as they arrive and after decompression.
    package var limit: Int
    /// The maximum duration of the response.
    package var timeLimit: Duration
    /// The entity tag of the known file.
    package var ifNoneMatch: String?
    /// The part of the file from an interrupted transfer.
    package var resuming: PartialFile?

    /// Creates a request.
    package init(path: String, limit: Int, timeLimit: Duration) {
        self.path = path
        self.limit = limit
        self.timeLimit = timeLimit
    }
}

/// The first part of a file.
package struct PartialFile: Sendable, Equatable {
    /// The bytes so far.
    package var bytes: [UInt8]
    /// The entity tag of the complete file. Without it, the rest could come from another file.
    package var entityTag: String

    /// Creates the first part of a file.
    package init(bytes: [UInt8], entityTag: String) {
        self.bytes = bytes
        self.entityTag = entityTag
    }
}

/// A response.
package enum UpdateResponse: Sendable, Equatable {
    /// The whole file, and its entity tag, if any.
    case content([UInt8], entityTag: String?)
    /// The known file is current (status 304).
    case notModified
    /// The file does not exist (status 404, or 403, which object stores return).
    case missing(status: Int)
}

/// The reason why a request failed.
package struct TransportFailure: Error, Sendable, Equatable {
    /// ``MetadataError/Rule/network`` or ``MetadataError/Rule/tooLarge``.
    package var rule: MetadataError.Rule
    /// A description of the failure.
    package var text: String
    /// Whether the same request may succeed a little later.
    package var mayPass: Bool
    /// The delay that the server requested before the next request.
    package var retryAfter: Duration?
    /// The number of received bytes.
    package var received: Int
    /// The part of the file that was received, if the transfer can be resumed.
    package var partial: PartialFile?

    /// Creates a failure.
    package init(_ rule: MetadataError.Rule, _ text: String, mayPass: Bool = false, received: Int = 0) {
        self.rule = rule
        self.text = text
        self.mayPass = mayPass
        self.received = received
    }
}

/// Elapsed time, for deadlines and delays.
package struct UpdateClock: Sendable {
    /// The time since an arbitrary moment. It never decreases.
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
