import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension ServerState {
    /// The kind of the code action that applies all unambiguous fixes.
    static let fixAllKind = "source.fixAll.glass-host"

    /// `textDocument/codeAction`: the fixes for findings in a range, an action for all of them, and one for each warning
    /// that the file can accept.
    ///
    /// Ignores the diagnostics in the request: some clients send their columns in another encoding.
    mutating func codeActions(_ parameters: Parameters) throws(ResponseError) -> StrictJSON {
        let uri = try parameters.uri()
        let range = try parameters.range()
        guard client.takesLiteralActions, let question = question(uri), let document = documents[uri]?.text else {
            return .array([])
        }
        let wanted = parameters.json["context", "only"]?.arrayValue?.compactMap(\.stringValue)
        func isWanted(_ kind: String) -> Bool {
            wanted?.contains { kind == $0 || kind.hasPrefix($0 + ".") } ?? true
        }
        let folder = folders[question.folder]
        let found = folder.findings(of: question.file)
        let fixed = found.filter { $0.fix != nil }
        let diagnostics = Diagnostics(folder: folder.path, encoding: client.encoding)
        let places = TokenRanges(question.lines.bytes)
        var actions: [StrictJSON] = []
        func add(_ title: String, isPreferred: Bool, _ edit: StrictJSON, for finding: Finding) {
            actions.append(
                .record([
                    "title": .string(title), "kind": .string("quickfix"),
                    "diagnostics": .array([
                        diagnostics.json(of: finding, in: question.lines, places) { _ in nil }
                    ]),
                    "isPreferred": .boolean(isPreferred), "edit": edit,
                ]))
        }
        let touched =
            isWanted("quickfix")
            ? found.filter {
                let place = diagnostics.range(of: $0, in: question.lines, places)
                return question.lines.range(of: place, client.encoding).touches(range)
            } : []
        for finding in touched {
            guard let fix = finding.fix, fix.edits.allSatisfy({ $0.start.file == question.file }) else { continue }
            add(fix.title, isPreferred: fix.isUnambiguous, edit(fix.edits, of: document), for: finding)
        }
        let fixes = actions.count
        for finding in touched where finding.severity == .warning && finding.position?.file == question.file {
            guard let edits = question.outline.acceptance(of: finding) else { continue }
            let texts = edits.map { TextEdit(bytes: $0.bytes, text: $0.text) }
            add(
                "accept \(finding.rule) with a reason", isPreferred: false,
                edit([(document.uri, document.version, document.lines, texts)]), for: finding)
        }
        let all = Self.together(fixed.compactMap(\.fix).filter(\.isUnambiguous), in: question.file)
        if !all.isEmpty, wanted != nil ? isWanted(Self.fixAllKind) : fixes > 0 && fixed.count > 1 {
            actions.append(
                .record([
                    "title": .string("fix all unambiguous problems"), "kind": .string(Self.fixAllKind),
                    "edit": edit(all, of: document),
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
        edit([(text.uri, text.version, text.lines, edits.map { TextEdit(bytes: $0.bytes, text: $0.text) })])
    }

    /// A replacement of bytes.
    struct TextEdit: Equatable {
        let bytes: Range<Int>
        let text: String
    }

    /// A `WorkspaceEdit` of the protocol. A file that isn't open has no version.
    func edit(_ files: [(uri: String, version: Int?, lines: TextLines, edits: [TextEdit])]) -> StrictJSON {
        let edits = files.map { file in
            StrictJSON.array(
                file.edits.map { edit in
                    .record([
                        "range": file.lines.range(of: edit.bytes, client.encoding).json, "newText": .string(edit.text),
                    ])
                })
        }
        guard client.takesDocumentChanges else {
            return .record(["changes": .object(zip(files, edits).map { ($0.uri, $1) })])
        }
        let changes = zip(files, edits).map { file, edits in
            let version: StrictJSON = file.version.map { .number($0) } ?? .null
            let document = StrictJSON.record(["uri": .string(file.uri), "version": version])
            return StrictJSON.record(["textDocument": document, "edits": edits])
        }
        return .record(["documentChanges": .array(changes)])
    }
}
