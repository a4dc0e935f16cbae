/// An analytics library that somebody else wrote.
public enum Recorder {
    /// What was recorded, oldest first.
    @MainActor public private(set) static var events: [String] = []

    /// Records an event.
    ///
    /// - Parameter event: the event.
    public static func record(_ event: String) {
        MainActor.assumeIsolated { events.append(event) }
    }
}
