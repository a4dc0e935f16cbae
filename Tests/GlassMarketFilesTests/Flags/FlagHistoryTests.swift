import GlassBase
import GlassContainer
import GlassMarkets
import GlassPlatform
import GlassSchema
import TestSupport
import MarketTesting
import Testing

@testable import GlassMarketFiles
import GlassAuthoring

/// A flag that is read while the situation, the market and forced values change.
@Suite(.timeLimit(.minutes(5)))
struct FlagHistoryTests {
    private enum Operation: Sendable {
        case read(Int)
        case peek(Int)
        case signIn(Bool)
        case force(Int?)
        case reload(version: Int)
    }

    /// What decides about the value.
    private struct State: Hashable {
        var version = 0
        var isSignedIn = false
        var forced: Int?

        var value: Int { forced ?? version * 10 + (isSignedIn ? 1 : 0) }
    }

    /// A market whose flag is ten times its version, and one more for those who are signed in.
    private static func text(version: Int, isReplaced: Bool) -> String {
        FlagsFixture.text(
            """
            limit = { kind = "operations", owner = "a", default = \(version * 10), rules = {
              { name = "in", when = { signedIn = true }, value = \(version * 10 + 1) },
            } },
            """,
            more: isReplaced
                ? """
                overlays = { { name = "in", when = { signedIn = true },
                  platform = { networking = { retry = { maxRetries = 1 } } } } },
                """ : "")
    }

    /// Every reading gives a value that the flag had between its start and its end, so none is torn, and none is older
    /// than a change that has returned.
    @Test(arguments: [false, true]) func eachReadingIsOneOfAConsistentState(isReplaced: Bool) throws {
        for seed in 1...UInt64(rounds(all: 10, few: 1, races: true)) {
            let fixture = try FlagsFixture(
                Self.text(version: 0, isReplaced: isReplaced), context: ["build": .text("debug")])
            let (flags, store, files) = (fixture.flags, fixture.store, fixture.files)
            let key = FlagKey<Int>.limit
            let history = recordHistory(operations: isReplaced ? 2_000 : 8_000, seed: seed) { thread, random in
                let choice = random.next() % 100
                switch choice {
                case 0..<6:
                    let isSignedIn = choice < 3
                    _ = try? store.update(
                        context: MarketContext(["build": .text("debug"), "signedIn": .boolean(isSignedIn)]))
                    return Operation.signIn(isSignedIn)
                case 6..<10:
                    let value = Int(random.next() % 3) + 1000
                    // The type is that of the flag.
                    try? flags.force(value, for: key)
                    return .force(value)
                case 10..<14:
                    flags.unforce(key)
                    return .force(nil)
                // One thread, so that the files are those of its last version.
                case 14..<18 where thread == 0:
                    let version = Int(random.next() % 5)
                    try? files.write(Self.text(version: version, isReplaced: isReplaced), to: "t.lua")
                    store.reload("t")
                    return .reload(version: version)
                case 18..<28: return .peek(flags.peek(key).value)
                default: return .read(flags[key])
                }
            }
            let wrong = firstInexplicable(in: history, from: State()) { state, recorded in
                var next = state
                switch recorded.operation {
                case .read(let value), .peek(let value): return value == state.value ? state : nil
                case .signIn(let isSignedIn): next.isSignedIn = isSignedIn
                case .force(let value): next.forced = value
                case .reload(let version): next.version = version
                }
                return next
            }
            #expect(wrong == nil, "seed \(seed): \(wrong.map { "\($0)" } ?? "")")
            // The service of the market in use has the same value.
            let current: any FeatureFlags = try #require(store.market("t")).container.get()
            #expect(current[key] == flags[key])
        }
    }
}
