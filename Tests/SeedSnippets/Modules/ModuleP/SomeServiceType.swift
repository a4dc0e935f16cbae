/// The service that the sections on automatic registration replace.
public protocol SomeServiceType {
    /// The origin of the service.
    var origin: String { get }
}
