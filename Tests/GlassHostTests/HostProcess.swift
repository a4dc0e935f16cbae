import CommandTesting
import Foundation
import TestSupport

/// A run of the built `glass-host`.
typealias HostProcess = CommandProcess

extension CommandProcess {
    /// The program next to the test bundle.
    static let executable = executable("glass-host")

    /// Whether the program is built with a sanitizer, whose instructions count as the program's own: work close to a
    /// CPU time limit may then reach it, and must end with its finding.
    static let isSanitized = Sanitizer.name != nil

    /// An almost empty environment for a process in a test, with the given variables added or replaced.
    static func environment(_ own: [String: String]) -> [String: String] { CommandEnvironment.almostEmpty(own) }

    /// Runs the program and waits until it ends.
    init(
        _ arguments: [String], environment: [String: String] = [:], folder: URL = CommandRun.repository,
        input: String? = nil, interruptAfter: String? = nil
    ) throws {
        try self.init(
            Self.executable, arguments, environment: environment, folder: folder, input: input,
            interruptAfter: interruptAfter)
    }
}

/// A temporary folder for one test.
final class TestFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "glass-host-tests-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: url)
    }

    /// A copy of the real markets.
    func markets() throws -> URL {
        let copy = url.appending(path: "markets")
        try FileManager.default.copyItem(at: CommandRun.repository.appending(path: "markets"), to: copy)
        return copy
    }

    /// A folder of markets with a small one, `us`, for a test that does not look at what is in the real ones: to load
    /// those would take most of its time.
    func smallMarkets() throws -> URL {
        let markets = url.appending(path: "markets")
        try FileManager.default.createDirectory(at: markets, withIntermediateDirectories: true)
        try Data(Self.smallMarket.utf8).write(to: markets.appending(path: "us.lua"))
        return markets
    }

    /// A market with one of each kind of thing that commands print.
    static let smallMarket = """
        return { id = "us", name = "Base", locales = { "en-US" }, currency = "USD",
          deepLinking = { schemes = { "walmart" }, universalLinks = { "www.walmart.com" }, linkParameters = { "url" },
            outboundSchemes = { "tel" }, queryParameters = { { value = "email", eventName = "opened" } } },
          platform = {
            environment = { default = "production", environments = {
              production = { services = { api = "https://api.walmart.com" } },
              staging = { services = { api = "https://api-stage.walmart.com" } } } },
            networking = { defaultService = "api", headers = { ["WM-Market"] = "us" }, retry = { maxRetries = 3 } },
            analytics = { sinks = { "collector" }, collector = { service = "api" } },
            appInfo = { name = "Base", version = "1.0", build = 1, bundleIdentifier = "com.walmart.electronics",
              teamIdentifier = "US7W4LMART", appStoreIdentifier = "1", android = { package = "com.walmart.android",
                certificateDigests = { "\(Array(repeating: "1A", count: 32).joined(separator: ":"))" } } },
            aniviaSuperAttributes = { tenant = "base" }, userDefaultsRegistration = { suite = "group.com.walmart" },
            preferences = { suite = "group.com.walmart", keys = { storeID = { type = "integer", default = 100 } } },
            address = { country = "US", fieldOrder = { "recipient", "street", "city", "region", "postalCode" },
              requiredFields = { "recipient", "city" }, postalCodePattern = "[0-9]{5}", postalCodeExample = "72716",
              regions = { { code = "AR", name = "Arkansas" } } },
          },
          routables = { home = {}, account = {}, item = {}, orders = { waitForPreconditions = { "signedIn" } } },
          conditions = { debug = { build = "debug" } },
          overlays = { { name = "debugBuild", when = "debug", platform = { environment = { default = "staging" } } } },
          flags = { checkout = { kind = "release", owner = "checkout", expires = "2029-03-31", doc = "One page.",
            default = false, rules = { { name = "ramp", rollout = { percent = 10, by = "installID" }, value = true } } } },
        }
        """

    func write(_ text: String, to name: String) throws -> String {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
