import Foundation
import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// Requirements for preferences, live and mock alike, and the handling of types that a market changes.
struct PreferencesTests {
    private func preferences(_ kind: ServiceKind) -> any PreferencesStorage { kind.storageContainer().get() }

    @Test(arguments: ServiceKind.allCases)
    func defaultOfMarketAppliesUntilValueIsSet(kind: ServiceKind) throws {
        let preferences = preferences(kind)
        #expect(preferences.suite == "group.com.example")
        #expect(try preferences.value(for: "storeID") == .integer(100))
        #expect(try preferences.value(for: "textScale") == .number(1))
        #expect(try preferences.value(for: "lastSearch") == nil)
        #expect(try preferences.isSet("storeID") == false)
        try preferences.set(1003, for: "storeID")
        try preferences.set("", for: "lastSearch")
        #expect(try preferences.value(for: "storeID") == .integer(1003))
        #expect(try preferences.value(Int.self, for: "storeID") == 1003)
        #expect(try preferences.value(String.self, for: "lastSearch") == "")
        #expect(try preferences.isSet("storeID"))
        try preferences.set(nil, for: "storeID")
        #expect(try preferences.value(for: "storeID") == .integer(100))
        #expect(try preferences.isSet("storeID") == false)
    }

    @Test(arguments: ServiceKind.allCases)
    func undeclaredKeyIsRejectedWithSuggestion(kind: ServiceKind) throws {
        let preferences = preferences(kind)
        for call in [
            { try preferences.set(1, for: "storeId") }, { _ = try preferences.value(for: "storeId") },
            { _ = try preferences.isSet("storeId") },
        ] {
            let error = #expect(throws: PreferencesError.self) { try call() }
            #expect(
                error?.description == "preferences: the market does not declare \"storeId\"; did you mean \"storeID\"?")
        }
        let error = #expect(throws: PreferencesError.self) { try preferences.value(for: "color") }
        #expect(
            error?.description
                == "preferences: the market does not declare \"color\"; add it to platform.preferences.keys")
    }

    @Test(
        arguments: [
            ("storeID", .string("7"), "an integer for storeID, got \"7\""),
            ("storeID", .number(7.5), "an integer for storeID, got 7.5"),
            ("prefersPickup", .integer(1), "true or false for prefersPickup, got 1"),
            ("language", .boolean(true), "a string for language, got true"),
            ("textScale", .string("1"), "a number for textScale, got \"1\""),
            ("textScale", .number(.nan), "a finite number for textScale, got nan"),
        ] as [(String, ConfigurationScalar, String)])
    func valueOfOtherTypeIsRejected(key: String, value: ConfigurationScalar, text: String) throws {
        for kind in ServiceKind.allCases {
            let preferences = preferences(kind)
            let before = try preferences.value(for: key)
            let error = #expect(throws: PreferencesError.self) { try preferences.set(value, for: key) }
            #expect(error?.description == "preferences: expected \(text)")
            #expect(try preferences.value(for: key) == before && preferences.isSet(key) == false)
        }
    }

    @Test(arguments: ServiceKind.allCases)
    func readingAsOtherSwiftTypeIsAnError(kind: ServiceKind) throws {
        let preferences = preferences(kind)
        let error = #expect(throws: PreferencesError.self) { try preferences.value(Int.self, for: "language") }
        #expect(error?.description == "preferences: expected a string for language, got Int")
        #expect(try preferences.value(Double.self, for: "textScale") == 1)
        #expect(try preferences.value(Bool.self, for: "prefersPickup") == false)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ServiceKind.allCases)
    func valuesFollowEachChange(kind: ServiceKind) async throws {
        let preferences = preferences(kind)
        let changes = preferences.changes().makeAsyncIterator()
        var values = preferences.values(for: "storeID").makeAsyncIterator()
        #expect(try await values.next() == .integer(100))
        try preferences.set("fr", for: "language")
        try preferences.set(7, for: "storeID")
        #expect(try await values.next() == .integer(7))
        try preferences.set(nil, for: "storeID")
        #expect(try await values.next() == .integer(100))
        #expect(await changes.next()?.name == "language")
        #expect(await changes.next().map { "\($0.name) \($0.isRemoval)" } == "storeID true")
    }

    @Test(arguments: ServiceKind.allCases)
    func scriptReadsAndSetsPreferences(kind: ServiceKind) async throws {
        let preferences = preferences(kind)
        func call(_ name: String, _ arguments: ScriptValue...) async throws -> ScriptValue {
            let method = try #require(preferences.scriptMethods.first { $0.name == name })
            return try await method(arguments)
        }
        #expect(try await call("get", "storeID") == 100)
        #expect(try await call("set", "storeID", 1003.0) == nil)
        #expect(try await call("get", "storeID") == 1003)
        #expect(try await call("isSet", "storeID") == true)
        #expect(try await call("set", "storeID", nil) == nil)
        #expect(try await call("isSet", "storeID") == false)
        #expect(try await call("set", "textScale", 2) == nil)
        #expect(try await call("get", "textScale") == 2.0)
        #expect(try await call("keys") == ["language", "lastSearch", "prefersPickup", "storeID", "textScale"])
        #expect(try await call("type", "language") == "string")
        #expect(try await call("type", "?") == nil)
        #expect(try await call("suite") == "group.com.example")
        await #expect(throws: PreferencesError.self) { try await call("set", "language", ["a"]) }
        await #expect(throws: PreferencesError.self) { try await call("get", "langage") }
    }

    @Test func valuesSurviveContainerAndSuitesAreSeparate() throws {
        let folder = try StateFolder()
        try ServiceKind.live.storageContainer(stateFolder: folder.url).get((any PreferencesStorage).self)
            .set(7, for: "storeID")
        let again = ServiceKind.live.storageContainer(stateFolder: folder.url)
        #expect(try again.get((any PreferencesStorage).self).value(for: "storeID") == .integer(7))
        var other = PreferencesConfiguration.sample
        other.suite = "group.com.example.ca"
        again.setupPreferencesStorage(configuration: other)
        #expect(try again.get((any PreferencesStorage).self).value(for: "storeID") == .integer(100))
    }

    @Test func preferencesOnlyNeedStorage() throws {
        let container = Container()
        container.register((any StorageAPI).self, requires: []) { _ in StorageAPIMock() }
        container.setupPreferencesStorage(configuration: .sample)
        #expect(container.validate(requiring: [(any PreferencesStorage).self]).isValid)
        #expect(try container.get((any PreferencesStorage).self).value(for: "language") == .string("en"))
        #expect(
            try Preferences(configuration: .sample, storage: StoragePlatformAPI(folder: nil)).value(for: "language")
                == .string("en"))
    }

    @Test(
        arguments: [
            (.integer, .integer(3), .number, .number(3)),
            (.number, .number(3), .integer, .integer(3)),
            (.number, .number(3.5), .integer, nil),
            (.number, .number(1e300), .integer, nil),
            (.integer, .integer(Int.max), .number, nil),
            (.integer, .integer(3), .string, nil),
            (.string, .string("true"), .boolean, nil),
            (.boolean, .boolean(true), .integer, nil),
            (.string, .string("x"), .string, .string("x")),
        ]
            as [(
                PreferencesConfiguration.PreferenceType, ConfigurationScalar, PreferencesConfiguration.PreferenceType,
                ConfigurationScalar?
            )])
    func storedValueIsConvertedIfLossless(
        old: PreferencesConfiguration.PreferenceType, stored: ConfigurationScalar,
        new: PreferencesConfiguration.PreferenceType, read: ConfigurationScalar?
    ) throws {
        let storage = StoragePlatformAPI(folder: nil)
        let before = Preferences(
            configuration: PreferencesConfiguration(suite: "s", ["key": (old, nil)]), storage: storage)
        try before.set(stored, for: "key")
        let after = Preferences(
            configuration: PreferencesConfiguration(suite: "s", ["key": (new, nil)]), storage: storage)
        #expect(try after.value(for: "key") == read)
        #expect(try after.isSet("key") == (read != nil))
        #expect(storage.issues.count == (read == nil ? 1 : 0))
        // After a rollback of the market, nothing is lost.
        #expect(try before.value(for: "key") == stored)
    }

    @Test func changedTypeIsReportedOnceAndReplacedBySetting() throws {
        let storage = StoragePlatformAPI(folder: nil)
        let old = PreferencesConfiguration(suite: "s", ["key": (.string, nil)])
        try Preferences(configuration: old, storage: storage).set("seven", for: "key")
        let preferences = Preferences(
            configuration: PreferencesConfiguration(suite: "s", ["key": (.integer, .integer(1))]), storage: storage)
        for _ in 0..<3 { #expect(try preferences.value(for: "key") == .integer(1)) }
        #expect(
            storage.issues.map(\.description) == [
                "preferences: key is stored as \"seven\", but the market now declares an integer; the default is used "
                    + "until it is set again"
            ])
        try preferences.set(8, for: "key")
        #expect(try preferences.value(for: "key") == .integer(8))
        #expect(storage.issues.count == 1)
    }

    @Test func failingStorageIsTheCause() throws {
        let storage = StoragePlatformAPI(folder: nil)
        storage.dispose()
        let preferences = Preferences(configuration: .sample, storage: storage)
        let error = #expect(throws: PreferencesError.self) { try preferences.set(1, for: "storeID") }
        guard case .storage(.closed) = error else { Issue.record("\(error as Any)"); return }
        #expect(
            error?.description
                == "preferences: storage: cannot store preferences/group.com.example.storeID: the storage "
                + "was shut down with its container")
    }

    @Test func unsupportedTypeIsAnError() {
        let preferences: any PreferencesStorage = Preferences(
            configuration: .sample, storage: StoragePlatformAPI(folder: nil))
        let read = #expect(throws: PreferencesError.self) { try preferences.value(Names.self, for: "storeID") }
        let written = #expect(throws: PreferencesError.self) { try preferences.set(Names(), for: "storeID") }
        for error in [read, written] {
            #expect(
                error?.description
                    == "preferences: expected true or false, a number or a string for storeID, got Names")
        }
    }

    @Test func enumerationIsStoredAsText() throws {
        let preferences: any PreferencesStorage = Preferences(
            configuration: .sample, storage: StoragePlatformAPI(folder: nil))
        try preferences.set(Tongue.french, for: "language")
        #expect(try preferences.value(for: "language") == .string("fr"))
        #expect(try preferences.value(Tongue.self, for: "language") == .french)
        // A value from another version of the app.
        try preferences.set("tlh", for: "language")
        #expect(try preferences.value(String.self, for: "language") == "tlh")
        #expect(try preferences.value(Tongue.self, for: "language") == .english)  // the market's default
        try preferences.set("tlh", for: "lastSearch")
        #expect(try preferences.value(Tongue.self, for: "lastSearch") == nil)
    }

    @Test func valueThatCannotBeReadBackIsNotStored() throws {
        let preferences: any PreferencesStorage = Preferences(
            configuration: .sample, storage: StoragePlatformAPI(folder: nil))
        let error = #expect(throws: PreferencesError.self) { try preferences.set(Digit(value: 11), for: "storeID") }
        #expect(error?.description == "preferences: expected an integer from 0 to 9 for storeID, got 11")
        try preferences.set(Digit(value: 7), for: "storeID")
        #expect(try preferences.value(Digit.self, for: "storeID")?.value == 7)
        let number = #expect(throws: PreferencesError.self) { try preferences.set(Double.nan, for: "textScale") }
        #expect(number?.description == "preferences: expected a finite number for textScale, got nan")
    }

    @Test func valueOfOtherTypeFromCustomStorageIsNil() throws {
        let preferences: any PreferencesStorage = Untyped()
        #expect(try preferences.value(Int.self, for: "any") == nil)
        #expect(try preferences.value(String.self, for: "any") == "text")
    }
}

/// An app's own preference type.
private enum Tongue: String, ConfigurationChoice, PreferenceValue {
    case english = "en"
    case french = "fr"
}

/// A type with its own range.
private struct Digit: PreferenceValue {
    static var valueType: ValueType { .integer(0...9) }
    let value: Int
    var configurationValue: ConfigurationValue { .integer(value) }

    init(value: Int) { self.value = value }
    init(validated value: ConfigurationValue) { self.value = Int(validated: value) }
}

/// A type that preferences do not support.
private struct Names: PreferenceValue {
    static var valueType: ValueType { .list(of: .string(.any)) }
    var configurationValue: ConfigurationValue { .list(values: []) }

    init() {}
    init(validated value: ConfigurationValue) {}
}

/// An app's own preferences, which declare nothing and return text.
private final class Untyped: PreferencesStorage {
    let suite = "untyped"
    let declared: [String: PreferencesConfiguration.Preference] = [:]

    func value(for key: String) throws(PreferencesError) -> ConfigurationScalar? { .string("text") }
    func set(_ value: ConfigurationScalar?, for key: String) throws(PreferencesError) {}
    func isSet(_ key: String) throws(PreferencesError) -> Bool { true }
    func changes() -> StorageChanges { StoragePlatformAPI(folder: nil).changes(in: suite) }
}
