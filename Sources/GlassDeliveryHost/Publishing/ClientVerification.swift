import GlassDelivery

/// Verifies the files to be published the way clients will, with the client's own code.
struct ClientVerification: Sendable {
    /// The time at which clients verify the metadata.
    let now: UpdateTime

    /// The metadata of the roles other than root.
    struct Listing {
        let timestamp: [UInt8]
        let snapshot: [UInt8]
        let targets: [UInt8]
    }

    /// Verifies metadata for a client that starts with the oldest root, and for one that has the current publication.
    func verify(
        known: [[UInt8]], root: [UInt8]?, published: Listing?, listing: Listing?
    ) throws(PublishingError) {
        let roots = known + (root.map { [$0] } ?? [])
        guard let first = roots.first else { return }
        do throws(MetadataError) {
            var fresh = try TrustedSet(root: first)
            for next in roots.dropFirst() { try fresh.update(root: next) }
            if let listing { try update(&fresh, listing) }
            guard let last = known.last, let published, let listing else { return }
            var client = try TrustedSet(remembering: [
                "root.json": last, "timestamp.json": published.timestamp, "snapshot.json": published.snapshot,
                "targets.json": published.targets,
            ])
            if let root { try client.update(root: root) }
            try update(&client, listing)
        } catch {
            throw .refused("a client would reject the publication: \(error)")
        }
    }

    private func update(_ client: inout TrustedSet, _ listing: Listing) throws(MetadataError) {
        try client.update(timestamp: listing.timestamp, now: now)
        if client.hasListedSnapshot {
            try client.confirmSnapshot(now: now)
        } else {
            try client.update(snapshot: listing.snapshot, now: now)
        }
        if client.hasListedTargets() {
            try client.confirmTargets(now: now)
        } else {
            try client.update(targets: listing.targets, now: now)
        }
    }
}
