package import ArgumentParser

/// A value of an option that is one of a few words.
///
/// ArgumentParser asks every option for its words several times per process, even one that was not given, and by default
/// reads them through key paths. Here they are listed directly, which saves an `open` two million instructions. The words
/// have no descriptions: an option that wants some in its help defines `allValueDescriptions` itself.
package protocol ArgumentChoice: CaseIterable, ExpressibleByArgument, RawRepresentable<String> {}

extension ArgumentChoice {
    package static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    package static var allValueDescriptions: [String: String] { [:] }
}
