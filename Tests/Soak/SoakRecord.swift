import GlassBase

/// What all processes of a soak were promised.
final class SoakRecord: Sendable {
    /// The promises so far.
    struct Entries {
        var events: Set<String> = []
        var values: [String: String] = [:]
        var counts: [String: Int] = [:]
        var wrong: [String] = []
    }

    private let state = Lock(Entries())

    /// The promises so far.
    var entries: Entries { state.withLock { $0 } }

    /// Writes a note down.
    func take(_ note: SoakUser.Note) {
        state.withLock { state in
            switch note {
            case .tracked(let event): state.events.insert(event)
            case .wrote(let key, let value): state.values[key] = value
            case .did(let what): state.counts[what, default: 0] += 1
            case .wrong(let text): state.wrong.append(text)
            }
        }
    }

    /// Counts something.
    func count(_ what: String) { take(.did(what)) }
}
