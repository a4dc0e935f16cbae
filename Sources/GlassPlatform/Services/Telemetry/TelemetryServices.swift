extension PlatformCatalogue {
    /// Events, sessions and errors.
    static let telemetry: [PlatformService] = []
}
