import Synchronization

private let lastID = Atomic(0)

/// A service that can be distinguished from every other one.
public protocol ServiceType: AnyObject {
    /// A unique number.
    var id: Int { get }
}

/// The kind of service that most sections resolve.
public protocol MyServiceType: ServiceType {}

/// The live service.
public final class MyService: MyServiceType {
    /// A unique number.
    public let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue

    /// Creates a service.
    public init() {}
}

/// A mock of the live service.
public final class MockService: MyServiceType {
    /// A unique number.
    public let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue

    /// Creates a service.
    public init() {}
}
