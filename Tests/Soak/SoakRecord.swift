import GlassBase

/// Everything acknowledged to the processes of a soak test.
final class SoakRecord: Sendable {
    /// The acknowledgments so far.
    struct Entries {
        var events: Set<String> = []
        var values: [String: String] = [:]
        var counts: [String: Int] = [:]
        var wrong: [String] = []
    }

    private let state = Lock(Entries())

    /// The acknowledgments so far.
    var entries: Entries { state.withLock { $0 } }

    /// Records a note.
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
