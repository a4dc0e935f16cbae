package import GlassDeepLinking
package import GlassSchema

/// The values of a market that rules about their meaning can read: all values of a market that loads, and the values
/// without errors of one that does not, so that an error does not hide what is wrong elsewhere.
package struct ValidValues: Sendable {
    /// The decoded values. A key whose value has an error has its default.
    package let definition: MarketDefinition
    /// The values as written in the default situation, without those that have errors.
    package let source: ConfigurationNode
    /// The keys that the files can set.
    package let schema: MarketSchema
    /// The files and layers, including the values with errors.
    package let origin: MarketOrigin
    /// The routes that can be read.
    package let routes: [RouteDeclaration]
    /// The findings of the load.
    package let warnings: [Finding]
    /// The paths of the values with errors, including required keys that are missing.
    private let failed: Set<ConfigurationPath>

    init(
        definition: MarketDefinition, source: ConfigurationNode, schema: MarketSchema, origin: MarketOrigin,
        routes: [RouteDeclaration], warnings: [Finding], failed: Set<ConfigurationPath>
    ) {
        self.definition = definition
        self.source = source
        self.schema = schema
        self.origin = origin
        self.routes = routes
        self.warnings = warnings
        self.failed = failed
        id = definition.id
    }

    /// The values of a market that loads.
    package init(_ market: Market) {
        self.init(
            definition: market.definition, source: market.source, schema: market.schema, origin: market.origin,
            routes: market.deepLinker.table.declarations, warnings: market.warnings, failed: [])
    }

    /// The market's id.
    package private(set) var id: String

    /// The values of a market whose key `id` may have an error.
    func named(_ id: String) -> ValidValues {
        var named = self
        named.id = id
        return named
    }

    /// The module that the market belongs to.
    package var module: MarketModule { schema.module }

    /// Whether a key, the tables around it, and everything inside it have no error.
    ///
    /// - Complexity: O(n), where n is the number of values with errors.
    package func isValid(_ path: ConfigurationPath) -> Bool {
        !failed.contains { failed in zip(failed.elements, path.elements).allSatisfy(==) }
    }

    /// Whether some keys have no error in any of the tables at a path.
    package func areValid(_ keys: [String], inEach table: ConfigurationPath) -> Bool {
        let length = table.elements.count
        return !failed.contains { failed in
            guard zip(failed.elements, table.elements).allSatisfy(==) else { return false }
            guard failed.elements.count > length + 1 else { return true }
            return keys.contains { failed.elements[length + 1] == .key($0) }
        }
    }

    /// Whether the value at a path, or a table around it, has an error.
    package func isInError(_ path: ConfigurationPath) -> Bool {
        !failed.isEmpty
            && (1...max(1, path.elements.count)).contains {
                failed.contains(ConfigurationPath(Array(path.elements.prefix($0))))
            }
    }
}
