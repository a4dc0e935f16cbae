import Synchronization

private let lastID = Atomic(0)

/// A service that can be told from every other one.
public protocol ServiceType: AnyObject {
    /// A number of its own.
    var id: Int { get }
}

/// The kind of service that most sections resolve.
public protocol MyServiceType: ServiceType {}

/// The live service.
public final class MyService: MyServiceType {
    /// A number of its own.
    public let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue

    /// Makes a service.
    public init() {}
}

/// What stands in for the live service.
public final class MockService: MyServiceType {
    /// A number of its own.
    public let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue

    /// Makes a service.
    public init() {}
}
