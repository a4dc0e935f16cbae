import Foundation
import LuaBridge
import TestSupport
import Testing

/// Every attack ends as expected, within its time and memory. Time is CPU time, so that a busy machine does not fail
/// the suite.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LuaAttackTests {
    /// Outcomes that differ from the expectation in the file: deliberate policies, each with its reason.
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

    @Test func attackFilesAreComplete() {
        #expect(Attack.files.count == 2 * 79)
        #expect(Attack.files.allSatisfy { !$0.endings.isEmpty })
        #expect(HostileScripts.all.count >= 2 * 40)
    }

    private static let all = Attack.files + HostileScripts.all

    /// Every program in both profiles; in the short run, some of those with the same profile and endings, and of the files
    /// also with the same class, which their names begin with. Under a sanitizer, which sees more of each, every one.
    static let attacks =
        Sanitizer.name != nil
        ? all
        : someRows(of: all) { attack in
            "\(attack.profile) \(attack.endings) \(attack.name.hasSuffix(".lua") ? attack.name.prefix { $0 != "-" } : "")"
        }

    @Test(arguments: attacks)
    func attacksEnd(_ attack: Attack) async throws {
        let result = try await onOwnThread { try attack.run() }
        var endings = Self.policies[attack.name]?.endings ?? attack.endings
        // A sanitizer's allocator is so slow that time can run out before memory does.
        if Sanitizer.name != nil && endings.contains("memory") {
            endings.append("timeout")
        }
        #expect(
            endings.contains(result.ending.rawValue),
            "ended with \(result.ending): \(String(describing: result.error)), instead of \(attack.endings)")
        #expect(result.usage.cpuTime <= .milliseconds(300))
        // Allowance for unwinding a terminated run.
        #expect(result.usage.peakMemory <= Attack.limits.memory + 512 * 1024)
    }
}
