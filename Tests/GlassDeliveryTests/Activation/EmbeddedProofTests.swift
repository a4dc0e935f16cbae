import DeliverySupport
import Foundation
@testable import GlassDelivery
import GlassMarkets
import Testing

/// The embedded snapshot is verified before any of it is used, but not at each launch.
@Suite struct EmbeddedProofTests {
    private static let unsigned = "0 of 1 required keys signed"

    @Test(arguments: ["root.json", "targets.json"])
    func corruptEmbeddedMetadataIsRejected(file: String) async throws {
        let phone = try Phone()
        try damage("app/\(file)", of: phone)
        let markets = try phone.launch()
        let error = #expect(throws: DeliveryError.self) { try markets.check("ca") }
        let reason = "\(try #require(error))"
        #expect(reason.contains("/app cannot be used:") && reason.contains(Self.unsigned), "\(reason)")
        #expect(throws: DeliveryError.self) { try phone.launch(role: .reader).check("ca") }
        // A refresh would start from it, and none of it enters the store.
        try phone.publish("one")
        let report = await phone.delivery(markets).refresh()
        guard case .store(.embedded(let text))? = report.failure else {
            Issue.record("\(report)")
            return
        }
        #expect(text == reason)
        #expect(try markets.store.state() == nil)
        #expect(try markets.store.metadata() == [:])
    }

    @Test func metadataExpiredAtBuildTimeIsRejected() throws {
        let phone = try Phone()
        let markets = try TestMarkets.open(phone.folder, builtAt: 1_900_000_000)
        let error = #expect(throws: DeliveryError.self) { try markets.check("ca") }
        #expect("\(try #require(error))".contains("it was valid until 2030-01-01T00:00:00Z"))
    }

    @Test func deliveredMarketKeepsRunningAndRefreshes() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        try damage("app/targets.json", of: phone)
        let markets = try phone.launch()
        #expect(try markets.check("ca").market?.definition.name == "one")
        #expect(markets.deliveryStatus(of: "ca")?.problem == nil)
        try phone.publish("two")
        #expect(try await phone.refresh().failure == nil)
        #expect(try phone.start(healthy: true) == "two")
        // Nor is it used as a last resort.
        phone.pass(8 * 86_400)
        let ages = ["ca": MaximumAge(.seconds(7 * 86_400), then: .embedded)]
        #expect(throws: DeliveryError.self) { try phone.launch(maximumAges: ages).check("ca") }
    }

    @Test func corruptNewerMarketsDoNotReplaceStore() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        let server = try TestRepository(phone.folder.appending(path: "server-of-the-build"))
        for _ in 1...5 { try server.publish(Phone.ids.map { TestMarkets.file($0, "newer") }) }
        try server.embed(in: phone.folder.appending(path: "app2"))
        try damage("app2/targets.json", of: phone)
        func launch() throws -> DeliveredMarkets { try phone.launch(app: "26.0", embedded: "app2") }
        let markets = try launch()
        #expect(try markets.check("ca").market?.definition.name == "one")
        let problem = try #require(markets.deliveryStatus(of: "ca")?.problem)
        #expect(problem.contains("/app2 cannot be used:") && problem.contains(Self.unsigned), "\(problem)")
        markets.markHealthy()
        // Launches are still counted, and failing versions are still given up.
        try phone.publish("two")
        #expect(await phone.delivery(try launch()).refresh().failure == nil)
        var names: [String?] = []
        for _ in 1...4 { names.append(try launch().check("ca").market?.definition.name) }
        #expect(names == ["two", "two", "two", "one"])
    }

    /// The server rolls back to the embedded market, whose bytes the store does not contain.
    @Test func embeddedMarketFromServerNeedsNoEmbeddedMetadata() async throws {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        try phone.start(healthy: true)
        try phone.publish("embedded")
        try await phone.refresh()
        try damage("app/targets.json", of: phone)
        #expect(try phone.start(healthy: true) == "embedded")
        #expect(try phone.launch().deliveryStatus(of: "ca")?.active?.digest == phone.digest("ca", "embedded"))
    }

    /// Changes one digit of a file's signature.
    private func damage(_ file: String, of phone: Phone) throws {
        let url = phone.folder.appending(path: file)
        var text = try String(contentsOf: url, encoding: .utf8)
        let label = try #require(text.range(of: #""sig"\s*:\s*""#, options: .regularExpression))
        let digit = label.upperBound..<text.index(after: label.upperBound)
        text.replaceSubrange(digit, with: text[digit] == "0" ? "1" : "0")
        try Data(text.utf8).write(to: url)
    }
}
