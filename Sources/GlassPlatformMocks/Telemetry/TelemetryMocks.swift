import GlassContainer
import GlassPlatform

extension Container {
    func registerTelemetryMocks(_ configuration: PlatformConfig) {
    }
}
