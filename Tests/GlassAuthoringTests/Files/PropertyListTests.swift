import Foundation
@testable import GlassAuthoring
import TestSupport
import Testing

/// Property lists from other programs: all values are read, and their expanded size is limited.
@Suite(.timeLimit(.minutes(1)))
struct PropertyListTests {
    private func failure(_ bytes: [UInt8]) -> PropertyList.Failure? {
        do throws(PropertyList.Failure) {
            _ = try PropertyList.values(of: bytes)
            return nil
        } catch { return error }
    }

    // MARK: Valid lists

    /// A value of every kind that occurs in an app's property list, of random size.
    private func value(_ random: inout SplitMix64, depth: Int) -> Any {
        switch Int.random(in: 0..<(depth < 4 ? 9 : 7), using: &random) {
        case 0: return Bool.random(using: &random)
        case 1: return Int(truncatingIfNeeded: random.next()) >> Int.random(in: 0..<64, using: &random)
        case 2: return Double.random(in: -1e9...1e9, using: &random)
        case 3:
            let seconds = Int.random(in: -1_000_000...1_000_000, using: &random)
            return Date(timeIntervalSinceReferenceDate: Double(seconds))
        case 4: return Data((0..<Int.random(in: 0..<40, using: &random)).map { UInt8($0) })
        case 5: return String(repeating: "a", count: Int.random(in: 0..<300, using: &random))
        case 6: return String(repeating: "ü漢😀", count: Int.random(in: 1..<20, using: &random))
        case 7: return (0..<Int.random(in: 0..<20, using: &random)).map { _ in value(&random, depth: depth + 1) }
        default: return values(&random, depth: depth + 1)
        }
    }

    private func values(_ random: inout SplitMix64, depth: Int = 0) -> [String: Any] {
        var values: [String: Any] = [:]
        for index in 0..<Int.random(in: 0..<8, using: &random) { values["k\(index)"] = value(&random, depth: depth) }
        return values
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func valuesMatchFoundation(format: PropertyListSerialization.PropertyListFormat) throws {
        var random = SplitMix64(state: 35)
        for round in 0..<200 {
            let values = values(&random)
            let data = try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
            let read = try PropertyList.values(of: Array(data))
            let theirs = try PropertyListSerialization.propertyList(from: data, format: nil)
            #expect(NSDictionary(dictionary: read).isEqual(theirs), "seed 35, round \(round): \(values)")
        }
    }

    @Test func openStepFormatIsRead() throws {
        let text = "{ CFBundleIdentifier = \"com.example.shop\"; LSApplicationQueriesSchemes = (tel, sms); }"
        let values = try PropertyList.values(of: Array(text.utf8))
        #expect(values["CFBundleIdentifier"] as? String == "com.example.shop")
        #expect(values["LSApplicationQueriesSchemes"] as? [String] == ["tel", "sms"])
    }

    // MARK: Rejected lists

    /// A binary property list: objects refer to each other with two-byte numbers. The first one is the top object.
    private static func binary(_ objects: [[UInt8]]) -> [UInt8] {
        var (bytes, table) = (Array("bplist00".utf8), [UInt8]())
        for object in objects {
            table += Self.big(bytes.count, 4)
            bytes += object
        }
        let start = bytes.count
        return bytes + table + [0, 0, 0, 0, 0, 0, 4, 2] + big(objects.count, 8) + big(0, 8) + big(start, 8)
    }

    private static func big(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
    }

    /// A dictionary whose only value is the object two places after it.
    private static let top: [[UInt8]] = [[0xD1, 0, 1, 0, 2], [0x51, 0x61]]

    /// Lists of references to the next list.
    private static func nested(_ levels: Int, _ width: Int) -> [UInt8] {
        var objects = top
        for _ in 0..<levels {
            let next = big(objects.count + 1, 2)
            objects.append([0xA0 | UInt8(width)] + (0..<width).flatMap { _ in next })
        }
        return binary(objects + [[0x51, 0x78]])
    }

    private static let bombs: [(String, [UInt8], String)] = [
        ("lists that share lists", nested(22, 2), "expands to more than 10,000 values"),
        ("lists that stand for 10^30 values", nested(30, 10), "expands to more than 10,000 values"),
        ("a list of itself", binary(top + [[0xA1, 0, 2]]), "is nested deeper than 64 levels"),
        ("a dictionary of itself", binary([[0xD1, 0, 1, 0, 0], [0x51, 0x61]]), "is nested deeper than 64 levels"),
        ("many levels", nested(65, 1), "is nested deeper than 64 levels"),
        (
            "one long text, often",
            binary(
                top + [[0xAF, 0x11] + big(1000, 2) + (0..<1000).flatMap { _ in big(3, 2) }]
                    + [[0x5F, 0x12] + big(100_000, 4) + [UInt8](repeating: 0x61, count: 100_000)]),
            "expands to more than 4 MB"
        ),
        (
            "many references", binary(top + [[0xAF, 0x12] + big(20_001, 4) + [UInt8](repeating: 0, count: 40_002)]),
            "expands to more than 10,000 values"
        ),
        (
            "a length of 2^63", binary(top + [[0x5F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)]),
            "is not a property list"
        ),
        (
            "a list of 2^62 references", binary(top + [[0xAF, 0x13, 0x40] + [UInt8](repeating: 0, count: 7)]),
            "is not a property list"
        ),
        ("a reference to nothing", binary(top + [[0xA1, 0x7F, 0xFF]]), "is not a property list"),
        ("a key that is a number", binary([[0xD1, 0, 1, 0, 1], [0x10, 1]]), "is not a property list"),
        ("a value of an archive", binary(top + [[0x80, 1]]), "contains values that occur only in object archives"),
        ("a set", binary(top + [[0xC1, 0, 1]]), "contains values that occur only in object archives"),
        ("another version", Array("bplist15".utf8) + [UInt8](repeating: 0, count: 64), "of a version other than 00"),
        ("too many bytes", [UInt8](repeating: 0x20, count: (4 << 20) + 1), "has more than 4 MB"),
        (
            "an entity",
            Array("<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"aa\">]><plist><dict/></plist>".utf8),
            "declares entities, which is not supported: convert it with plutil"
        ),
        ("deep XML", Array(String(repeating: "<array>", count: 100_000).utf8), "has more than 2,000 lists"),
        ("deep lists of the top", Array(String(repeating: "<plist>", count: 100_000).utf8), "more than 2,000 lists"),
        ("deep braces", Array(String(repeating: "{a=", count: 100_000).utf8), "has more than 2,000 lists"),
        ("deep parentheses", Array(String(repeating: "(", count: 100_000).utf8), "has more than 2,000 lists"),
        (
            "braces behind quotation marks",
            Array("{a=\"".utf8) + Array(String(repeating: ")", count: 5_000).utf8)
                + Array("\";b=".utf8) + Array(String(repeating: "(", count: 5_000).utf8), "has more than 2,000 lists"
        ),
        (
            "many elements", Array("<plist><dict>".utf8) + Array(String(repeating: "<true/>", count: 20_001).utf8),
            "has more than 10,000 values"
        ),
        ("UTF-16", [0xFF, 0xFE] + "<plist>".utf16.flatMap { [UInt8($0), 0] }, "is not in UTF-8: convert it"),
        ("UTF-7", Array("<?xml version=\"1.0\" encoding='UTF-7'?>+ADw-plist+AD4-".utf8), "is not in UTF-8: convert"),
    ]

    /// Identified by name: failures print their arguments, which are megabytes long.
    @Test(arguments: bombs.map(\.0))
    func expandingListIsRejected(name: String) throws {
        let (_, bytes, text) = try #require(Self.bombs.first { $0.0 == name })
        let start = ContinuousClock.now
        let said = failure(bytes)?.description ?? "nothing"
        #expect(said.contains(text), "\(name): \(said)")
        #expect(ContinuousClock.now - start < .seconds(10), "\(name)")
    }

    /// Foundation recurses for each list: the permitted depth must not exhaust the stack.
    @Test(arguments: [("<array>", "</array>", "<plist><dict><key>a</key>", "</dict></plist>"), ("(", ")", "{a=", ";}")])
    func permittedNestingDoesNotExhaustStack(open: String, close: String, before: String, after: String) throws {
        func text(_ count: Int) -> [UInt8] {
            let (opened, closed) = (String(repeating: open, count: count), String(repeating: close, count: count))
            return Array("\(before)\(opened)\(closed)\(after)".utf8)
        }
        #expect(try PropertyList.values(of: text(100))["a"] is [Any])
        // Foundation may have its own limit.
        let failure = failure(text(1_990))
        #expect(failure == nil || failure == .malformed)
    }

    /// The inputs that `scripts/fuzz plist` starts with, and each truncation and changed byte of the binary ones.
    @Test func corpusFileIsReadOrRejectedEvenIfDamaged() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fuzz/corpus/plist").standardizedFileURL
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        #expect(names.count >= 7)
        for name in names {
            let input = Array(try Data(contentsOf: folder.appending(path: name)))
            FuzzedPropertyList.check(input)
            for index in input.indices {
                FuzzedPropertyList.check(Array(input[..<index]))
                for mask: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
                    var changed = input
                    changed[index] ^= mask
                    FuzzedPropertyList.check(changed)
                }
            }
        }
    }
}
