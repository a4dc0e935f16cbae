import GlassBase

/// The paths that an entry of a site's file matches: `?` is one character, `*` any text with or without slashes, and
/// `$(name)` a value of a variable. Case does not matter, because it does not matter for the paths of a market.
struct PathGlob {
    /// Characters that match, once or any number of times.
    private struct Part {
        enum Characters {
            case one(Unicode.Scalar)
            /// Everything but slashes, as the variables of the system have it: languages, regions, and digits.
            case ofSegment
            case all
        }

        let characters: Characters
        let repeats: Bool

        init(_ characters: Characters, repeats: Bool = false) {
            self.characters = characters
            self.repeats = repeats
        }

        init(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "*": self.init(.all, repeats: true)
            case "?": self.init(.all)
            default: self.init(.one(scalar))
            }
        }

        func meets(_ other: Part) -> Bool {
            switch (characters, other.characters) {
            case (.one(let one), .one(let other)): one == other
            case (.one(let scalar), .ofSegment), (.ofSegment, .one(let scalar)): scalar != "/"
            default: true
            }
        }
    }

    /// The maximum number of paths that the values of variables make of one.
    private static let maximumAlternatives = 64
    /// The maximum length of a path whose parts are compared.
    private static let maximumLength = 2_048

    /// The path with each combination of its variables' values.
    private let alternatives: [[Part]]

    /// Creates the glob of a path. One that is too long matches everything.
    init(_ path: String, _ variables: StrictJSON? = nil) {
        guard path.utf8.count <= Self.maximumLength else {
            alternatives = [[Part("*")]]
            return
        }
        var made: [[Part]] = [[]]
        var rest = path[...]
        while let first = rest.first {
            if rest.hasPrefix("$("), let end = rest.firstIndex(of: ")") {
                let values = Self.values(of: rest[..<end].dropFirst(2), variables, count: made.count)
                made = made.flatMap { start in values.map { start + $0 } }
                rest = rest[end...].dropFirst()
            } else {
                let parts = Self.parts(String(first))
                for index in made.indices { made[index] += parts }
                rest.removeFirst()
            }
        }
        alternatives = made
    }

    private static func parts(_ text: String) -> [Part] { text.lowercased().unicodeScalars.map { Part($0) } }

    /// The values of a variable, unless there are too many for a path that already has some alternatives.
    private static func values(of name: Substring, _ variables: StrictJSON?, count: Int) -> [[Part]] {
        let values = variables?[String(name)]?.arrayValue?.compactMap(\.stringValue) ?? []
        if values.isEmpty { return [[Part(.ofSegment), Part(.ofSegment, repeats: true)]] }
        let isShort = values.allSatisfy { $0.utf8.count <= maximumLength / 16 }
        guard isShort, values.count * count <= maximumAlternatives else { return [[Part("*")]] }
        return values.map { parts($0) }
    }

    /// Whether one path matches both. O(length of one · length of the other).
    ///
    /// - Parameter steps: The steps that are left for comparisons. Without any, the answer is true.
    func overlaps(_ other: PathGlob, steps: inout Int) -> Bool {
        for one in alternatives {
            for other in other.alternatives where Self.overlap(one, other, &steps) { return true }
        }
        return false
    }

    /// Walks through both at once. A row tells at which places of the other glob a text can be that has come to one
    /// place of this one.
    private static func overlap(_ one: [Part], _ other: [Part], _ steps: inout Int) -> Bool {
        // Most pairs already differ where both are literal.
        var start = 0
        while start < min(one.count, other.count), case .one(let own) = one[start].characters,
            case .one(let its) = other[start].characters
        {
            guard own == its else { return false }
            start += 1
        }
        let (one, other) = (Array(one[start...]), Array(other[start...]))
        var row = [Bool](repeating: false, count: other.count + 1)
        row[0] = true
        for place in 0...one.count {
            steps -= row.count
            guard steps > 0 else { return true }
            let own = place < one.count ? one[place] : nil
            var next = [Bool](repeating: false, count: row.count)
            for index in row.indices where row[index] {
                let its = index < other.count ? other[index] : nil
                // What repeats can also end here.
                if its?.repeats == true { row[index + 1] = true }
                if own?.repeats == true { next[index] = true }
                guard let own, let its, own.meets(its) else { continue }
                switch (own.repeats, its.repeats) {
                case (true, true): break
                case (true, false): row[index + 1] = true
                case (false, true): next[index] = true
                case (false, false): next[index + 1] = true
                }
            }
            if place == one.count { break }
            guard next.contains(true) else { return false }
            row = next
        }
        return row[other.count]
    }
}
