/// What the sections on automatic registration replace.
public protocol SomeServiceType {
    /// Where the service comes from.
    var origin: String { get }
}
