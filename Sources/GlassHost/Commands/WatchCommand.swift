import GlassBase
import ArgumentParser
import Dispatch
import Foundation
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

struct WatchCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Reloads markets when their files change, and prints the changes or the errors.",
        usage: "glass-host watch [<options>] [<market> ...]",
        discussion: """
            Watches the named markets, or all markets in the folder, and every file that they extend or include. After \
            each save, prints the differences or the findings; a market with errors keeps its last valid version. Runs \
            until you press Ctrl-C.

            With --format json, prints each event as an object on one line: watching, applied, rejected, or restored. \
            The event restored means that the files match the last valid version again.

            EXAMPLES
              glass-host watch
              glass-host watch ca --format json
              glass-host watch --poll
            """
    )

    var resultLimit: Int? { nil }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Argument(
        help: ArgumentHelp(
            "The markets to watch. (default: all markets, including those added later)", valueName: "market"),
        completion: .markets)
    var ids: [String] = []

    @Flag(help: "Poll the folder twice a second, for file systems that do not report changes.")
    var poll = false

    @Option(
        help: ArgumentHelp(
            "How long to wait after the last change before reloading, in milliseconds.", valueName: "milliseconds"))
    var settle = 200

    func validateArguments() throws {
        if !(0...60_000).contains(settle) { throw ValidationError("--settle takes 0 to 60000 milliseconds") }
    }

    func run(in session: Session) throws {
        let loader = try session.loader()
        let printer = WatchPrinter(console: session.console) { [folder = loader.folder] id in
            !FileManager.default.fileExists(atPath: folder.file(of: id))
        }
        let store = MarketStore(
            loader, context: try session.storeContext(of: loader), prepare: { printer.situations.compare($0, with: $1) }
        )
        let named = ids.isEmpty ? options.market.map { [$0] } : ids
        let events = store.events()
        let watch: MarketWatch
        do {
            watch = try store.watch(
                loader.folder, named, method: poll ? .polling(every: .milliseconds(500)) : .automatic,
                settle: .milliseconds(settle))
        } catch let error as WatchError {
            throw CommandFailure(status: .impossible, "\(error) (--poll)")
        } catch let error as MarketFolderError {
            throw CommandFailure(error)
        }
        let ids = named ?? store.statuses.map(\.id)
        try printer.begin(ids, folder: loader.folder.path, method: watch.method)
        // The stream has buffered the events of the initial loads.
        let ended = DispatchSemaphore(value: 0)
        let failure = Lock<(any Error)?>(nil)
        Task {
            do {
                for await event in events { try printer.print(event) }
            } catch {
                failure.withLock { $0 = error }
            }
            ended.signal()
        }
        // Wait until a signal ends the process, and keep the store alive until then.
        ended.wait()
        withExtendedLifetime((store, watch)) {}
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
