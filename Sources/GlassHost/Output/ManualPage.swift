import Foundation
import GlassBase

/// The manual page of the program, in the macros of man(7), made from the declarations that help and parsing use.
struct ManualPage {
    /// A command as ArgumentParser describes it (its `ToolInfoV0`).
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let subcommands: [Command]?
        let arguments: [Argument]?
    }

    /// An argument, an option or a flag.
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

    /// The page with its last line break.
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
        let own = (command.arguments ?? []).filter { argument in
            argument.shouldDisplay && argument.sectionTitle != Self.globalTitle
                && !(argument.names ?? []).contains { ["help", "version"].contains($0.name) }
        }
        var lines = [".SS \(escaped(path))", escaped(command.abstract ?? "")]
        if let discussion = command.discussion { lines += [".PP"] + paragraphs(discussion) }
        lines += own.flatMap(item)
        for inner in command.subcommands ?? [] where inner.commandName != "help" {
            lines += section(of: inner, path: "\(path) \(inner.commandName)")
        }
        return lines
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
        var text = argument.abstract ?? ""
        if let values = argument.allValues, !values.isEmpty { text += " One of \(values.joined(separator: ", "))." }
        if let value = argument.defaultValue { text += " The default is \(value)." }
        return [".TP", head, escaped(text.trimmingCharacters(in: .whitespaces))]
    }

    /// A discussion: what is indented keeps its lines, as examples and tables do.
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

    /// Text of a line, of which nothing is a request or an escape of roff.
    private func escaped(_ text: String) -> String {
        let named = text.replacing(program.commandName, with: name)
        let text = named.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
