import GlassBase
import Testing

@testable import GlassSchema

struct BucketingTests {
    @Test func murmur3HasThePublishedValues() throws {
        for row in try ConditionVectors.rows(of: "murmur3.tsv") {
            var hash = Murmur3(seed: try #require(UInt32(row[1])))
            hash.add(row[2])
            #expect(hash.value == UInt32(row[3].dropFirst(2), radix: 16), "\(row)")
        }
    }

    /// Where texts are cut into parts decides nothing.
    @Test(arguments: 0...13) func murmur3TakesBytesInParts(cut: Int) {
        let text = Array("Québec-12345".utf8)
        var (whole, parts) = (Murmur3(seed: 7), Murmur3(seed: 7))
        whole.add(String(decoding: text, as: UTF8.self))
        for byte in text.prefix(cut) { parts.add(byte) }
        parts.add(String(decoding: text.dropFirst(cut), as: UTF8.self))
        // A cut inside of a letter would replace its bytes.
        if cut != 3 { #expect(parts.value == whole.value) }
    }

    @Test func unitsHaveTheirBuckets() throws {
        let rows = try ConditionVectors.rows(of: "buckets.tsv")
        #expect(rows.count == 60)
        for row in rows {
            let bucketing = Bucketing(salt: row[1], unit: "customerID")
            #expect(bucketing.position(of: row[2]) == Double(row[4]), "\(row)")
        }
    }

    @Test func vendorsPlaceUnitsAsTheyDo() throws {
        let rows = try ConditionVectors.rows(of: "vendors.tsv") + ConditionVectors.rows(of: "flagd.tsv")
        #expect(rows.count == 63)
        for row in rows {
            let (vendor, group, salt, unit, weights, expected) = (row[1], row[2], row[3], row[4], row[5], row[6])
            let percents = weights.split(separator: ",").compactMap { Double($0) }
            func position(_ vendor: Bucketing.Vendor, salt: String) -> Double {
                Bucketing(salt: salt, unit: "customerID", vendor: vendor).position(of: unit)
            }
            switch vendor {
            case "unleash":
                let bucketing = Bucketing(salt: group, unit: "customerID", vendor: .unleash)
                #expect((bucketing.position(of: unit) < bucketing.end(of: percents)) == (expected == "in"), "\(row)")
            case "unleash-variant":
                let total = UInt32(percents.reduce(0, +))
                var rest = Double(Bucketing.unleashVariant(of: unit, group: group, total: total))
                let index = percents.firstIndex { weight in
                    rest -= weight
                    return rest < 0
                }
                #expect(index == Int(expected), "\(row)")
            case "growthbook-1":
                #expect(position(.growthbookNamespace, salt: group) / 100_000 == Double(expected), "\(row)")
            case "growthbook-2":
                #expect(position(.growthbook, salt: group) / 100_000 == Double(expected), "\(row)")
            case "launchdarkly":
                let salt = group.isEmpty || salt.hasPrefix("seed=") ? String(salt.dropFirst(5)) : "\(group).\(salt)"
                let found = position(.launchDarkly, salt: salt) / 100_000
                #expect(abs(found - (try #require(Double(expected)))) < 1e-6, "\(row)")
            case "optimizely":
                #expect(position(.optimizely, salt: group) / 10 == Double(expected), "\(row)")
            case "flagd":
                let total = UInt64(percents.reduce(0, +))
                let found = position(.flagd, salt: group) / 100_000
                var sum = 0.0
                let index = percents.firstIndex { weight in
                    sum += weight
                    return found < sum / Double(total)
                }
                #expect(index == Int(expected), "\(row)")
            default:
                Issue.record("no vendor \(vendor)")
            }
        }
    }

    @Test func namespacesHoldTheirUnits() throws {
        for row in try ConditionVectors.rows(of: "namespaces.tsv") {
            let layer = Bucketing(salt: "__" + row[1], unit: "customerID", vendor: .growthbookNamespace)
            let position = layer.position(of: row[2])
            let (from, to) = (try #require(Double(row[3])) * 100_000, try #require(Double(row[4])) * 100_000)
            #expect((from <= position && position < to) == (row[5] == "true"), "\(row)")
        }
    }

    /// Digests of FIPS 180 and of lengths around the end of a block, which GNU coreutils computes too.
    @Test func sha1HasThePublishedValues() {
        let expected = [
            "": "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "abc": "a9993e364706816aba3e25717850c26c9cd0d89d",
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
            String(repeating: "a", count: 55): "c1c8bbdc22796e28c0e15163d20899b65621d65a",
            String(repeating: "a", count: 64): "0098ba824b5c16427bd7a1122a5a442a25ec644d",
        ]
        for (text, digest) in expected {
            let found = SHA1.hash(text).map { byte in
                let hex = String(byte, radix: 16)
                return hex.count < 2 ? "0" + hex : hex
            }
            #expect(found.joined() == digest)
        }
    }

    @Test func sharesMoveTheFewestUnits() throws {
        let rows = try ConditionVectors.rows(of: "shifts.tsv")
        #expect(rows.count == 30)
        for row in rows {
            func shares(_ text: String) -> [Int] { text.split(separator: ",").map { (Int($0) ?? 0) * 1000 } }
            let moves = ShareShift.moves(from: shares(row[1]), to: shares(row[2]))
            let found = moves.map {
                "\($0.before.map(String.init) ?? "-")>\($0.after.map(String.init) ?? "-"):\($0.thousandths / 1000)"
            }
            #expect(found.joined(separator: " ") == row[3], "\(row)")
        }
    }

    /// Whoever is within a percentage is also within a larger one.
    @Test(arguments: Bucketing.Vendor.flags) func unitsStayAsAPercentageGrows(vendor: Bucketing.Vendor) {
        let bucketing = Bucketing(salt: "newCheckout", unit: "installID", vendor: vendor)
        let positions = (0..<2000).map { bucketing.position(of: "unit-\($0)") }
        #expect(positions.allSatisfy { (0..<100_000).contains($0) })
        for percent in [1.0, 10, 25, 50, 99] {
            let within = positions.filter { $0 < bucketing.end(of: [percent]) }.count
            #expect(abs(Double(within) / 20 - percent) < 4, "\(vendor) at \(percent) %")
        }
        #expect(positions.allSatisfy { $0 < bucketing.end(of: [100]) })
    }
}
