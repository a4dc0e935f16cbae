extension SectionDeclaration {
    /// The findings in changes from a remote configuration: the same as in a file, and any key that is not remotely
    /// configurable.
    ///
    /// Rules between keys are not checked here: they apply to the changed section.
    package func findings(inChanges changes: ConfigurationNode, path: ConfigurationPath) -> [Finding] {
        // Absent keys stay unchanged.
        let aboutTheWhole: Set<FindingCode> = [.missingKey, .inconsistent, .numbersDisagree]
        return
            (ConfigurationValidator.findings(in: changes, section: self, path: path)
            .filter { !aboutTheWhole.contains($0.code) } + refusals(of: changes, path: path)).sortedByPosition()
    }

    /// The remotely configurable keys of a section, including nested sections.
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
            // Unknown and renamed keys have their own findings.
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
                        ? "change it in the market" : "changeable keys: \(changeable.joined(separator: ", "))")
            ]
        }
    }
}
