package import ArgumentParser

/// One of a few words that an option takes.
///
/// ArgumentParser asks for the words of every option several times in each process, also of those that nobody gave, and
/// makes them with key paths: three million instructions of an `open`.
package protocol ArgumentChoice: CaseIterable, ExpressibleByArgument, RawRepresentable<String> {}

extension ArgumentChoice {
    package static var allValueStrings: [String] { allCases.map { $0.rawValue } }
    package static var allValueDescriptions: [String: String] { [:] }
}
