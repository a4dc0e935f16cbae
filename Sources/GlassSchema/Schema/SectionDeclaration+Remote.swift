extension SectionDeclaration {
    /// What is wrong with changes that come from afar: as in a file, and that each key is one that may be changed so.
    ///
    /// Rules between keys are not looked at: they are the changed section's.
    package func findings(inChanges changes: ConfigurationNode, path: ConfigurationPath) -> [Finding] {
        // What is absent stays as it is.
        let aboutTheWhole: Set<FindingCode> = [.missingKey, .inconsistent]
        return
            (ConfigurationValidator.findings(in: changes, section: self, path: path)
            .filter { !aboutTheWhole.contains($0.code) } + refusals(of: changes, path: path)).sortedByPosition()
    }

    /// The keys of a section that remote configuration may change, with sections in sections.
    package func remoteKeys(path: ConfigurationPath = ConfigurationPath()) -> [ConfigurationPath] {
        keys.flatMap { key -> [ConfigurationPath] in
            if key.isRemote { return [path.appending(key.name)] }
            guard case .section(let inner) = key.type else { return [] }
            return inner.remoteKeys(path: path.appending(key.name))
        }
    }

    private func refusals(of changes: ConfigurationNode, path: ConfigurationPath) -> [Finding] {
        guard case .map(let entries) = changes.value else { return [] }
        return entries.flatMap { name, entry -> [Finding] in
            // A key that is unknown or has another name now is refused as such.
            guard let key = key(name), !key.isRemote else { return [] }
            let path = path.appending(name)
            if case .section(let inner) = key.type, case .map = entry.value {
                return inner.refusals(of: entry, path: path)
            }
            let changeable = remoteKeys().map(\.description)
            return [
                Finding(
                    .notRemote, at: entry.position, path: path, "remote configuration cannot change this key",
                    hint: changeable.isEmpty
                        ? "change it in the market" : "what it can change here: \(changeable.joined(separator: ", "))")
            ]
        }
    }
}
