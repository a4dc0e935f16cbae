#if canImport(CoreLocation)
    import CoreLocation

    /// The location services of an Apple device.
    package struct CoreLocationSource: LocationSource {
        /// Creates the source. Starts nothing.
        package init() {}

        /// Starts location updates.
        package func locations(allowsBackgroundUpdates: Bool) -> AsyncThrowingStream<Location, any Error> {
            AsyncThrowingStream { continuation in
                let task = Task {
                    #if os(iOS)
                        let background = allowsBackgroundUpdates ? CLBackgroundActivitySession() : nil
                        defer { background?.invalidate() }
                    #endif
                    do {
                        for try await update in CLLocationUpdate.liveUpdates() {
                            if update.authorizationDenied || update.authorizationRestricted {
                                throw LocationError.notPermitted(.denied(reason: "the system's settings deny it"))
                            }
                            if let location = update.location { continuation.yield(Location(location)) }
                        }
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
    }

    extension Location {
        fileprivate init(_ location: CLLocation) {
            self.init(
                latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
                accuracyMetres: location.horizontalAccuracy, date: location.timestamp)
        }
    }
#endif
