public import GlassMarkets
import GlassPlatform
public import GlassSchema

extension LocationUpdatesProviderMock: ScriptedMock {
    /// The mock method `move`.
    public var mockMethods: [ScriptMethod] {
        [
            ScriptMethod("move", ["latitude", "longitude", "accuracyMetres?"], "Moves the device.") { arguments in
                var place = Location(
                    latitude: try arguments.number(0, "latitude"), longitude: try arguments.number(1, "longitude"))
                if arguments[2] != .nil { place.accuracyMetres = try arguments.number(2, "accuracyMetres") }
                guard place.isValid else {
                    throw ScriptArgumentError(
                        method: "move", parameter: "latitude and longitude", expected: "a location on earth",
                        found: "\(place.latitude), \(place.longitude), \(place.accuracyMetres) m")
                }
                self.send(place)
                return .nil
            }
        ]
    }
}
