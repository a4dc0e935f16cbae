import ArgumentParser
import GlassDeepLinking
import GlassMarkets

struct ExportCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints a site or app file that goes with the routes of a market.",
        discussion: """
            aasa is Apple's apple-app-site-association, assetlinks Android's assetlinks.json, intent-filters the part of \
            the Android manifest (API level 31 and later), info-plist the URL types and associated domains of the Apple \
            app, links-md the page of supported links. What a format cannot say exactly is a warning on standard error; \
            --labels lists for each route whether a format claims it exactly, too much or too little, and by which rule.

            EXAMPLES
              glass-host export aasa > apple-app-site-association
              glass-host export intent-filters -m ca --labels
            """)

    enum File: String, ExpressibleByArgument, CaseIterable {
        case aasa
        case assetlinks
        case intentFilters = "intent-filters"
        case infoPlist = "info-plist"
        case linksMarkdown = "links-md"
    }

    @OptionGroup(title: "Global options") var options: GlobalOptions

    @Flag(help: "List how exactly each route is claimed, instead of the file.")
    var labels = false

    @Argument(help: "The file.")
    var file: File

    func run(in session: Session) throws {
        let market = try session.market()
        let files = market.siteFiles
        if session.console.isJSON {
            try session.console.result(json: Output(file, files, market: market.id))
        } else if labels {
            var table = Table("PATTERN", "ROUTABLE", "TARGET", "FIT", "RULE")
            for label in Output.labels(of: files) {
                table.add(label.pattern, label.routable, label.target, label.fit, label.rule)
            }
            session.console.result(table.text(session.console))
        } else {
            session.console.result(file.text(of: files))
        }
        if !session.console.isQuiet {
            for warning in files.warnings { session.console.error("warning: \(warning)") }
        }
    }

    private struct Output: Encodable {
        struct Label: Encodable {
            let pattern: String
            let routable: String
            let target: String
            let fit: String
            let rule: String
        }

        let market: String
        let file: String
        let content: String
        let warnings: [String]
        let labels: [Label]

        init(_ file: File, _ files: SiteFiles, market: String) {
            self.market = market
            self.file = file.rawValue
            content = file.text(of: files)
            warnings = files.warnings
            labels = Self.labels(of: files)
        }

        static func labels(of files: SiteFiles) -> [Label] {
            files.table.declarations.enumerated().flatMap { ordinal, declaration in
                files.labels(of: ordinal).map { label in
                    Label(
                        pattern: declaration.pattern, routable: declaration.routableID, target: label.target.rawValue,
                        fit: label.fit.rawValue, rule: label.rule)
                }
            }
        }
    }
}

extension ExportCommand.File {
    /// The file's content.
    func text(of files: SiteFiles) -> String {
        switch self {
        case .aasa: files.appleAppSiteAssociation
        case .assetlinks: files.assetLinks
        case .intentFilters: files.intentFilters
        case .infoPlist: files.infoPlist + "\n" + files.associatedDomains
        case .linksMarkdown: files.supportedLinks
        }
    }
}
