@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting

/// What the proof says about rules, against trying every situation that matters.
@Suite(.timeLimit(.minutes(2)))
struct FlagProofTests {
    private static let builds = ["debug", "beta", "release"]
    private static let devices = ["phone", "tablet", "tv"]
    /// Enough installations that some are in each tenth.
    private static let units = (0..<150).map { "unit\($0)" }

    private struct Rule {
        let builds: [String]
        let devices: [String]
        let percent: Int?

        static func random(_ random: inout some RandomNumberGenerator) -> Rule {
            func some(_ names: [String], _ random: inout some RandomNumberGenerator) -> [String] {
                names.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
            }
            return Rule(
                builds: some(FlagProofTests.builds, &random), devices: some(FlagProofTests.devices, &random),
                percent: Bool.random(using: &random) ? 10 * Int.random(in: 1...9, using: &random) : nil)
        }

        func text(_ number: Int) -> String {
            func list(_ names: [String]) -> String { "{ \(names.map { "\"\($0)\"" }.joined(separator: ", ")) }" }
            let share = percent.map { "rollout = { percent = \($0), by = \"installID\" }, " } ?? ""
            return
                "{ name = \"r\(number)\", when = { build = \(list(builds)), deviceClass = \(list(devices)) }, \(share)"
                + "value = \(number) },"
        }

        func holds(_ build: String, _ device: String, _ bucket: Int) -> Bool {
            builds.contains(build) && devices.contains(device) && percent.map { bucket < $0 * 1000 } ?? true
        }
    }

    @Test func rulesThatNeverWinAreReported() throws {
        var random = SystemRandomNumberGenerator()
        let flags = (0..<60).map { _ in (0..<Int.random(in: 1...6, using: &random)).map { _ in Rule.random(&random) } }
        let text = flags.enumerated().map { number, rules in
            "f\(number) = { kind = \"operations\", owner = \"o\", default = -1, rules = {\n"
                + rules.enumerated().map { $1.text($0) }.joined(separator: "\n") + "\n} },"
        }.joined(separator: "\n")
        let fixture = try MarketFixture(
            flags: false,
            [
                "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\", flags = {\n\(text)\n} }"
            ])
        let check = try fixture.loader(limits: MarketFixture.patientLimits).check("xx")
        let reported = Set(
            check.findings.filter { $0.code == .unreachable || $0.code == .neverHolds }.map { "\($0.path)" })
        var expected: Set<String> = []
        for (number, rules) in flags.enumerated() {
            var winners: Set<Int> = []
            for build in Self.builds {
                for device in Self.devices {
                    for unit in Self.units {
                        let bucket = Bucketing.bucket(salt: "f\(number)", unit: unit)
                        if let winner = rules.firstIndex(where: { $0.holds(build, device, bucket) }) {
                            winners.insert(winner)
                        }
                    }
                }
            }
            // Other kinds of devices exist, but no rule names them.
            for index in rules.indices where !winners.contains(index) {
                expected.insert("flags.f\(number).rules[\(index + 1)]")
            }
        }
        #expect(reported == expected, "\(text)")
        #expect(expected.count > 10)
    }
}
