import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks

/// Which services the markets of a command have.
package enum ServiceSet {
    /// The real ones.
    case live
    /// The real ones, but mocks of those that would leave the machine.
    case offline
    /// As `offline`, and the permissions, the place and the clock are a test's to decide.
    case scripted
    /// Mocks of all that have one, but for the deep linker.
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
        // A module without the platform has no host to decide for.
        let hasHost = own.allServices.contains { $0.type == PlatformHost.self }
        if hasHost {
            replaced.append(
                .host { definition in
                    var host = host(definition)
                    if isScripted {
                        // One of the market's own: what a test does to it ends with the test.
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
    /// What a test decides about the device. Who asks for a permission is answered as the program's host says.
    fileprivate static let scriptedDevice: [Service] = [
        Service(
            (any LocationPermissionProvider).self, requires: [PlatformConfig.self, PlatformHost.self],
            "Whether the app may know where the device is."
        ) { container in
            LocationPermissionProviderMock(
                locationPermissionLevel: container.get(PlatformConfig.self).permissions.locationLevel,
                prompt: container.prompt)
        },
        Service(
            (any NotificationPermissionProvider).self, requires: [PlatformConfig.self, PlatformHost.self],
            "Whether the app may show notifications."
        ) { container in
            NotificationPermissionProviderMock(
                options: container.get(PlatformConfig.self).permissions.notificationOptions, prompt: container.prompt)
        },
        Service(
            (any VideoPermissionProvider).self, requires: [PlatformHost.self], "Whether the app may record video."
        ) { container in
            VideoPermissionProviderMock(prompt: container.prompt)
        },
        Service(
            (any LocationUpdatesProvider).self, requires: [PlatformConfig.self], "Where the device is."
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
