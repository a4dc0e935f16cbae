import GlassBase
import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// A receiver that a test controls, and that counts its starts and stops.
final class ReceiverStub: LocationSource {
    private struct State: Sendable {
        var started = 0
        var stopped = 0
        var background: [Bool] = []
        var output: AsyncThrowingStream<Location, any Error>.Continuation?
    }

    private let state = Lock(State())

    var started: Int { state.withLock { $0.started } }
    var stopped: Int { state.withLock { $0.stopped } }
    var background: [Bool] { state.withLock { $0.background } }

    func locations(allowsBackgroundUpdates: Bool) -> AsyncThrowingStream<Location, any Error> {
        let (stream, output) = AsyncThrowingStream.makeStream(of: Location.self, throwing: (any Error).self)
        output.onTermination = { _ in self.state.withLock { $0.stopped += 1 } }
        state.withLock { state in
            state.started += 1
            state.background.append(allowsBackgroundUpdates)
            state.output = output
        }
        return stream
    }

    func send(_ place: Location) { state.withLock { $0.output }?.yield(place) }
    func finish(throwing error: (any Error)? = nil) { state.withLock { $0.output }?.finish(throwing: error) }
}

@Suite(.timeLimit(.minutes(1)))
struct LocationUpdatesTests {
    static let date = Date(timeIntervalSince1970: 0)
    static let places = (1...5).map { Location(latitude: Double($0), longitude: 10, date: date) }
    let receiver = ReceiverStub()

    func updates() -> LocationUpdates { LocationUpdates(allowsBackgroundLocationUpdates: true, source: receiver) }

    func collect(_ stream: AsyncThrowingStream<Location, any Error>) async throws -> [Location] {
        try await stream.reduce(into: []) { $0.append($1) }
    }

    @Test func listenersShareOneStartAndSeeEveryLocation() async throws {
        let updates = updates()
        let streams = (0..<5).map { _ in updates.locations() }
        await until { receiver.started == 1 }
        for place in Self.places { receiver.send(place) }
        receiver.finish()
        for stream in streams { #expect(try await collect(stream) == Self.places) }
        #expect(receiver.started == 1)
        #expect(receiver.background == [true])
        #expect(updates.latest == Self.places.last)
    }

    @Test func sourceStopsWithoutListenersAndStartsAgain() async throws {
        let updates = updates()
        let streams = [updates.locations(), updates.locations()]
        let listeners = streams.map { stream in Task { try await collect(stream) } }
        await until { receiver.started == 1 }
        listeners[0].cancel()
        _ = try await listeners[0].value
        receiver.send(Self.places[4])
        await until { updates.latest == Self.places[4] }
        #expect(receiver.stopped == 0)
        listeners[1].cancel()
        _ = try await listeners[1].value
        await until { receiver.stopped == 1 }
        let stream = updates.locations()
        await until { receiver.started == 2 }
        receiver.send(Self.places[0])
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == Self.places[0])
    }

    @Test func failedSourceReportsCauseToEveryListenerAndCanRestart() async throws {
        struct Broken: Error, CustomStringConvertible {
            let description = "antenna lost"
        }
        let updates = updates()
        let streams = [updates.locations(), updates.locations()]
        await until { receiver.started == 1 }
        receiver.finish(throwing: Broken())
        for stream in streams {
            let error = await #expect(throws: LocationError.self) { try await collect(stream) }
            #expect(error?.description == "no more locations: the source failed: antenna lost; start listening again")
        }
        let again = updates.locations()
        await until { receiver.started == 2 }
        receiver.finish()
        #expect(try await collect(again) == [])
    }

    @Test func missingSourceIsReportedImmediately() async throws {
        #if !canImport(CoreLocation)
            let updates = LocationUpdates(allowsBackgroundLocationUpdates: false)
            let error = await #expect(throws: LocationError.self) { try await collect(updates.locations()) }
            #expect(
                error?.description
                    == "no locations: this system has no location source; "
                    + "set the locationSource of PlatformHost.device")
        #endif
    }

    @Test func nothingIsStartedWithoutPermission() async throws {
        let permission = LocationPermissionProviderMock()
        let updates = LocationUpdates(
            allowsBackgroundLocationUpdates: false, source: receiver, permission: permission)
        let error = await #expect(throws: LocationError.self) { try await collect(updates.locations()) }
        #expect(
            error?.description == "no locations: the permission is notDetermined; "
                + "request it from LocationPermissionProvider first")
        #expect(receiver.started == 0)
        #expect(try await permission.request() == .granted)
        let stream = updates.locations()
        await until { receiver.started == 1 }
        receiver.send(Self.places[0])
        await until { updates.latest == Self.places[0] }
        permission.set(.denied(reason: "taken back"))
        receiver.send(Self.places[1])
        let revoked = await #expect(throws: LocationError.self) { try await collect(stream) }
        #expect(revoked?.description.contains("denied: taken back") == true)
        #expect(updates.latest == Self.places[0])
        await until { receiver.stopped == 1 }
    }

    @Test(
        arguments: [(91, 0, 0), (0, 181, 0), (0, 0, -1), (.nan, 0, 0), (0, .infinity, 0)]
            as [(Double, Double, Double)])
    func invalidLocationIsSkipped(latitude: Double, longitude: Double, accuracy: Double) async throws {
        let updates = updates()
        let stream = updates.locations()
        await until { receiver.started == 1 }
        receiver.send(Location(latitude: latitude, longitude: longitude, accuracyMetres: accuracy))
        receiver.send(Self.places[0])
        receiver.finish()
        #expect(try await collect(stream) == [Self.places[0]])
    }

    @Test func slowListenerLosesOldestLocations() async throws {
        let updates = updates()
        let stream = updates.locations()
        await until { receiver.started == 1 }
        let many = (0..<100).map { Location(latitude: 1, longitude: Double($0), date: Self.date) }
        for place in many { receiver.send(place) }
        receiver.finish()
        await until { updates.latest == many.last && receiver.stopped == 1 }
        #expect(try await collect(stream) == Array(many.suffix(64)))
    }

    @Test func releasedServiceStopsSourceAndEndsSequences() async throws {
        var container: Container? = Container()
        var host = PlatformHost()
        host.device.locationSource = receiver
        host.device.permissionPrompt = .policy(.allow)
        host.device.usageDescriptions = .notNeeded
        container?.setupPlatformDependencies(with: sampleConfig(), host: host)
        _ = try await container?.get((any LocationPermissionProvider).self).request()
        let stream = try #require(container?.get((any LocationUpdatesProvider).self).locations())
        await until { receiver.started == 1 }
        container = nil
        #expect(try await collect(stream) == [])
        await until { receiver.stopped == 1 }
    }

    @Test func shutDownServiceEndsSilently() async throws {
        let updates = updates()
        let stream = updates.locations()
        await until { receiver.started == 1 }
        updates.dispose()
        #expect(try await collect(stream) == [])
        #expect(try await collect(updates.locations()) == [])
        await until { receiver.stopped == 1 }
        #expect(receiver.started == 1)
    }

    @Test func scriptedSourceRestartsWithEachStart() async throws {
        let source = ScriptedLocationSource(Self.places, ending: .ends)
        let updates = LocationUpdates(allowsBackgroundLocationUpdates: false, source: source)
        for _ in 0..<2 { #expect(try await collect(updates.locations()) == Self.places) }
        struct Broken: Error {}
        let failing = LocationUpdates(
            allowsBackgroundLocationUpdates: false,
            source: ScriptedLocationSource([Self.places[0]], every: .milliseconds(1), ending: .fails(Broken())))
        await #expect(throws: LocationError.self) { try await collect(failing.locations()) }
        #expect(failing.latest == Self.places[0])
    }

    @Test func scriptWaitsForNextLocation() async throws {
        let source = ScriptedLocationSource([Location(latitude: 36.5, longitude: -94.25, accuracyMetres: 5)])
        let updates = LocationUpdates(allowsBackgroundLocationUpdates: false, source: source)
        let next = try #require(updates.scriptMethods.first { $0.name == "next" })
        #expect(try await next([]) == ["latitude": 36.5, "longitude": -94.25, "accuracyMetres": 5.0])
    }

    @Test(arguments: ["live", "mock"])
    func everyProviderReportsLocationsUntilEnd(kind: String) async throws {
        let mock = LocationUpdatesProviderMock(allowsBackgroundLocationUpdates: true)
        let provider: any LocationUpdatesProvider = kind == "mock" ? mock : updates()
        #expect(provider.allowsBackgroundLocationUpdates)
        #expect(provider.latest == nil)
        let streams = [provider.locations(), provider.locations()]
        if kind == "live" { await until { receiver.started == 1 } }
        for place in Self.places {
            mock.send(place)
            receiver.send(place)
        }
        mock.finish()
        receiver.finish()
        for stream in streams { #expect(try await collect(stream) == Self.places) }
        #expect(provider.latest == Self.places.last)
    }
}
