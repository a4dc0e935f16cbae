import ArgumentParser
import Foundation
import GlassBase
import GlassDelivery
import GlassHost
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct FetchCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Downloads the publication, the way a phone does, and shows what it gets and why.",
        usage: """
            glass-delivery fetch [<options>] <url> --root <file> --store <dir>
            glass-delivery fetch [<options>] <url> --root <file> [--install-id <id>] [--app-version <version>]
            """,
        discussion: """
            Starts from the root that the app ships with, or from the existing store, and verifies everything. \
            --verbose prints each step and each rule that was checked. Exits with 1 if a client would reject the \
            publication, and with 2 if the server does not respond. The URL names the folder that contains metadata/ \
            and targets/, and must use https, except on the local machine.

            With --store, you can embed the resulting folder in an app as its initial markets. Without it, nothing is \
            kept: the answer is what a new installation gets, with the reason for each market. --install-id names the \
            installation, which decides about percentages; `status --store` of a phone's store has its id.

            EXAMPLES
              glass-delivery fetch https://markets.example.com --root root.json --store store -v
              glass-delivery fetch https://markets.example.com --root root.json --install-id u7 --app-version 24.2
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The URL of the published folder.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The root that the app ships with.", valueName: "file"))
    var root: String

    @Option(help: ArgumentHelp("The store folder. (default: an empty one, which is not kept)", valueName: "dir"))
    var store: String?

    @Option(
        help: ArgumentHelp(
            "The installation to simulate, which percentages depend on. (default: a random one)", valueName: "id"))
    var installID: String?

    @Option(
        name: [.customLong("app-version"), .customLong("app")],
        help: ArgumentHelp("The app version to simulate. (default: any)", valueName: "version"))
    var app: String?

    @Option(
        help: ArgumentHelp("Fetch as of this time, such as 2026-06-01T12:00:00Z. (default: now)", valueName: "time"))
    var at: String?

    func validateArguments() throws {
        if let at, UpdateTime(at) == nil {
            throw ValidationError("--at \(at) is not a time; expected for example 2026-06-01T12:00:00Z")
        }
        if installID != nil, store != nil {
            throw ValidationError("a store has an installation of its own; leave out --store or --install-id")
        }
        if let app, AppVersion(app) == nil {
            throw ValidationError("\(app) is not an app version; expected for example 24.2")
        }
    }

    func run(in session: Session) throws {
        let console = session.console
        let server: PublishedServer
        do {
            server = try PublishedServer(url)
        } catch {
            throw CommandFailure(status: .impossible, DisplayText(error.description))
        }
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try Descriptor.named(root).contents(limit: SignedMetadata.maximumBytes)
        } catch {
            throw CommandFailure(status: .impossible, "cannot read the root \(root): \(error.reason)")
        }
        let source = CompiledMarkets(session.program.module) { _ in nil }
        let folder = store ?? FileManager.default.temporaryDirectory.appending(path: "fetch-\(UUID().uuidString)").path
        defer {
            // The system removes a temporary folder that cannot be removed now.
            if store == nil { try? FileManager.default.removeItem(atPath: folder) }
        }
        let fetch = StoreFetch(
            store: DeliveryStore(folder), client: server.client, app: app.flatMap { AppVersion($0) },
            now: at.flatMap { UpdateTime($0) } ?? .now, install: installID
        ) { id, bytes in
            do {
                let check = source.check(try CompiledMarket(reading: bytes, name: "\(id).json"), as: id)
                return check.findings.first { $0.severity == .error }?.description
            } catch {
                return "\(error)"
            }
        }
        let report: StoreFetch.Report
        do {
            report = try BlockingCall.result { try await fetch.run(from: bytes) }
        } catch let error as MetadataError {
            throw CommandFailure(status: .impossible, "the root \(root) cannot be used: \(error)")
        } catch let error as StoreError {
            throw CommandFailure(status: .impossible, "\(error)")
        }
        for path in fetch.store.takeMovedAside() where !console.isQuiet {
            Console.message("a folder had the name of a store file and was moved to \(path)")
        }
        if console.isJSON {
            try console.result(json: report.json)
        } else {
            print(report, on: console)
        }
        if let error = report.error {
            let status: CommandFailure.Status = error.rule == .network ? .impossible : .no
            throw CommandFailure(status: status, console.isJSON ? nil : "\(error)")
        }
        if !report.problems.isEmpty { throw CommandFailure(status: .no) }
    }

    private func print(_ report: StoreFetch.Report, on console: Console) {
        if console.isVerbose { for step in report.steps { console.result("\(step)") } }
        for (id, version) in report.markets.sorted(by: { $0.key < $1.key }) where !console.isQuiet {
            console.result(
                "\(id): version \(version.serial.map { "\($0) " } ?? "")(\(version.digest.prefix(12))), \(report.reasons[id] ?? "")"
            )
        }
        for (id, problem) in report.problems.sorted(by: { $0.key < $1.key }) {
            console.result(
                "\(id): nothing new, because \(problem); a device keeps the version that it has, or its embedded one")
        }
        if report.error != nil, !console.isQuiet {
            console.result("frozen: a device keeps what it has, and accepts nothing new")
        }
        if console.isQuiet || report.error != nil { return }
        console.result("\(report.requests) requests, \(report.bytes) bytes")
    }
}

extension StoreFetch.Report {
    fileprivate var json: JSONObject {
        let markets: [JSONObject] = markets.sorted { $0.key < $1.key }.map {
            ["id": $0.key, "digest": $0.value.digest, "serial": $0.value.serial, "reason": reasons[$0.key]]
        }
        return [
            "steps": steps, "metadata": versions, "markets": markets, "problems": problems,
            "error": error?.description, "requests": requests, "bytes": bytes,
        ]
    }
}
