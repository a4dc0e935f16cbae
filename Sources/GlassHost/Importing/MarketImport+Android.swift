import GlassBase
import GlassMarkets
import GlassSchema

/// What a site says about its Android app.
extension MarketImport {
    /// The relation of apps that open a site's links.
    private static let relation = "delegate_permission/common.handle_all_urls"

    /// Adds an assetlinks.json file.
    mutating func addAssetLinks(_ file: ImportFile) throws {
        // A market has the links of one app: the one that other files name, or else the first.
        var own = schema.path(.androidPackage).flatMap(text)
        let packages = (file.tree.arrayValue ?? []).compactMap { $0["target"]?["package_name"]?.stringValue }
        own = own.flatMap { packages.contains($0) ? $0 : nil }
        for (index, statement) in (file.tree.arrayValue ?? []).enumerated() {
            let source = "[\(index)]"
            let relations = statement["relation"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let target = statement["target"]
            guard relations.contains(Self.relation), target?["namespace"]?.stringValue == "android_app" else {
                try lose(file, [source], "it is not about links that open an Android app")
                continue
            }
            let package = target?["package_name"]?.stringValue
            guard own == nil || package == nil || package == own else {
                try lose(
                    file, [source], "this entry is for the app \(package ?? "")",
                    hint: "import its links into its own market")
                continue
            }
            own = own ?? package
            for (role, name) in [
                (.androidPackage, "package_name"), (.certificateDigests, "sha256_cert_fingerprints"),
            ] as [(KeyDeclaration.Role, String)] {
                guard let json = target?[name], let path = schema.path(role), let type = keys.declaration.type(at: path)
                else { continue }
                try set((path, type), json, file, [source, "target", name], .mapped)
            }
            try loseUnread(in: statement, but: ["relation", "target", "relation_extensions"], file, source)
            try loseUnread(
                in: target, but: ["namespace", "package_name", "sha256_cert_fingerprints"], file, "\(source).target")
            for relation in relations where relation != Self.relation {
                try lose(file, ["\(source).relation: \(relation)"], "this relation is not about links")
            }
            let extensions = statement["relation_extensions"]
            try loseUnread(in: extensions, but: [Self.relation], file, "\(source).relation_extensions")
            try loseUnread(
                in: extensions?[Self.relation], but: ["dynamic_app_link_components"], file,
                "\(source).relation_extensions.\(Self.relation)")
            let rules = statement["relation_extensions"]?[Self.relation]?["dynamic_app_link_components"]
            for (number, rule) in (rules?.arrayValue ?? []).enumerated() {
                try addComponent(rule, file, "\(source).dynamic_app_link_components[\(number)]", nil, areEscaped: false)
            }
        }
    }
}
