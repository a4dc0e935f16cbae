extension MarketContext {
    /// The attributes as a command takes them: `build=debug,locale=fr-CA`.
    package var commandText: String {
        values.sorted { $0.key < $1.key }.map { "\($0.key)=\(ContextAttribute.commandText(of: $0.value))" }
            .joined(separator: ",")
    }
}
