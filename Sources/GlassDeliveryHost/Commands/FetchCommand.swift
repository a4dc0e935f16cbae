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
        abstract: "Downloads the publication into a store, the way a phone does.",
        usage: "glass-delivery fetch [<options>] <url> --root <file> --store <dir>",
        discussion: """
            Starts from the root that the app ships with, or from the existing store, and verifies everything. \
            --verbose prints each step and each rule that was checked. Exits with 1 if a client would reject the \
            publication, and with 2 if the server does not respond. The URL names the folder that contains metadata/ \
            and targets/, and must use https, except on the local machine.

            You can embed the resulting folder in an app as its initial markets.

            EXAMPLES
              glass-delivery fetch https://markets.example.com --root root.json --store store -v
            """
    )

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(help: ArgumentHelp("The URL of the published folder.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The root that the app ships with.", valueName: "file"))
    var root: String

    @Option(help: ArgumentHelp("The store folder.", valueName: "dir"))
    var store: String

    @Option(help: ArgumentHelp("The app version to simulate. (default: any)", valueName: "version"))
    var app: String?

    @Option(
        help: ArgumentHelp("Fetch as of this time, such as 2026-06-01T12:00:00Z. (default: now)", valueName: "time"))
    var at: String?

    func validateArguments() throws {
        if let at, UpdateTime(at) == nil {
            throw ValidationError("--at \(at) is not a time; expected for example 2026-06-01T12:00:00Z")
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
        let fetch = StoreFetch(
            store: DeliveryStore(store), client: server.client, app: app.flatMap { AppVersion($0) },
            now: at.flatMap { UpdateTime($0) } ?? .now
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
            console.result("\(id): \(version.serial.map { "\($0) " } ?? "")\(version.digest)")
        }
        for (id, problem) in report.problems.sorted(by: { $0.key < $1.key }) {
            console.result("\(id): rejected: \(problem)")
        }
        if console.isQuiet || report.error != nil { return }
        console.result("\(report.requests) requests, \(report.bytes) bytes")
    }
}

extension StoreFetch.Report {
    fileprivate var json: JSONObject {
        let markets: [JSONObject] = markets.sorted { $0.key < $1.key }.map {
            ["id": $0.key, "digest": $0.value.digest, "serial": $0.value.serial]
        }
        return [
            "steps": steps, "metadata": versions, "markets": markets, "problems": problems,
            "error": error?.description, "requests": requests, "bytes": bytes,
        ]
    }
}
