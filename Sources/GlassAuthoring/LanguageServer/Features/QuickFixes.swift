import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension ServerState {
    /// The kind of the code action that applies all unambiguous fixes.
    static let fixAllKind = "source.fixAll.glass-host"

    /// `textDocument/codeAction`: the fixes for findings in a range, and an action for all of them.
    ///
    /// Ignores the diagnostics in the request: some clients send their columns in another encoding.
    mutating func codeActions(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        let uri = try parameters.uri()
        let range = try parameters.range()
        guard client.takesLiteralActions, let question = question(uri), let document = documents[uri] else {
            return .array([])
        }
        let wanted = parameters.json["context", "only"]?.arrayValue?.compactMap(\.stringValue)
        func isWanted(_ kind: String) -> Bool {
            wanted?.contains { kind == $0 || kind.hasPrefix($0 + ".") } ?? true
        }
        let folder = folders[question.folder]
        let fixed = folder.findings(of: question.file).filter { $0.fix != nil }
        let diagnostics = Diagnostics(folder: folder.path, encoding: client.encoding)
        let places = TokenRanges(question.lines.bytes)
        var actions: [StrictJSON] = []
        for finding in fixed where isWanted("quickfix") {
            guard let fix = finding.fix, fix.edits.allSatisfy({ $0.start.file == question.file }) else { continue }
            let place = diagnostics.range(of: finding, in: question.lines, places)
            guard question.lines.range(of: place, client.encoding).touches(range) else { continue }
            actions.append(
                .record([
                    "title": .string(fix.title), "kind": .string("quickfix"),
                    "diagnostics": .array([
                        diagnostics.json(of: finding, in: question.lines, places) { _ in nil }
                    ]),
                    "isPreferred": .boolean(fix.isUnambiguous),
                    "edit": edit(fix.edits, of: document.text),
                ]))
        }
        let all = Self.together(fixed.compactMap(\.fix).filter(\.isUnambiguous), in: question.file)
        if !all.isEmpty, wanted != nil ? isWanted(Self.fixAllKind) : actions.count > 0 && fixed.count > 1 {
            actions.append(
                .record([
                    "title": .string("fix all unambiguous problems"), "kind": .string(Self.fixAllKind),
                    "edit": edit(all, of: document.text),
                ]))
        }
        return .array(actions)
    }

    /// The combined edits of several fixes. If fixes overlap or touch, only the first is included.
    private static func together(_ fixes: [Fix], in file: String) -> [SourceEdit] {
        var taken: [SourceEdit] = []
        for fix in fixes where fix.edits.allSatisfy({ $0.start.file == file }) {
            let isFree = fix.edits.allSatisfy { edit in
                taken.allSatisfy {
                    edit.bytes.upperBound < $0.bytes.lowerBound || $0.bytes.upperBound < edit.bytes.lowerBound
                }
            }
            if isFree { taken += fix.edits }
        }
        return taken.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
    }

    private func edit(_ edits: [SourceEdit], of text: TextDocument) -> StrictJSON {
        let edits = StrictJSON.array(
            edits.map { edit in
                .record([
                    "range": text.lines.range(of: edit.bytes, client.encoding).json, "newText": .string(edit.text),
                ])
            })
        guard client.takesDocumentChanges else { return .record(["changes": .object([(text.uri, edits)])]) }
        let document = StrictJSON.record(["uri": .string(text.uri), "version": .number(text.version)])
        return .record([
            "documentChanges": .array([.record(["textDocument": document, "edits": edits])])
        ])
    }
}
