import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax

/// Renames a parameter of a routable's paths, such as `week` in `flyers/:week`, with the templates of `show` that use it.
///
/// Only the market's own file may have it: a Lua handler, the app, or another file that uses it would be left behind.
extension ServerState {
    /// A parameter at the cursor.
    struct LinkParameter {
        let routable: String
        let name: String
        /// The bytes of the name.
        let range: Range<Int>
    }

    /// The parameter at the cursor; nil if there is none.
    func parameter(at question: CursorContext) -> LinkParameter? {
        guard case .value(let entry) = question.outline.place(at: question.offset) else { return nil }
        return parameters(in: entry, question).first {
            $0.range.lowerBound <= question.offset && question.offset <= $0.range.upperBound
        }
    }

    /// The edits that rename a parameter in its file.
    func edits(renaming parameter: LinkParameter, to new: String, _ question: CursorContext) throws(ResponseError)
        -> [TextEdit]
    {
        let folder = folders[question.folder]
        guard StringFormat.identifier.matches(new) else {
            throw .refusedRename("\(new.quotedForMessage) is not valid; write \(StringFormat.identifier.expectation)")
        }
        let routable = parameter.routable
        if folder.loader.module.features.contains(where: { $0.id == routable }) {
            throw .refusedRename(
                "the app's code for \(routable) reads the parameters of its paths; rename it there, too, by hand")
        }
        var edits: [TextEdit] = []
        for entry in question.outline.entries.indices {
            let path = question.path(of: entry)
            guard path.elements.starts(with: [.key("routables"), .key(routable)]) else { continue }
            if path.elements.count == 3, [.key("handle"), .key("handler")].contains(path.elements[2]) {
                throw .refusedRename("the handler of \(routable) may read \(parameter.name); rename it by hand")
            }
            let found = parameters(in: entry, question)
            if found.contains(where: { $0.name == new }) {
                throw .refusedRename("\(routable) already has the parameter \(new); choose another name")
            }
            edits += found.filter { $0.name == parameter.name }.map { TextEdit(bytes: $0.range, text: new) }
        }
        try requireOnlyUse(of: parameter, question)
        return edits
    }

    /// Refuses if another file of the folder uses the parameter below the routable's name: a market that extends this one,
    /// or its base.
    private func requireOnlyUse(of parameter: LinkParameter, _ question: CursorContext) throws(ResponseError) {
        let folder = folders[question.folder].current.folder
        let own = folder.name(of: question.file)
        let (segment, placeholder) = (":\(parameter.name)", "{\(parameter.name)")
        let names: [String]
        do throws(MarketFolderError) {
            names = try folder.fileIDs().map { "\($0).lua" }
        } catch {
            throw .refusedRename("\(error)")
        }
        for name in names where name != own {
            let bytes: [UInt8]
            do throws(MarketFolderError) {
                bytes = try folder.read(include: name, limit: Outline.maximumTextBytes).bytes
            } catch {
                throw .refusedRename("\(error)")
            }
            let outline = Outline(bytes)
            for entry in outline.entries {
                guard case .string(let text) = entry.value, text.contains(segment) || text.contains(placeholder) else {
                    continue
                }
                var parent = entry.parent
                while let index = parent {
                    guard outline.entries[index].key != .key(parameter.routable) else {
                        throw .refusedRename("\(name) uses the parameter \(parameter.name), too; rename it by hand")
                    }
                    parent = outline.entries[index].parent
                }
            }
        }
    }

    /// The parameters that a text of a routable names: `:week` in a pattern, `{week}` in a template.
    private func parameters(in entry: Int, _ question: CursorContext) -> [LinkParameter] {
        guard case .string(let text) = question.outline.entries[entry].value else { return [] }
        let keys = question.path(of: entry).elements
        guard keys.count >= 4, keys[0] == .key("routables"), case .key(let routable) = keys[1] else { return [] }
        let bytes = question.outline.tree.range(of: question.outline.entries[entry].tokens)
        // A text with an escape has other offsets.
        guard bytes.count == text.utf8.count + 2 else { return [] }
        func found(_ matches: some Sequence<Range<String.Index>>) -> [LinkParameter] {
            matches.map { range in
                let start = bytes.lowerBound + 1 + text.utf8.distance(from: text.startIndex, to: range.lowerBound)
                let name = String(text[range])
                return LinkParameter(routable: routable, name: name, range: start..<start + name.utf8.count)
            }
        }
        switch (keys[2], keys.count) {
        case (.key("paths"), 4), (.key("customPaths"), 4):
            return found(
                text.matches(of: /(?:^|\/):([A-Za-z][A-Za-z0-9_]*)/).map {
                    $0.output.1.startIndex..<$0.output.1.endIndex
                })
        case (.key("show"), 5) where keys[3] == .key("parameters"):
            // Two braces are a brace, and no placeholder.
            return found(
                text.matches(of: /(\{+)([A-Za-z][A-Za-z0-9_]*)[|}]/).filter { !$0.output.1.count.isMultiple(of: 2) }
                    .map { $0.output.2.startIndex..<$0.output.2.endIndex })
        default: return []
        }
    }
}
