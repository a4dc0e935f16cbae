import Foundation
import GlassBase

/// The manual page of a program, in the macros of man(7) or as Markdown, generated from the declarations that help and
/// parsing use.
struct ManualPage {
    /// A command as ArgumentParser describes it (its `ToolInfoV0`).
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let subcommands: [Command]?
        let arguments: [Argument]?
    }

    /// An argument, an option, or a flag.
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            var text: String { kind == "short" || kind == "longWithSingleDash" ? "-\(name)" : "--\(name)" }
        }

        let kind: String
        let shouldDisplay: Bool
        let isRepeating: Bool
        let sectionTitle: String?
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        let abstract: String?
    }

    private struct Tool: Decodable {
        let command: Command
    }

    private let program: Command
    private let name: String

    private static let globalTitle = "Global options"

    /// Reads the description of the program.
    init(_ description: String, name: String) throws {
        program = try JSONDecoder().decode(Tool.self, from: Data(description.utf8)).command
        self.name = name
    }

    /// The page, ending with a line break.
    var text: String {
        var lines = [
            ".TH \"\(name.uppercased())\" 1", ".SH NAME", "\(escaped(name)) \\- \(escaped(program.abstract ?? ""))",
        ]
        lines += [".SH SYNOPSIS", ".B \(escaped(name))", "[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]"]
        lines += [".SH DESCRIPTION"] + paragraphs(program.discussion)
        let commands = (program.subcommands ?? []).filter { $0.commandName != "help" }
        let options = commands.lazy.compactMap { command in
            command.arguments?.filter { $0.sectionTitle == Self.globalTitle }
        }.first { !$0.isEmpty }
        lines += [".SH GLOBAL OPTIONS"] + (options ?? []).flatMap(item)
        lines.append(".SH COMMANDS")
        for command in commands { lines += section(of: command, path: command.commandName) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(of command: Command, path: String) -> [String] {
        var lines = [".SS \(escaped(path))", escaped(command.abstract ?? "")]
        if let discussion = command.discussion { lines += [".PP"] + paragraphs(discussion) }
        lines += ownArguments(of: command).flatMap(item)
        for inner in command.subcommands ?? [] where inner.commandName != "help" {
            lines += section(of: inner, path: "\(path) \(inner.commandName)")
        }
        return lines
    }

    private func ownArguments(of command: Command) -> [Argument] {
        (command.arguments ?? []).filter { argument in
            argument.shouldDisplay && argument.sectionTitle != Self.globalTitle
                && !(argument.names ?? []).contains { ["help", "version"].contains($0.name) }
        }
    }

    private func item(_ argument: Argument) -> [String] {
        let value = argument.valueName.map { "\\fI\(escaped($0))\\fR" } ?? ""
        let head: String
        if let names = argument.names, !names.isEmpty {
            let texts = names.map { "\\fB\(escaped($0.text))\\fR" }.joined(separator: ", ")
            head = argument.kind == "option" ? "\(texts) \(value)" : texts
        } else {
            head = value + (argument.isRepeating ? " ..." : "")
        }
        return [".TP", head, escaped(text(of: argument))]
    }

    /// How an argument is written on the command line.
    private func head(of argument: Argument) -> String {
        let value = argument.valueName.map { "<\($0)>" } ?? ""
        guard let names = argument.names, !names.isEmpty else { return value + (argument.isRepeating ? " ..." : "") }
        let texts = names.map(\.text).joined(separator: ", ")
        return argument.kind == "option" ? "\(texts) \(value)" : texts
    }

    private func text(of argument: Argument) -> String {
        var text = argument.abstract ?? ""
        if let values = argument.allValues, !values.isEmpty { text += " " + choice(of: values) }
        if let value = argument.defaultValue { text += " The default is \(value)." }
        return text.trimmingCharacters(in: .whitespaces)
    }

    /// A sentence that lists the values of an option.
    private func choice(of values: [String]) -> String {
        guard values.count > 1 else { return "Only \(values.joined())." }
        guard values.count > 2 else { return "Either \(values.joined(separator: " or "))." }
        return "One of \(values.dropLast().joined(separator: ", ")), or \(values[values.count - 1])."
    }

    /// A discussion. Indented lines, such as examples and tables, keep their line breaks.
    private func paragraphs(_ text: String?) -> [String] {
        var lines: [String] = []
        var isLiteral = false
        for line in (text ?? "").components(separatedBy: "\n") {
            let literal = line.hasPrefix("  ")
            if literal != isLiteral, !line.isEmpty || isLiteral {
                lines.append(literal ? ".nf" : ".fi")
                isLiteral = literal
            }
            lines.append(line.isEmpty ? ".PP" : escaped(line))
        }
        return lines + (isLiteral ? [".fi"] : [])
    }

    /// A line of text in which roff finds no request or escape.
    private func escaped(_ text: String) -> String {
        let named = text.replacing(program.commandName, with: name)
        let text = named.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}

// MARK: - Markdown

extension ManualPage {
    /// The page as Markdown, for the documentation of a program.
    var markdown: String {
        let commands = (program.subcommands ?? []).filter { $0.commandName != "help" }
        var lines = ["# Commands of \(name)", "", prose(program.abstract ?? ""), ""]
        lines += ["Generated by `\(name) --generate-markdown-page`.", "", "| Command | Description |", "|---|---|"]
        lines += commands.map { "| [`\($0.commandName)`](#\($0.commandName)) | \(cell($0.abstract ?? "")) |" }
        lines.append("")
        let options = commands.lazy.compactMap { command in
            command.arguments?.filter { $0.sectionTitle == Self.globalTitle }
        }.first { !$0.isEmpty }
        if let options { lines += ["## Global options", ""] + table(options) }
        for command in commands { lines += markdown(of: command, path: command.commandName, level: 2) }
        return lines.joined(separator: "\n")
    }

    private func markdown(of command: Command, path: String, level: Int) -> [String] {
        var lines = ["\(String(repeating: "#", count: level)) \(path)", "", prose(command.abstract ?? ""), ""]
        lines += discussion(command.discussion)
        lines += table(ownArguments(of: command))
        for inner in command.subcommands ?? [] where inner.commandName != "help" {
            lines += markdown(of: inner, path: "\(path) \(inner.commandName)", level: level + 1)
        }
        return lines
    }

    private func table(_ arguments: [Argument]) -> [String] {
        guard !arguments.isEmpty else { return [] }
        return ["| Option | Description |", "|---|---|"]
            + arguments.map { "| \(code(head(of: $0))) | \(cell(text(of: $0))) |" } + [""]
    }

    /// Paragraphs as prose, and indented lines, such as examples, unchanged.
    private func discussion(_ text: String?) -> [String] {
        var lines: [String] = []
        var block: [String] = []
        func endBlock() {
            while block.last == "" { block.removeLast() }
            if !block.isEmpty { lines += ["```text"] + block.map { String($0.dropFirst(2)) } + ["```", ""] }
            block = []
        }
        for line in (text ?? "").components(separatedBy: "\n") {
            if line.hasPrefix("  ") || line.isEmpty && !block.isEmpty {
                block.append(renamed(line))
                continue
            }
            endBlock()
            if line.isEmpty { continue }
            // A line in capitals is the title of the block below it.
            lines += [line == line.uppercased() ? "**\(line.capitalized)**" : prose(line), ""]
        }
        endBlock()
        return lines
    }

    private func renamed(_ text: String) -> String { text.replacing(program.commandName, with: name) }

    private func code(_ text: String) -> String { "`\(text.replacing("|", with: "\\|"))`" }

    /// Text in which nothing but code, between backticks, has a meaning in Markdown.
    private func prose(_ text: String) -> String {
        renamed(text).split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            index % 2 == 1 ? String(part) : String(part.flatMap { "\\*<[#".contains($0) ? ["\\", $0] : [$0] })
        }.joined(separator: "`")
    }

    private func cell(_ text: String) -> String {
        prose(text.replacing("\n", with: " ")).replacing("|", with: "\\|")
    }
}
