import Foundation
import LuaBridge
import TestSupport
import Testing

/// Every attack ends as it must, in time and inside its memory. Time is processor time, so that a busy machine does not
/// fail the suite.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LuaAttackTests {
    /// Endings that differ from what a file asks for, each a policy with its reason.
    static let policies: [String: (endings: [String], reason: String)] = [
        "mem-print-flood.lua": (["output"], "too much output has an error case of its own"),
        "bug-name-chain-small.lua": (["source"], "a chain of more than 1,000 names is refused before it is compiled"),
        "dec-meta-index.lua": (["ok", "denied"], "tables are read raw: the metatable is not looked at, so {} is {}"),
        "stack-index-chain.lua": (
            ["ok", "denied"], "getmetatable answers the table that was given: changing it later changes nothing"
        ),
        "dec-numbers-ok.lua": (
            ["ok", "decode"], "as [String: Double], 2^63 - 1 is refused, because a float does not hold it"
        ),
    ]

    @Test func allFilesAreHere() {
        #expect(Attack.files.count == 2 * 79)
        #expect(Attack.files.allSatisfy { !$0.endings.isEmpty })
        #expect(HostileScripts.all.count >= 2 * 40)
    }

    /// Every program in both profiles, also under a sanitizer; in the newcomer's check in one of them, every other program
    /// in the other.
    static let attacks = (Attack.files + HostileScripts.all).enumerated().filter { index, _ in
        index % 2 == index / 2 % 2 || rounds(all: 2, few: 1, races: true) == 2
    }.map(\.element)

    @Test(arguments: attacks)
    func attacksEnd(_ attack: Attack) async throws {
        let result = try await onOwnThread { try attack.run() }
        var endings = Self.policies[attack.name]?.endings ?? attack.endings
        // A sanitizer's allocator is so slow that memory may last longer than time.
        if Sanitizer.name != nil && endings.contains("memory") {
            endings.append("timeout")
        }
        #expect(
            endings.contains(result.ending.rawValue),
            "ended with \(result.ending): \(String(describing: result.error)), instead of \(attack.endings)")
        #expect(result.usage.cpuTime <= .milliseconds(300))
        // What a dead run may take to unwind.
        #expect(result.usage.peakMemory <= Attack.limits.memory + 512 * 1024)
    }
}
