import Foundation
import GlassBase
@testable import GlassDelivery
import Testing

@Suite struct TargetChoiceTests {
    private struct BucketVector: Decodable {
        let salt: String
        let install: String
        let bucket: Int
    }

    private func json(_ text: String) throws -> StrictJSON { try StrictJSON(reading: Array(text.utf8), limit: 10_000) }

    private func target(_ path: String, _ custom: String? = nil) throws -> ListedTarget {
        ListedTarget(
            path: path, length: path.utf8.count, digest: DeliveredVersion(path).digest, custom: try custom.map(json))
    }

    @Test func bucketsMatchOtherImplementations() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/rollout.json")
        let vectors = try JSONDecoder().decode([BucketVector].self, from: Data(contentsOf: file))
        #expect(vectors.count == 12)
        for vector in vectors {
            #expect(Rollout.bucket(of: vector.install, salt: vector.salt) == vector.bucket, "\(vector)")
        }
    }

    @Test func higherPercentageOnlyAddsInstallations() {
        let installs = (0..<2_000).map { "install-\($0)" }
        var before: Set<String> = []
        for share in stride(from: 0, through: 10_000, by: 500) {
            let now = Set(installs.filter { Rollout(salt: "a", share: share).includes($0) })
            #expect(before.isSubset(of: now))
            #expect(abs(now.count - share / 5) < 120, "approximately the percentage")
            before = now
        }
        #expect(before.count == installs.count)
    }

    @Test(
        arguments: [
            ("24.2", "24.2", nil, true), ("24.2.0", "24.2", nil, true), ("24.1.9", "24.2", nil, false),
            ("24.10", "24.2", nil, true), ("25", nil, "25", true), ("25.3.1", nil, "25", true),
            ("26", nil, "25", false),
            ("25.4", nil, "25.3", false), ("25.3.9", nil, "25.3", true), ("24.9", "24.2", "25", true),
        ] as [(String, String?, String?, Bool)])
    func rangeContainsAppVersion(app: String, minimum: String?, maximum: String?, isIn: Bool) throws {
        var terms = TargetCustomMetadata()
        terms.minimumApp = minimum.flatMap { AppVersion($0) }
        terms.maximumApp = maximum.flatMap { AppVersion($0) }
        #expect((terms.incompatibility(app: try #require(AppVersion(app))) == nil) == isIn)
    }

    @Test(arguments: ["", "a", "1.", ".1", "1..2", "-1", "1.2.3.4.5", "1 ", "٣"])
    func invalidVersionIsNil(text: String) {
        #expect(AppVersion(text) == nil)
    }

    @Test(arguments: [
        "1", "{\"app\":1}", "{\"app\":{\"min\":24}}", "{\"app\":{\"max\":\"x\"}}", "{\"schema\":\"1\"}",
        "{\"market\":1}", "{\"rollout\":{}}", "{\"rollout\":{\"salt\":\"a\",\"share\":10001}}",
        "{\"rollout\":{\"salt\":\"a\",\"share\":-1}}", "{\"serial\":\"1\"}",
    ])
    func unreadableTermsAreNotMet(custom: String) throws {
        let choice = TargetChoice(app: try #require(AppVersion("25")), install: "a")
        let result = choice.version(of: "ca", in: [try target("4/ca.json", custom)], revoked: [])
        guard case .incompatible(let reason) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason.contains("is invalid"))
    }

    @Test func unknownMembersAreIgnored() throws {
        let custom = "{\"market\":\"ca\",\"app\":{\"min\":\"1\",\"beta\":true},\"new\":[1]}"
        let choice = TargetChoice(app: try #require(AppVersion("25")), install: nil)
        let target = try target("4/ca.json", custom)
        #expect(
            choice.version(of: "ca", in: [target], revoked: [])
                == .version(DeliveredVersion(digest: target.digest ?? "", path: "4/ca.json", length: target.length)))
    }

    /// The listed targets, and the path of the file for an installation in bucket 2170 of the salt.
    @Test(
        arguments: [
            ([("4/ca.json", nil)], "4/ca.json"),
            ([("4/us.json", nil)], nil),
            (
                [
                    ("4/ca.map.json", nil), ("ca.json", nil), ("x/ca.json", nil), ("4/a/ca.json", nil),
                    ("0/ca.json", nil),
                ], nil
            ),
            ([("3/ca.json", nil), ("4/ca.json", nil), ("5/ca.json", nil)], "4/ca.json"),
            ([("3/ca.json", nil)], "incompatible"),
            ([("5/ca.json", nil), ("5/ca.next.json", nil)], "incompatible"),
            ([("4/ca.json", "{\"schema\":5}")], "incompatible"),
            ([("4/ca.json", "{\"schema\":3}")], "incompatible"),
            ([("4/ca.json", "{\"app\":{\"min\":\"26\"}}")], "incompatible"),
            ([("4/ca.json", "{\"market\":\"us\"}")], "incompatible"),
            (
                [("4/ca.json", nil), ("4/ca.next.json", "{\"rollout\":{\"salt\":\"ca-2026-06\",\"share\":2171}}")],
                "4/ca.next.json"
            ),
            (
                [("4/ca.json", nil), ("4/ca.next.json", "{\"rollout\":{\"salt\":\"ca-2026-06\",\"share\":2170}}")],
                "4/ca.json"
            ),
            (
                [("4/ca.json", nil), ("4/ca.next.json", "{\"rollout\":{\"salt\":\"ca-2026-06\",\"share\":0}}")],
                "4/ca.json"
            ),
            ([("4/ca.json", nil), ("4/ca.next.json", nil)], "4/ca.json"),
            (
                [
                    ("4/ca.json", nil), ("4/ca.next.json", "{\"rollout\":{\"salt\":\"ca-2026-06\",\"share\":10000}}"),
                    ("5/ca.json", nil), ("5/ca.next.json", "{\"rollout\":{\"salt\":\"ca-2026-06\",\"share\":10000}}"),
                ], "4/ca.next.json"
            ),
        ] as [([(String, String?)], String?)])
    func fileForMarketIsChosen(listed: [(String, String?)], path: String?) throws {
        let choice = TargetChoice(
            app: try #require(AppVersion("25.1")), install: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6")
        let targets = try listed.map { try target($0.0, $0.1) }
        switch choice.version(of: "ca", in: targets, revoked: []) {
        case .version(let version): #expect(version.path == path)
        case .incompatible: #expect(path == "incompatible")
        case .unlisted: #expect(path == nil)
        }
    }

    @Test func revokedDigestIsNotChosen() throws {
        let choice = TargetChoice(app: try #require(AppVersion("25")), install: nil)
        let target = try target("4/ca.json")
        #expect(
            choice.version(of: "ca", in: [target], revoked: [target.digest ?? ""]) == .incompatible("it is revoked"))
    }

    @Test func noPercentageIsMetWithoutStore() throws {
        let choice = TargetChoice(app: try #require(AppVersion("25")), install: nil)
        let next = try target("4/ca.next.json", "{\"rollout\":{\"salt\":\"a\",\"share\":10000}}")
        #expect(choice.version(of: "ca", in: [next], revoked: []) == .unlisted)
    }

    @Test(arguments: [
        ("1/ca.json", "it has the format 1, and this app reads 4"),
        ("5/ca.json", "it has the format 5, and this app reads 4"),
    ])
    func otherFormatIsNamed(path: String, reason: String) throws {
        let choice = TargetChoice(app: try #require(AppVersion("25")), install: nil)
        #expect(choice.version(of: "ca", in: [try target(path)], revoked: []) == .incompatible(reason))
    }

    @Test func marketsOfAllFormatsAreListed() throws {
        let choice = TargetChoice(app: try #require(AppVersion("25")), install: nil)
        let targets = try ["4/us.json", "4/ca.json", "4/ca.next.json", "4/ca.map.json", "5/mx.json", "4/x/br.json"].map
        {
            try target($0)
        }
        #expect(choice.markets(in: targets) == ["ca", "mx", "us"])
    }
}
