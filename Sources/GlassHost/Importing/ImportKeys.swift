import GlassBase
import GlassMarkets
import GlassSchema

/// The keys of a module's markets, found by their names in any spelling.
struct ImportKeys {
    /// A key that has a value of its own.
    struct Key {
        let path: ConfigurationPath
        let type: ValueType
        /// The names on the path, without case and punctuation.
        let words: [String]
    }

    /// A place in a market.
    typealias Target = (path: ConfigurationPath, type: ValueType)

    let declaration: SectionDeclaration
    /// The keys, in the order of declaration.
    let keys: [Key]
    /// The sections of the module, whose names a path may omit.
    private let sections: [String]
    private let byName: [String: Int]
    /// The keys by the names at the end of their paths, of each length.
    private let byEnd: [String: [Int]]
    /// The most names on the path of a key.
    private let maximumWords: Int
    private let (names, lastNames): ([String], [String])

    /// The keys that say what a market is, rather than what it contains.
    private static let own: Set<String> = ["id", "extends", "flags", "layers", "preconditions", "routables"]

    init(_ schema: MarketSchema) {
        declaration = schema.declaration
        let known = Set(MarketDefinition.keys.map(\.declaration.name))
        sections = schema.declaration.keys.map(\.name).filter { !known.contains($0) }
        var keys: [Key] = []
        func collect(_ section: SectionDeclaration, _ path: ConfigurationPath, _ words: [String]) {
            for key in section.keys where !path.elements.isEmpty || !Self.own.contains(key.name) {
                let (path, words) = (path.appending(key.name), words + [Self.word(key.name)])
                if let inner = key.type.section, path.elements.count < 16 {
                    collect(inner, path, words)
                } else {
                    keys.append(Key(path: path, type: key.type, words: words))
                }
            }
        }
        collect(schema.declaration, ConfigurationPath(), [])
        self.keys = keys
        var byName: [String: Int] = [:]
        let omitted = Set(sections.map(Self.word))
        for (index, key) in keys.enumerated() {
            byName[key.words.joined()] = index
            if let first = key.words.first, omitted.contains(first) {
                // A full path wins over one without its section.
                let name = key.words.dropFirst().joined()
                if byName[name] == nil { byName[name] = index }
            }
        }
        self.byName = byName
        var byEnd: [String: [Int]] = [:]
        for (index, key) in keys.enumerated() {
            for count in 1...key.words.count { byEnd[key.words.suffix(count).joined(), default: []].append(index) }
        }
        self.byEnd = byEnd
        maximumWords = keys.map(\.words.count).max() ?? 0
        (names, lastNames) = (byName.keys.sorted(), Set(keys.compactMap(\.words.last)).sorted())
    }

    /// A name without case and punctuation, so that `max_retries` is `maxRetries`.
    static func word(_ name: String) -> String {
        String(decoding: name.utf8.compactMap { $0.isLetter ? $0 | 0x20 : $0.isDigit ? $0 : nil }, as: UTF8.self)
    }

    /// The key that names on a path describe completely; nil if they describe no key.
    func target(of names: [String]) -> Target? {
        if let found = walk(names) { return found }
        for section in sections {
            if let found = walk([section] + names) { return found }
        }
        // One name for the whole path, as in NETWORKING_RETRY_MAX_RETRIES.
        return byName[names.map(Self.word).joined()].map { (keys[$0].path, keys[$0].type) }
    }

    private func walk(_ names: [String]) -> Target? {
        var found: Target = (ConfigurationPath(), .section(declaration))
        for (index, name) in names.enumerated() {
            let word = Self.word(name)
            if let section = found.type.section {
                let isTop = index == 0
                guard
                    let key = section.keys.first(where: { key in
                        Self.word(key.name) == word || key.formerNames.contains { Self.word($0) == word }
                    }), !(isTop && Self.own.contains(key.name))
                else { return nil }
                found = (found.path.appending(key.name), key.type)
            } else if case .map(let element, _, _) = found.type {
                found = (found.path.appending(name), element)
            } else {
                return nil
            }
        }
        return found
    }

    /// What the last names of a path could mean.
    enum Guess {
        /// Only one key has these names at its end.
        case one(Target)
        /// Several do.
        case several([ConfigurationPath])
        /// None does.
        case none
    }

    /// Finds the key whose path ends with the same names, and whose type accepts a value.
    func guess(_ names: [String], accepts: (ValueType) -> Bool) -> Guess {
        let words = names.suffix(maximumWords).map(Self.word)
        for count in stride(from: min(words.count, maximumWords), to: 0, by: -1) {
            let end = words.suffix(count).joined()
            guard end.utf8.count >= 4 else { continue }
            let fitting = (byEnd[end] ?? []).map { keys[$0] }.filter { accepts($0.type) }
            if let only = fitting.first, fitting.count == 1 { return .one((only.path, only.type)) }
            if fitting.count > 1 { return .several(fitting.map(\.path)) }
        }
        return .none
    }

    /// The key with the most similar name, if one is similar.
    func nearest(to names: [String]) -> ConfigurationPath? {
        let full = names.map(Self.word).joined()
        if let near = Suggestion.nearest(to: full, in: self.names), let index = byName[near] {
            return keys[index].path
        }
        guard let last = names.last.map(Self.word), last.utf8.count >= 4 else { return nil }
        let near = Suggestion.nearest(to: last, in: lastNames)
        return near.flatMap { near in keys.first { $0.words.last == near }?.path }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
