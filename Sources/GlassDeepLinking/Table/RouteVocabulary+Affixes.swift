extension RouteVocabulary {
    /// The bytes of a prefix and a suffix.
    private func bytes(of affixes: Int) -> (prefix: [UInt8], suffix: [UInt8]) {
        let pair = self.affixes[affixes]
        return (texts[pair.prefix], texts[pair.suffix])
    }

    /// The length of a prefix and a suffix, which decides the rank of segments that have both.
    func length(ofAffixes affixes: Int) -> Int {
        let (prefix, suffix) = bytes(of: affixes)
        return prefix.count + suffix.count
    }

    /// The value between a prefix and a suffix in a lowercase text, or `nil` if the text has no such value.
    func value(in text: [UInt8], between affixes: Int) -> ArraySlice<UInt8>? {
        let (prefix, suffix) = bytes(of: affixes)
        guard text.count > prefix.count + suffix.count, text.starts(with: prefix), text.ends(with: suffix) else {
            return nil
        }
        return text[prefix.count..<text.count - suffix.count]
    }

    /// The number of words of a value.
    func wordCount(_ affixed: Int) -> Int {
        if case .list(let list) = self.affixed[affixed].value { lists[list].count } else { 1 }
    }

    func accepts(_ value: Affixed.Value?, _ bytes: ArraySlice<UInt8>) -> Bool {
        switch value {
        case nil: true
        case .open(let type): type.accepts(Array(bytes))
        case .list(let list): knownNumber(of: Array(bytes)).map { self.list(list, has: $0) } ?? false
        }
    }

    private func accepts(_ affixed: Affixed, _ text: [UInt8]) -> Bool {
        value(in: text, between: affixed.affixes).map { accepts(affixed.value, $0) } ?? false
    }

    /// A lowercase text that two segments with affixes both match; `nil` if they share no text. Exact.
    ///
    /// A shared text starts with the longer prefix and ends with the longer suffix. Either these overlap, or something
    /// is between them. If a list decides, its words are tried; else see `fillers(for:)`.
    func sharedText(_ one: Int, _ other: Int) -> [UInt8]? {
        let (left, right) = (affixed[one], affixed[other])
        func isShared(_ text: [UInt8]) -> Bool { accepts(left, text) && accepts(right, text) }
        for affixed in [left, right] {
            guard case .list(let list) = affixed.value else { continue }
            let (prefix, suffix) = bytes(of: affixed.affixes)
            return lists[list].lazy.map { prefix + texts[$0] + suffix }.first(where: isShared)
        }
        let (first, second) = (bytes(of: left.affixes), bytes(of: right.affixes))
        let prefix = first.prefix.count >= second.prefix.count ? first.prefix : second.prefix
        let suffix = first.suffix.count >= second.suffix.count ? first.suffix : second.suffix
        let types = [left, right].map { affixed -> NamedParameterType? in
            if case .open(let type) = affixed.value { type } else { nil }
        }
        let around = [first, second].map { own in
            (start: prefix.dropFirst(own.prefix.count), end: suffix.dropLast(own.suffix.count))
        }
        for (type, rest) in zip(types, around) {
            for filler in RouteVocabulary.fillers(for: type, from: rest.start.count, endingWith: rest.end.count) {
                let text = prefix + filler + suffix
                if isShared(text) { return text }
            }
        }
        return RouteVocabulary.overlaps(of: prefix, suffix).first(where: isShared)
    }

    /// The texts in which a prefix and a suffix overlap.
    static func overlaps(of prefix: [UInt8], _ suffix: [UInt8]) -> [[UInt8]] {
        (1..<(min(prefix.count, suffix.count) + 1)).compactMap { count in
            prefix.suffix(count).elementsEqual(suffix.prefix(count)) ? prefix + suffix.dropFirst(count) : nil
        }
    }

    /// Texts that complete a value of a type, given the lengths of its start and end: if any text does, and completes a
    /// value of another type as well, one of these does.
    ///
    /// A sign may be necessary, and of several digits a zero yields the integer that is closest to zero; the other
    /// types accept a zero wherever they accept anything, except those with a fixed form.
    private static func fillers(for type: NamedParameterType?, from start: Int, endingWith count: Int) -> [[UInt8]] {
        let fillers = ["1", "0", "", "-", "-0"].map { Array($0.utf8) }
        return fillers + (type?.filler(from: start, endingWith: count).map { [$0] } ?? [])
    }

    /// Whether a value may start with `start` and end with `end`, possibly with something between them. Exact for
    /// values in which these don't overlap.
    func mayAccept(_ value: Affixed.Value?, _ start: ArraySlice<UInt8>, _ end: ArraySlice<UInt8>) -> Bool {
        switch value {
        case nil: return true
        case .open(let type):
            return RouteVocabulary.fillers(for: type, from: start.count, endingWith: end.count).contains { filler in
                type.accepts(start + filler + end)
            }
        case .list(let list):
            return lists[list].contains { word in
                let word = texts[word]
                return word.count >= start.count + end.count && word.starts(with: start) && word.ends(with: end)
            }
        }
    }
}

extension [UInt8] {
    func ends(with suffix: some BidirectionalCollection<UInt8>) -> Bool {
        reversed().starts(with: suffix.reversed())
    }
}
