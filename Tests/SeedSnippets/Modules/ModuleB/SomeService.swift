import ModuleP

/// The service that this module offers.
public struct SomeService: SomeServiceType {
    /// The name of this module.
    public let origin = "ModuleB"

    /// Creates a service.
    public init() {}
}
