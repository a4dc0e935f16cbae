/// A third-party analytics library.
public enum Recorder {
    /// The recorded events, oldest first.
    @MainActor public private(set) static var events: [String] = []

    /// Records an event.
    ///
    /// - Parameter event: The event.
    public static func record(_ event: String) {
        MainActor.assumeIsolated { events.append(event) }
    }
}
