import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema
import LuaSyntax

extension MarketLint {
    // MARK: Screens

    /// The tabs and screens of the market's own `show` that the module does not list. Without a list, those that are
    /// nearly the name of one that another routable shows.
    var unknownScreens: [Finding] {
        let module = market.schema.module
        return unknown("screen", stated: module.screens, features: module.features.compactMap(\.screen))
            + unknown("tab", stated: module.tabs, features: module.features.compactMap(\.tab))
    }

    private func unknown(_ key: String, stated: [String], features: [String]) -> [Finding] {
        let own = written.filter { $0.path.routable(followedBy: "show", key) != nil }
        guard !own.isEmpty else { return [] }
        /// The routables that show each name.
        var routables: [String: Set<String>] = [:]
        for (id, settings) in self.routables {
            guard let name = key == "tab" ? settings.show?.tab : settings.show?.screen else { continue }
            routables[name, default: []].insert(id)
        }
        for written in own {
            guard let id = written.path.routable, let name = written.text else { continue }
            routables[name, default: []].insert(id)
        }
        let known = Set(features).union(stated)
        return own.compactMap { written in
            guard let id = written.path.routable, let name = written.text, !known.contains(name),
                routables[name]?.count == 1
            else { return nil }
            let others = routables.filter { $0.value != [id] }.keys
            // The name of a new screen is often that of its routable.
            let candidates = known.union(others).union(key == "screen" ? [id] : []).sorted()
            // A list and a detail are two screens, but no app has the tabs "deal" and "deals".
            let near =
                Self.nearName(to: name, in: candidates)
                ?? (key == "tab" ? candidates.first { $0.isPlural(of: name) } : nil)
            let correction = near.map { Correction.spelling(name, meant: $0, isUnambiguous: false) }
            if !stated.isEmpty {
                return warning(
                    .unknownScreen, at: written.position, path: written.path, subject: name,
                    "the app has no \(key) \(name.quotedForMessage)",
                    hint: near.map { "did you mean \($0.quotedForMessage)?" }
                        ?? "add it to the \(key)s that the app declares with showing(\(key)s:)",
                    correction: correction)
            }
            // A routable that is named like its screen is a new one.
            guard let near, name != id else { return nil }
            // Of two such names in one file, the second is reported.
            if let first = own.firstIndex(where: { $0.text == near }),
                let second = own.firstIndex(where: { $0.text == name }), second < first
            {
                return nil
            }
            let user = routables[near].flatMap { $0.sorted().first }
            if user == nil, near == id {
                return warning(
                    .unknownScreen, at: written.position, path: written.path, subject: name,
                    "no other routable shows the screen \(name.quotedForMessage), a name close to that of the routable",
                    hint: "did you mean \(near.quotedForMessage)?", correction: correction)
            }
            return warning(
                .unknownScreen, at: written.position, path: written.path, subject: name,
                "no other routable shows the \(key) \(name.quotedForMessage), but "
                    + (user.map { "\($0) shows \(near.quotedForMessage)" } ?? "the app has \(near.quotedForMessage)"),
                hint: "did you mean \(near.quotedForMessage)?", correction: correction)
        }
    }

    /// The name that differs in so little that it is probably meant. A plural or a number is another name.
    static func nearName(to name: String, in candidates: [String]) -> String? {
        guard name.utf8.count >= 4 else { return nil }
        let stem = name.stem
        let others = candidates.filter { $0 != name && $0.stem != stem }
        guard let near = Suggestion.nearest(to: name, in: others), abs(near.count - name.count) <= 1 else { return nil }
        // One letter, or two swapped ones.
        return Suggestion.distance(Array(name), Array(near), limit: 1) == nil ? nil : near
    }

    // MARK: Preconditions

    /// The market's own preconditions that no link waits for, in any situation.
    var unusedPreconditions: [Finding] {
        let own = Dictionary(
            written.compactMap { written -> (String, WrittenValue)? in
                guard case .key("preconditions")? = written.path.elements.first, written.path.elements.count > 1,
                    case .key(let name) = written.path.elements[1]
                else { return nil }
                return (name, written)
            }
        ) { first, _ in first }
        guard !own.isEmpty, let waited = waitedPreconditions else { return [] }
        return own.sorted { $0.key < $1.key }.compactMap { name, written in
            guard !waited.contains(name),
                let node = source.node(at: ConfigurationPath([.key("preconditions"), .key(name)]))
            else { return nil }
            return warning(
                .unusedPrecondition, at: node.keyPosition ?? node.position,
                path: ConfigurationPath([.key("preconditions"), .key(name)]),
                "no link waits for \(name)",
                hint: "add it to waitForPreconditions of a routable, or remove it")
        }
    }

    /// The names that routables wait for in any situation; nil if one of them waits for all preconditions.
    private var waitedPreconditions: Set<String>? {
        var names: Set<String> = []
        for settings in routables.values {
            switch settings.waitForPreconditions {
            case nil, .all(true)?: return nil
            case .all(false)?: break
            case .named(let named)?: names.formUnion(named)
            }
        }
        // Those of overlays and alternatives, also of base markets.
        for fragment in market.origin.situations?.fragments ?? [] {
            guard case .map(let routables)? = fragment.node.node(at: "routables")?.value else { continue }
            for routable in routables.values {
                guard let node = routable.node(at: "waitForPreconditions") else { continue }
                let values = node.scalars
                if values.contains(.boolean(true)) { return nil }
                names.formUnion(values.compactMap { if case .string(let name) = $0 { name } else { nil } })
            }
        }
        return names
    }

    // MARK: Paths

    /// The paths that no link can have: those with a parameter in braces, as templates have it, and those whose first
    /// segment cannot be the host of a link with one of the market's schemes.
    var unreachablePaths: [Finding] {
        let scheme = market.definition.deepLinking.schemes.first
        return ownPatterns.compactMap { pattern in
            if let finding = bracedParameter(in: pattern) { return finding }
            guard let scheme else { return nil }
            let literal: String
            var isWhole = true
            switch pattern.compiled.segments.first {
            case .literal(let text)?: literal = text
            case .affixed(let parameter)?: (literal, isWhole) = (parameter.text(of: "x"), false)
            case .parameter, .catchAll, nil: return nil
            }
            guard let character = literal.first(where: { !$0.canBeInHost })
            else { return nil }
            let meant = isWhole ? Self.reachable(literal) : nil
            let text = pattern.text
            let whole = meant.flatMap { meant in
                text.firstRange(of: literal).map { text.replacingCharacters(in: $0, with: meant) }
            }
            let escape = character.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
            return warning(
                .unreachablePath, at: pattern.written.position, path: pattern.written.path, subject: text,
                "no link \(scheme)://\(literal.replacing(String(character), with: escape)) is valid, because the part after "
                    + ":// cannot contain \(String(character).quotedForMessage)",
                hint: whole.map { "write \($0.quotedForMessage)" } ?? "begin the path with letters, digits, or hyphens",
                correction: whole.map { .spelling(text, meant: $0, isUnambiguous: false) })
        }
    }

    /// A pattern with a parameter in braces: a link has no braces.
    private func bracedParameter(in pattern: OwnPattern) -> Finding? {
        let text = pattern.text
        guard let start = text.firstIndex(of: "{"), let end = text[start...].firstIndex(of: "}") else { return nil }
        let name = text[text.index(after: start)..<end]
        guard name.first?.isLetter == true, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        else {
            return nil
        }
        let meant = String(text[..<start]) + ":\(name)" + text[text.index(after: end)...]
        let isPattern = (try? RoutePattern(meant)) != nil  // another text is no advice
        return warning(
            .unreachablePath, at: pattern.written.position, path: pattern.written.path, subject: text,
            "patterns do not use braces, so \(String(text[start...end]).quotedForMessage) is not a parameter",
            hint: isPattern ? "write \(meant.quotedForMessage)" : "write a parameter with a colon, such as :\(name)",
            correction: isPattern ? .spelling(text, meant: meant, isUnambiguous: false) : nil)
    }

    /// The segment with hyphens for spaces and without accents; nil if other characters are left.
    private static func reachable(_ literal: String) -> String? {
        let words = literal.split(whereSeparator: \.isWhitespace).joined(separator: "-")
        let plain = words.foldedToASCII
        return plain.isEmpty || plain.contains(where: { !$0.canBeInHost }) ? nil : plain
    }

    /// The deprecated paths that their routable no longer has, although their links must open until the last day.
    var lostDeprecatedPaths: [Finding] {
        let deprecated = written.filter { written in
            written.path.elements.dropFirst(2).starts(with: [.key("deprecated"), .key("paths")])
        }
        guard !deprecated.isEmpty else { return [] }
        let routes = Dictionary(grouping: market.routes, by: \.routableID)
        return deprecated.compactMap { written in
            guard let id = written.path.routable, let text = written.text,
                let deprecated = routables[id]?.deprecated, let own = routes[id],
                isValid("paths", "customPaths", ofRoutable: id),
                !own.contains(where: { $0.pattern == text })
            else { return nil }
            let expires = ConfigurationPath([.key("routables"), .key(id), .key("deprecated"), .key("expires")])
            // Links of a path whose last day is over need not open.
            guard !market.warnings.contains(where: { $0.code == .expiredPath && $0.path == expires }) else {
                return nil
            }
            let near = Suggestion.nearest(to: text, in: own.map(\.pattern))
            return warning(
                .unreachablePath, at: written.position, path: written.path, subject: text,
                "\(id) has no path \(text.quotedForMessage), although its links must open until \(deprecated.expires)",
                hint: near.map { "did you mean \($0.quotedForMessage)?" }
                    ?? "add it to the paths of the routable, or remove it here",
                correction: near.map { .spelling(text, meant: $0, isUnambiguous: false) })
        }
    }

    // MARK: Parameters

    /// The parameters of paths that the market's own routable does not read.
    var unreadParameters: [Finding] {
        // One look at a routable serves all of its patterns, and one at a file all of its functions.
        var trees: [String: LuaTree] = [:]
        var readers: [String: ((String) -> Bool)?] = [:]
        for pattern in ownPatterns where readers[pattern.id] == nil {
            readers[pattern.id] = .some(reader(ofRoutable: pattern.id, &trees))
        }
        return ownPatterns.flatMap { pattern -> [Finding] in
            guard let settings = routables[pattern.id], let isRead = readers[pattern.id] ?? nil else { return [] }
            return pattern.compiled.segments.compactMap { segment in
                switch segment {
                case .literal, .catchAll: return nil
                case .parameter, .affixed: break
                }
                guard let name = segment.parameterName, !isRead(name), !name.isOnlyForReaders,
                    segment.type != .named(.slug)
                else { return nil }
                return warning(
                    .unreadParameter, at: pattern.written.position, path: pattern.written.path, subject: name,
                    "\(pattern.id) does not read the parameter \(name)",
                    hint: settings.show == nil
                        ? "read link.parameters.\(name), or name it _\(name) if its value is not needed"
                        : "show it with \(name) = \"{\(name)}\", or name it _\(name) if its value is not needed")
            }
        }
    }

    /// Whether a routable of the market reads a parameter; nil if that is not known.
    private func reader(ofRoutable id: String, _ trees: inout [String: LuaTree]) -> ((String) -> Bool)? {
        guard let settings = routables[id], !variesShow(of: id), isValid("show", ofRoutable: id) else { return nil }
        if let show = settings.show {
            // Without parameters of its own, it shows all of them. A tab's root takes none.
            guard let parameters = show.parameters else { return show.screen == nil ? { _ in false } : nil }
            var names: Set<String> = []
            for text in parameters.values {
                do throws(LinkTemplateError) {
                    names.formUnion(try LinkTemplate(text).parameterNames)
                } catch {
                    return nil  // reported where it is read
                }
            }
            return { names.contains($0) }
        }
        guard settings.handle != nil,
            let position = source.node(at: ConfigurationPath([.key("routables"), .key(id), .key("handle")]))?.position,
            let file = market.origin.files.first(where: { $0.file == position.file })
        else { return nil }
        let tree = trees[position.file] ?? LuaTree(file.bytes)
        trees[position.file] = tree
        return LuaParameterReads(tree, functionAt: position)?.contains
    }

    /// The paths of the market's own routables that lack what `show` requires, so that each of their links is declined.
    var missingParameters: [Finding] {
        ownPatterns.compactMap { pattern in
            guard let show = routables[pattern.id]?.show, !variesShow(of: pattern.id),
                isValid("show", ofRoutable: pattern.id)
            else { return nil }
            let given = Set(pattern.compiled.parameterNames)
            let missing = show.requires.compactMap { name -> String? in
                guard let parameters = show.parameters else { return given.contains(name) ? nil : name }
                guard let text = parameters[name] else { return nil }
                do throws(LinkTemplateError) {
                    return try LinkTemplate(text).parts.lazy.compactMap { part in
                        guard case .parameter(let name, nil) = part, !given.contains(name) else { return nil }
                        return name
                    }.first
                } catch {
                    return nil  // reported where it is read
                }
            }
            guard let name = missing.first else { return nil }
            let other =
                show.parameters == nil
                ? "remove it from requires" : "give the placeholder a default, as in {\(name)|none}"
            return warning(
                .missingParameter, at: pattern.written.position, path: pattern.written.path,
                subject: missing.joined(separator: " "),
                "this path has no parameter \(name), which \(pattern.id) requires, so each of its links is declined",
                hint: "add :\(name) to the path, or \(other)")
        }
    }

    /// The parameters of paths that accept any text, although their feature declines links with most of it.
    var declinedParameters: [Finding] {
        ownPatterns.compactMap { pattern in
            guard let type = market.module.routables.first(where: { $0.feature.id == pattern.id }),
                let judge = type as? any DecliningRoutable.Type, isOpenedByModule(pattern.id),
                // A sample has a word for a parameter without a type.
                let sample = RouteTable.matchedSample(of: pattern.text), !judge.accepts(sample)
            else { return nil }
            var meant = pattern.text
            var changed: [(name: String, type: ParameterType)] = []
            for case .parameter(let name, nil) in pattern.compiled.segments {
                guard let type = type.feature.type(ofParameter: name), let place = meant.firstRange(of: ":\(name)")
                else { continue }
                meant = meant.replacingCharacters(in: place, with: ":\(name)(\(type))")
                changed.append((name, type))
            }
            guard let first = changed.first, let link = RouteTable.matchedSample(of: meant), judge.accepts(link)
            else { return nil }
            let what = first.type.named?.declaration.phrase ?? "a value of the type \(first.type)"
            return warning(
                .declinedParameter, at: pattern.written.position, path: pattern.written.path, subject: first.name,
                "\(pattern.id) takes \(what) as \(first.name), so it declines links with any other value",
                hint: "write \(meant.quotedForMessage)",
                correction: .spelling(pattern.text, meant: meant, isUnambiguous: true))
        }
    }

    /// Whether the routable of the module opens the links, and not a screen or a function of the market.
    private func isOpenedByModule(_ id: String) -> Bool {
        guard let settings = routables[id], isValid("show", "handle", "handler", ofRoutable: id) else { return false }
        return settings.show == nil && settings.handle == nil && settings.handler == nil && !variesShow(of: id)
    }

    // MARK: Reading the market

    /// Whether what a routable shows depends on the situation.
    private func variesShow(of id: String) -> Bool {
        (market.origin.situations?.fragments ?? []).contains { fragment in
            let node = fragment.node.node(at: ConfigurationPath([.key("routables"), .key(id), .key("show")]))
            var isVaried = false
            node?.forEachVaried { _, _ in isVaried = true }
            return isVaried || fragment.overlay != nil && node != nil
        }
    }
}

extension Feature {
    /// The type that a parameter has in the feature's own paths.
    fileprivate func type(ofParameter name: String) -> ParameterType? {
        for path in paths {
            guard let pattern = try? RoutePattern(path) else { continue }  // a finding of the module
            for case .parameter(let own, let type?) in pattern.segments where own == name { return type }
        }
        return nil
    }
}

extension ConfigurationNode {
    /// The values in a list, a directive or alternatives.
    fileprivate var scalars: [ConfigurationValue] {
        var scalars: [ConfigurationValue] = []
        visit([.lists, .directives, .alternatives]) { visited in
            switch visited.node.value {
            case .list, .varied: return true
            case .directive(let directive):
                switch directive.kind {
                case .append, .prepend: return true
                case .remove, .unset, .vary: break
                }
            default: break
            }
            scalars.append(visited.node.value)
            return false
        }
        return scalars
    }
}

extension MarketLint.OwnPattern {
    /// The pattern that a file writes at this place; nil for any other value.
    init?(_ written: WrittenValue) {
        guard let id = written.path.routable, written.path.isPattern, let text = written.text else { return nil }
        do throws(RoutePatternError) {
            self.init(id: id, text: text, compiled: try RoutePattern(text), written: written)
        } catch {
            return nil  // an overlay's pattern has its own finding
        }
    }
}

extension ConfigurationPath {
    /// Whether a path is that of a route's pattern.
    var isPattern: Bool {
        elements.count == 4 && elements[0] == .key("routables")
            && (elements[2] == .key("paths") || elements[2] == .key("customPaths"))
    }

    /// The id of the routable that a path is about.
    fileprivate var routable: String? {
        guard elements.count > 1, elements[0] == .key("routables"), case .key(let id) = elements[1] else { return nil }
        return id
    }

    /// The id of the routable, if these keys follow it.
    fileprivate func routable(followedBy keys: String...) -> String? {
        elements.dropFirst(2).elementsEqual(keys.map { .key($0) }) ? routable : nil
    }
}

extension String {
    /// The name without the end that makes a plural or a numbered name.
    fileprivate var stem: String {
        var stem = lowercased()[...]
        while let last = stem.last, last == "s" || last == "e" || last.isNumber { stem = stem.dropLast() }
        return String(stem)
    }

    /// Whether one of two names has an `s` more at its end.
    fileprivate func isPlural(of other: String) -> Bool { self == other + "s" || other == self + "s" }

    /// Whether a parameter with this name only makes a link readable.
    fileprivate var isOnlyForReaders: Bool {
        hasPrefix("_") || ["slug", "name", "title", "seo"].contains { lowercased().hasSuffix($0) }
    }

    fileprivate func replacingCharacters(in range: Range<String.Index>, with other: String) -> String {
        self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}

extension Character {
    /// Whether the host of a link with a custom scheme can contain the character (RFC 3986, a segment without a colon or
    /// an at sign).
    fileprivate var canBeInHost: Bool { isASCII && (isLetter || isNumber || "-._~!$&'()*+,;=".contains(self)) }
}
