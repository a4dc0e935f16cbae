import ModuleP

/// The service that this module has to offer.
public struct SomeService: SomeServiceType {
    /// The name of this module.
    public let origin = "ModuleB"

    /// Makes a service.
    public init() {}
}
