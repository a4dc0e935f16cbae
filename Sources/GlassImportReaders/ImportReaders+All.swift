package import GlassHost

extension ImportReaders {
    /// The readers of every format.
    package static let all = ImportReaders(yaml: YAMLFile.tree, xml: XMLFile.tree)
}
