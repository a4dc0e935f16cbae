import Foundation
import GlassContainer
import GlassMarkets
import GlassPlatformMocks
import GlassSchema
import Testing

@testable import GlassPlatform

extension FlagKey where Value == Bool {
    fileprivate static let unknown = FlagKey("unknownFlag", default: true)
}

/// Requirements for flags, live and mock alike, and the parts that need no market.
@Suite(.timeLimit(.minutes(1)))
struct FlagContractTests {
    @Test(arguments: ServiceKind.allCases) func unknownFlagHasItsDefaultInCode(kind: ServiceKind) {
        let flags: any FeatureFlags = kind.container().get()
        #expect(flags[.unknown] && flags.details(.unknown).value && flags.peek(.unknown).provider == "code")
        #expect(flags.details(.unknown).reason == .error && flags.details(.unknown).error != nil)
        #expect(flags.names.isEmpty && flags.forced.isEmpty)
    }

    @Test(arguments: ServiceKind.allCases) func forcedValuesAreListed(kind: ServiceKind) throws {
        let flags: any FeatureFlags = kind.container().get()
        try flags.force(false, for: .unknown)
        #expect(flags.forced == ["unknownFlag": .boolean(false)])
        flags.unforce(.unknown)
        #expect(flags.forced.isEmpty && flags[.unknown])
    }

    @Test func mockHasValuesAndRecordsReadings() async throws {
        let mock = FeatureFlagsMock(["limit": .integer(3)])
        let (flag, limit) = (FlagKey("flag", default: false), FlagKey("limit", default: 0))
        var changes = mock.changes().makeAsyncIterator()
        #expect(mock[limit] == 3 && !mock[flag] && mock.peek(limit).value == 3)
        mock.set(true, for: flag)
        let context = MarketContext(["signedIn": .boolean(true)])
        #expect(mock.details(flag, in: context).value && mock.names == ["flag", "limit"])
        #expect(mock.reads == ["limit", "flag", "flag"] && mock.contexts == [nil, nil, context])
        #expect(await changes.next() == FlagChange(["flag"], cause: .market))
        #expect(throws: FlagError.self) { try mock.force("x", for: FlagKey("limit", default: "")) }
        try mock.force(4, for: limit)
        #expect(mock[limit] == 4 && mock.details(limit).provider == "forced")
        #expect(mock.details(FlagKey("limit", default: "x")).error?.code == .typeMismatch)
    }

    @Test func installIDLastsUntilReset() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "install-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up what stays
        let first = try InstallID(in: StoragePlatformAPI(folder: folder)).value()
        #expect(UUID(uuidString: first) != nil && first == first.lowercased())
        let storage = StoragePlatformAPI(folder: folder)
        let installID = InstallID(in: storage)
        #expect(try installID.value() == first)
        let second = try installID.reset()
        #expect(try second != first && installID.value() == second)
        try installID.delete()
        #expect(try storage.keys(in: "flags").isEmpty)
        let third = try installID.value()
        #expect(try third != second && installID.value() == third)
    }

    @Test func namesAreEqualByText() {
        #expect(FlagName("a") == FlagName(unnumbered: "a") && FlagName("a") != FlagName("b"))
        let unnumbered = FlagName(unnumbered: "never given a number \(UUID())")
        #expect(unnumbered.index == -1)
    }
}
