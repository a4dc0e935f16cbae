import Foundation
import GlassBase
import GlassDeepLinking
import GlassPlatform
import GlassSchema
import Testing

@testable import GlassMarkets
import MarketTesting

/// What the page `Stability` promises about files, checked with files that earlier versions wrote.
@Suite(.timeLimit(.minutes(5)))
struct StabilityTests {
    private static let upgrade = MarketFixture.repository.appending(path: "Tests/Upgrade")

    /// The names in a record that have gone since, by their position. A renamed key lists its former name.
    private static func gone(from old: StrictJSON, to new: StrictJSON?, at position: String = "") -> [String] {
        if let elements = old.arrayValue {
            let others = new?.arrayValue ?? []
            let names = others.compactMap(\.stringValue)
            return elements.enumerated().flatMap { index, element in
                let position = "\(position).\(element.stringValue ?? "\(index)")"
                if let name = element.stringValue { return names.contains(name) ? [] : [position] }
                return gone(from: element, to: index < others.count ? others[index] : nil, at: position)
            }
        }
        return (old.members ?? []).flatMap { member in
            // A key may become optional, or its range wider.
            guard member.value.members != nil || member.value.arrayValue != nil else { return [] as [String] }
            let position = "\(position).\(member.key)"
            let renamed = new?.members?.first { other in
                other.value["formerly"]?.arrayValue?.contains { $0.stringValue == member.key } == true
            }
            guard let found = new?[member.key] ?? renamed?.value else { return [position] }
            return gone(from: member.value, to: found, at: position)
        }
    }

    /// Also covers the choices of a key, and the names of routables, handlers, preconditions, and prefixes of secrets.
    @Test func recordedNamesStillHaveMeaning() throws {
        let file = Self.upgrade.appending(path: "releases/0.1.json")
        let record = try SchemaRecord(reading: Array(Data(contentsOf: file)), file: "0.1.json")
        #expect(record.version == "0.1" && record.format == 1)
        #expect(Self.gone(from: record.json, to: SchemaRecord(.platform, version: "0.2").json) == [])
    }

    private static func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: upgrade.appending(path: name)))
    }

    private static func market(_ bytes: [UInt8], _ id: String) throws -> Market {
        let check = try CompiledMarkets(.platformInMemory, secrets: { _ in "hunter2" }, reading: { _ in bytes }).check(
            id)
        #expect(check.findings.filter { $0.severity == .error }.map(\.description) == [])
        return try #require(check.market)
    }

    @Test func deliveredMarketsOfFormatFourLoad() throws {
        #expect(
            CompiledMarket.format == 4,
            """
            a new format gets a new number: move the files of the former one to Tests/Upgrade/former, make new ones, and \
            expect the former ones to be refused
            """)
        let objects = Self.upgrade.appending(path: "store/objects")
        let links = ["ca": "walmart.ca://cart", "mx": "walmart.mx://carrito", "us": "walmart://cart"]
        var outcomes: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: objects.path) {
            let bytes = try Self.bytes("store/objects/\(name)")
            let id = try CompiledMarket(reading: bytes, name: name).id
            let market = try Self.market(bytes, id)
            market.preconditions.satisfyAll()
            outcomes[id] = market.open(links[id] ?? "").outcome.name
        }
        #expect(outcomes == links.mapValues { _ in "routed" })
    }

    @Test func compiledConditionsOfFormatFourLoad() throws {
        let market = try Self.market(Self.bytes("compiled/4/ca.json"), "ca")
        func statuses(_ context: [String: ContextValue]) throws -> [Int] {
            try market.with(MarketContext(context)).config.networking.retry.statuses
        }
        #expect(try statuses(["build": .text("release")]).last == 520)
        #expect(try statuses(["build": .text("debug")]).last == 599)
        let friday = try #require(ContextDate("2026-11-28T00:00:00Z"))
        let routes = try market.with(MarketContext(["date": .date(friday)])).routes.map { "\($0.pattern)" }
        #expect(routes.contains("black-friday"))
    }

    @Test func compiledFlagsOfFormatFourLoad() throws {
        let flags = try Self.market(Self.bytes("compiled/4/us.json"), "us").flags
        func value(_ flag: String, _ context: [String: ContextValue]) -> ConfigurationValue? {
            flags.evaluate(flag, in: MarketContext(context))?.outcome.value
        }
        #expect(value("newCheckout", [:]) == .boolean(false))
        #expect(value("newCheckout", ["audience": .set(["associates"])]) == .boolean(true))
        // Their positions are for ever: u1 is outside of the slots, u2 has the other variant.
        #expect(value("searchRanker", ["installID": .text("u1")]) == .string("bm25"))
        #expect(value("searchRanker", ["installID": .text("u2")]) == .string("neural-2"))
    }

    @Test func formerFormatsAreRefusedByName() throws {
        let objects = try FileManager.default.contentsOfDirectory(
            atPath: Self.upgrade.appending(path: "former/store/objects").path)
        #expect(objects.count == 3)
        let files =
            objects.map { ("former/store/objects/\($0)", 1) } + [("former/2/ca.json", 2), ("former/3/us.json", 3)]
        for (name, format) in files {
            let bytes = try Self.bytes(name)
            #expect(throws: CompiledMarketError.formerFormat("ca.json", found: format, known: 4)) {
                try CompiledMarket(reading: bytes, name: "ca.json")
            }
        }
    }

    @Test func codesOfFindingsStay() {
        let codes = """
            syntax runtime limit denied tooLarge unreadable include noTable unrepresentable unknownKey renamedKey wrongType
            outOfRange invalidFormat notAChoice missingKey inconsistent duplicate secretMisplaced secretForeign secretUnset
            secretMalformed unusedGlobal idMismatch extendsCycle missingBase misplacedWord unknownRoutable
            unknownPrecondition unknownHandler invalidPattern routeConflict routeShadowed routeInBrowser routeMoved routeLost undecided
            sharedIdentity bundleDiffers missingService serviceCycle serviceLifetime notPortable notRemote policy
            policyFailed acceptExpired acceptUnused unknownAttribute unknownCondition conditionCycle invalidTest neverHolds
            unreachable overlap notExhaustive variesTooOften tooManySituations dateOver invalidPercent
            invalidWeights invalidUnit invalidFlag layerOverlap flagExpired flagUnowned rulesReplaced unitAtSignIn insecureURL countryMismatch literalCredential placeholderText similarHost
            sharedURL inheritedService similarName foreignName unlistedHost publicSuffix invalidAccept
            numbersDisagree unknownScreen unusedPrecondition expiredPath unreachablePath unreadParameter missingParameter declinedParameter debugProduction scriptMismatch more
            """
        let gone = codes.split(whereSeparator: \.isWhitespace).map(String.init).filter {
            FindingCode(rawValue: $0) == nil
        }
        #expect(Set(gone) == FindingCode.retired, "a removed rule is in the list of those that files may still name")
    }

    /// The page names the tests that hold each promise.
    @Test func testsThatPageNamesExist() throws {
        let page = try String(
            contentsOf: MarketFixture.repository.appending(
                path: "Sources/GlassMarketFiles/GlassMarketFiles.docc/Stability.md"), encoding: .utf8)
        let folder = MarketFixture.repository.appending(path: "Tests")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let names = Set(page.matches(of: /`(\w+Tests)`/).map { String($0.1) })
        #expect(names.count > 5)
        for name in names { #expect(files.contains { $0.hasSuffix("/\(name).swift") }, "\(name)") }
    }
}
