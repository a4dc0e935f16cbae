package import GlassBase
package import GlassSchema

/// What a market was made from, for comparisons and to find out whether the files have changed.
package struct MarketOrigin: Sendable {
    /// The values of the files of the `extends` chain, the most basic one first, with their words.
    package let layers: [ConfigurationNode]
    /// The files.
    package let files: [MarketFile]
    /// The content of the files.
    package let revision: MarketRevision
    /// What functions of the market use.
    package let meter: MarketMeter
    /// Whether loading the market again would find the same files. False also when a file cannot be read.
    package let isCurrent: @Sendable () -> Bool
    /// Reads the texts of the market's functions, for one comparison.
    package let functionTexts: @Sendable () -> any FunctionTexts

    /// Describes where a market comes from.
    ///
    /// - Parameters:
    ///   - layers: The values of the files of the `extends` chain, the most basic one first, with their words.
    ///   - files: The files.
    ///   - revision: The content of the files.
    ///   - meter: What functions of the market use.
    ///   - isCurrent: Whether loading the market again would find the same files.
    ///   - functionTexts: Reads the texts of the market's functions, for one comparison. By default their texts are unknown.
    package init(
        layers: [ConfigurationNode], files: [MarketFile], revision: MarketRevision, meter: MarketMeter = MarketMeter(),
        isCurrent: @escaping @Sendable () -> Bool,
        functionTexts: @escaping @Sendable () -> any FunctionTexts = { NoFunctionTexts() }
    ) {
        self.layers = layers
        self.files = files
        self.revision = revision
        self.meter = meter
        self.isCurrent = isCurrent
        self.functionTexts = functionTexts
    }

    /// Where the market or one that it extends took a key away with `unset`.
    ///
    /// - Parameter path: A key that the market does not have.
    /// - Returns: The place of the word; nil when no file has one for the key or what holds it.
    func removal(of path: ConfigurationPath) -> SourcePosition? {
        for layer in layers.reversed() {
            for length in stride(from: path.elements.count, to: 0, by: -1) {
                let node = layer.node(at: ConfigurationPath(Array(path.elements.prefix(length))))
                if let node, let word = node.value.word, case .unset = word.kind { return node.position }
            }
        }
        return nil
    }
}

/// The texts by which functions of one market are compared with those of another.
package protocol FunctionTexts {
    /// The text of a function.
    ///
    /// - Parameters:
    ///   - position: Where the market has it.
    ///   - allowance: What the phase `comparing` draws on.
    /// - Returns: What it says, without comments and layout; empty when it is not known.
    /// - Throws: `Exceeded` when the allowance ran out.
    func text(at position: SourcePosition, allowance: Allowance) throws(Allowance.Exceeded) -> String
}

/// For a market whose source has no functions.
package struct NoFunctionTexts: FunctionTexts {
    package init() {}

    package func text(at position: SourcePosition, allowance: Allowance) throws(Allowance.Exceeded) -> String { "" }
}
