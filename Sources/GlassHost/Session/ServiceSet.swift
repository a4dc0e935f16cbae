import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks

/// The services that a command's markets use.
package enum ServiceSet {
    /// Live services.
    case live
    /// Live services, with mocks of external services.
    case offline
    /// Like `offline`, with permissions, location, and the clock controlled by tests.
    case scripted
    /// Mocks of all services that have one, except the deep linker.
    case mock

    /// The program's module with these services.
    func module(
        of program: HostSettings, host: @escaping @Sendable (MarketDefinition) -> PlatformHost
    ) -> MarketModule {
        let isOffline = self == .offline || self == .scripted
        let own = program.module
        let services = own.services
        var replaced = (self == .live ? [] : program.mocks).filter { mock in
            guard let service = services.first(where: { $0.type == mock.type }) else { return false }
            return isOffline ? service.isExternal : service.type != (any DeepLinker).self
        }
        let isScripted = self == .scripted
        if isScripted {
            replaced += Service.scriptedDevice.filter { mock in
                services.contains { $0.type == mock.type }
                    && !replaced.contains { $0.type == mock.type }
            }
        }
        // A module without the platform has no host to configure.
        let hasHost = own.allServices.contains { $0.type == PlatformHost.self }
        if hasHost {
            replaced.append(
                .host { definition in
                    var host = host(definition)
                    if isScripted {
                        // A separate clock for each market, so that a test's changes end with the test.
                        host.clock = HostClock()
                        host.telemetry.clock = host.clock.telemetry
                    }
                    if isOffline { host.remoteConfiguration = .none }
                    return host
                })
        }
        let module = own.overriding(services: replaced)
        guard isScripted, hasHost else { return module }
        return module.including(MarketModule("test", services: [.clock]))
    }
}

extension Service {
    /// The parts of the device that a test controls. Permission requests are answered as the program's host specifies.
    fileprivate static let scriptedDevice: [Service] = [
        Service(
            (any LocationPermissionProvider).self, requires: [PlatformConfig.self, PlatformHost.self],
            "The permission to access the device's location."
        ) { container in
            LocationPermissionProviderMock(
                locationPermissionLevel: container.get(PlatformConfig.self).permissions.locationLevel,
                prompt: container.prompt)
        },
        Service(
            (any NotificationPermissionProvider).self, requires: [PlatformConfig.self, PlatformHost.self],
            "The permission to show notifications."
        ) { container in
            NotificationPermissionProviderMock(
                options: container.get(PlatformConfig.self).permissions.notificationOptions, prompt: container.prompt)
        },
        Service(
            (any VideoPermissionProvider).self, requires: [PlatformHost.self], "The permission to record video."
        ) { container in
            VideoPermissionProviderMock(prompt: container.prompt)
        },
        Service(
            (any LocationUpdatesProvider).self, requires: [PlatformConfig.self], "The location of the device."
        ) { container in
            LocationUpdatesProviderMock(
                allowsBackgroundLocationUpdates: container.get(PlatformConfig.self).permissions
                    .allowsBackgroundLocationUpdates)
        },
    ]

    /// The clock of the host, for `glass.mock`.
    fileprivate static let clock = Service(HostClock.self, requires: [PlatformHost.self], "The clock.") {
        $0.get(PlatformHost.self).clock
    }
}

extension Container {
    fileprivate var prompt: PermissionPrompt { self.get(PlatformHost.self).device.prompt }
}
