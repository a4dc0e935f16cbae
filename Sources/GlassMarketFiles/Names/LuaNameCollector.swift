import GlassBase
import GlassSchema
import LuaSyntax

/// Collects the names in a Lua text by Lua's scoping rules ([manual
/// §3.5](https://www.lua.org/manual/5.4/manual.html#3.5)).
///
/// A flat loop over the nodes of the tree and the ends of the open ones, so that no text can exhaust the stack of the
/// thread. It is a class because an unoptimized build copies a struct of this size for each call on it.
final class LuaNameCollector {
    typealias NodeID = LuaTree.NodeID

    /// A node that contains the current one.
    private struct Open {
        let node: NodeID
        let kind: LuaNodeKind
        /// The number of locals before its block, if it has one whose locals end with it.
        var locals: Int?
        /// The keys of a table, each with the token that it was first at.
        var keys: [String: Int] = [:]
        /// The keys whose first value is a table.
        var tables: Set<String> = []
    }

    /// The purpose of a node that means something else than it would elsewhere.
    private enum Role {
        /// A name that the node around it declares.
        case declaration
        /// A name that was noted with the node around it.
        case noted
        /// A variable or field that is assigned.
        case target
        /// The value of the key `handle`.
        case handle
        /// A function that a local will hold, by its index.
        case localValue(Int)
        /// A `handle` parameter that a local will hold, by its index.
        case alias(Int)
        /// A table of the market, with its path.
        case table(ConfigurationPath)
    }

    private struct Local {
        let name: String
        /// The index of the `handle` parameter that it is.
        var parameter: Int?
        /// The index of the function that it holds.
        var function: Int?
    }

    /// A function that a local holds, which may be used as `handle` by its name.
    private struct LocalFunction {
        /// Its parameters, as indices in ``parameters``.
        var parameters: Range<Int> = 0..<0
        /// Whether it is used as `handle`.
        var isHandle = false
        /// Whether its local is also used in another way, so that its parameters may be anything.
        var isUsedOtherwise = false
    }

    /// A parameter of `handle`.
    private struct Parameter {
        let index: Int
        let token: Int
        var members: [LuaNames.Member] = []
        /// Whether it is changed, passed on or used in any way other than by a field or method that is written out.
        var isBareName = false
        /// Whether its function is used only as `handle`.
        var isOfHandle = true
    }

    private let tree: LuaTree
    private let reader: LuaMistakeReader
    private let known: Set<String>
    private let budget: WorkBudget

    private(set) var names = LuaNames()
    /// Whether the text sets its own global environment (`_ENV`).
    private(set) var hasOwnEnvironment = false
    private var open: [Open] = []
    private var roles: [NodeID: Role] = [:]
    /// The variables in scope, in order.
    private var locals: [Local] = []
    /// The indices in ``locals`` of each name, innermost last.
    private var indices: [String: [Int]] = [:]
    private var functionDepth = 0
    private var parameters: [Parameter] = []
    private var functions: [LocalFunction] = []
    /// The number of parameters of functions that are written at `handle`, and of functions that locals hold.
    private var parameterCounts = (ofHandle: 0, ofLocals: 0)

    /// Collects the names in a text. Globals in `known` are not listed.
    init(_ tree: LuaTree, knowing known: Set<String>, budget: WorkBudget) throws(WorkBudget.Exceeded) {
        (self.tree, self.known, self.budget) = (tree, known, budget)
        reader = LuaMistakeReader(tree: tree)
        try budget.spend(tree.tokens.count, on: .positions)
        if let table = tree.returnedTable { roles[table] = .table(ConfigurationPath()) }
        for node in tree.allNodes {
            while let last = open.last, tree.end(of: last.node) <= node { close() }
            try enter(node)
        }
        while !open.isEmpty { close() }
        for function in functions where !function.isHandle || function.isUsedOtherwise {
            for parameter in function.parameters {
                parameters[parameter].isBareName = true
                parameters[parameter].isOfHandle = false
            }
        }
        findSwappedParameters()
        for parameter in parameters where !parameter.isBareName { names.members += parameter.members }
        names.members = Array(names.members.prefix(LuaNames.most))
    }

    private func enter(_ node: NodeID) throws(WorkBudget.Exceeded) {
        let role = roles.removeValue(forKey: node)
        let kind = tree.kind(node)
        var entered = Open(node: node, kind: kind)
        switch kind {
        case .block: enterBlock(&entered)
        case .repeat: entered.locals = locals.count  // the condition is in the scope of the block
        case .local: prepareLocal(node)
        case .for: for target in tree.binding(node).targets { roles[target] = .declaration }
        case .assignment: for target in tree.binding(node).targets { roles[target] = .target }
        case .parameters: for name in tree.children(of: node) { roles[name] = .declaration }
        case .localFunction:
            let function = addFunction()
            if let name = tree.children(of: node).first {
                roles[name] = .declaration
                if let text = tree.name(name) { declare(Local(name: text, function: function)) }
            }
            if let function { roles[node] = .localValue(function) }
        case .function: if let name = tree.children(of: node).first { try noteFunctionName(name) }
        case .functionValue: if let role { roles[node] = role }  // for its block
        case .table:
            if case .table(let path)? = role { noteEntries(of: node, at: path) }
            prepareTable(node, &entered)
        case .literal:
            let token = tree.tokens(of: node).lowerBound
            if open.last?.kind == .operation, tree.tokens[token].kind == .string { noteSum(token) }
        case .name: try enterName(node, role)
        case .chain: if let root = tree.children(of: node).first { try enterChain(node, root, role) }
        default: break
        }
        open.append(entered)
    }

    private func close() {
        let closed = open.removeLast()
        if closed.kind == .block, let kind = open.last?.kind, kind.isFunction { functionDepth -= 1 }
        if let count = closed.locals {
            while locals.count > count, let last = locals.popLast() { _ = indices[last.name]?.popLast() }
        }
        if closed.kind == .local { declareLocals(of: closed.node) }
    }

    // MARK: Scopes

    private func declare(_ local: Local) {
        if local.name == "_ENV" { hasOwnEnvironment = true }
        indices[local.name, default: []].append(locals.count)
        locals.append(local)
    }

    private func enterBlock(_ block: inout Open) {
        guard let outer = open.last else { return }
        if outer.kind != .repeat { block.locals = locals.count }
        if outer.kind == .for {
            for name in tree.binding(outer.node).targets.compactMap(tree.name) { declare(Local(name: name)) }
        } else if outer.kind.isFunction {
            functionDepth += 1
            let role = roles.removeValue(forKey: outer.node)
            if let function = tree.function(outer.node) { declareParameters(of: function, role) }
        }
    }

    private func declareParameters(of function: LuaTree.Function, _ role: Role?) {
        if function.isMethod { declare(Local(name: "self")) }
        let first = parameters.count
        for (index, token) in function.parameters.enumerated() {
            var local = Local(name: tree.text(of: token))
            switch role {
            case .handle where parameterCounts.ofHandle < LuaNames.most:
                parameterCounts.ofHandle += 1
                local.parameter = parameters.count
            case .localValue where parameterCounts.ofLocals < LuaNames.most:
                parameterCounts.ofLocals += 1
                local.parameter = parameters.count
            default: break
            }
            if local.parameter != nil { parameters.append(Parameter(index: index, token: token)) }
            declare(local)
        }
        if case .localValue(let function)? = role { functions[function].parameters = first..<parameters.count }
    }

    /// Adds a function that a local holds; returns nil if there are too many.
    private func addFunction() -> Int? {
        guard functions.count < LuaNames.most else { return nil }
        functions.append(LocalFunction())
        return functions.count - 1
    }

    private func prepareLocal(_ node: NodeID) {
        for target in tree.binding(node).targets { roles[target] = .declaration }
        if let value = functionValue(ofLocal: node), let function = addFunction() {
            roles[value] = .localValue(function)
            roles[node] = .localValue(function)
        } else if let (value, parameter) = parameterValue(ofLocal: node) {
            roles[value] = .alias(parameter)
            roles[node] = .alias(parameter)
        }
    }

    /// The `handle` parameter that is the value of a statement that declares one local.
    private func parameterValue(ofLocal node: NodeID) -> (value: NodeID, parameter: Int)? {
        let parts = tree.binding(node)
        guard parts.targets.count == 1, parts.values.count == 1, let value = parts.values.first,
            tree.kind(value) == .name, let name = tree.name(value), let index = indices[name]?.last,
            let parameter = locals[index].parameter
        else { return nil }
        return (value, parameter)
    }

    /// The function of a statement that declares one local with it.
    private func functionValue(ofLocal node: NodeID) -> NodeID? {
        let parts = tree.binding(node)
        guard parts.targets.count == 1, parts.values.count == 1, let value = parts.values.first else { return nil }
        return tree.kind(value) == .functionValue ? value : nil
    }

    /// Declares locals behind their values, which cannot use them.
    private func declareLocals(of node: NodeID) {
        var (parameter, function): (Int?, Int?)
        switch roles.removeValue(forKey: node) {
        case .localValue(let index)?: function = index
        case .alias(let index)?: parameter = index
        default: break
        }
        for name in tree.binding(node).targets.compactMap(tree.name) {
            declare(Local(name: name, parameter: parameter, function: function))
        }
    }

    // MARK: Tables

    private func prepareTable(_ node: NodeID, _ table: inout Open) {
        for field in tree.fields(of: node) {
            let key: String
            switch field.key {
            case .name(let name): key = name
            case .integer(let number): key = "[\(number)]"
            case .element, .computed: continue
            }
            guard let token = field.keyToken else { continue }
            if tree.tokens[token].kind == .name, key == "handle", let value = field.value { roles[value] = .handle }
            let isTable = field.value.map { tree.kind($0) == .table } ?? false
            if let first = table.keys[key] {
                guard names.duplicates.count < LuaNames.most else { continue }
                names.duplicates.append(
                    LuaNames.Duplicate(
                        key: key, place: tree.position(of: token), first: tree.position(of: first),
                        areTables: isTable && table.tables.contains(key)))
            } else {
                table.keys[key] = token
                if isTable { table.tables.insert(key) }
            }
        }
    }

    /// Notes what sets nothing in a table of the market: keys that are `nil`, and calls of `print`.
    private func noteEntries(of table: NodeID, at path: ConfigurationPath) {
        let isAlone = tree.children(of: table).allSatisfy(isPrint)
        for field in tree.fields(of: table) {
            guard let value = field.value else { continue }
            func entry(_ path: ConfigurationPath, isNil: Bool = false) -> LuaNames.Entry {
                let end = field.separator.map { $0 + 1 } ?? tree.tokens(of: field.node).upperBound
                let tokens = isNil ? tree.tokens(of: value) : tree.tokens(of: field.node).lowerBound..<end
                return LuaNames.Entry(
                    path: path, place: tree.position(of: tree.tokens(of: value).lowerBound),
                    bytes: tree.range(of: tokens), isAlone: isAlone)
            }
            switch field.key {
            case .name(let key):
                if tree.kind(value) == .table { roles[value] = .table(path.appending(key)) }
                guard tree.kind(value) == .literal, tree.tokens[tree.tokens(of: value).lowerBound].kind == .nil,
                    names.nilKeys.count < LuaNames.most
                else { continue }
                names.nilKeys.append(entry(path.appending(key), isNil: true))
            case .element where isPrint(value) && names.prints.count < LuaNames.most: names.prints.append(entry(path))
            default: continue
            }
        }
    }

    /// Whether a value is a call of the global `print`.
    private func isPrint(_ node: NodeID) -> Bool {
        let name = tree.tokens(of: node).lowerBound
        return tree.kind(node) == .chain && tree.tokens[name].kind == .name && tree.text(of: name) == "print"
            && tree.call(node) != nil && indices["print"]?.isEmpty ?? true
    }

    private func noteSum(_ token: Int) {
        guard names.sums.count < LuaNames.most, let sum = reader.sum(ofString: token) else { return }
        // Both operands may be strings.
        if let last = names.sums.last, last.line == sum.line, last.column == sum.column { return }
        names.sums.append(sum)
    }

    /// Finds the `handle` functions that expect the navigation state first.
    private func findSwappedParameters() {
        for (first, second) in zip(parameters.indices, parameters.indices.dropFirst())
        where parameters[first].index == 0 && parameters[second].index == 1 && parameters[first].isOfHandle {
            let tokens = [parameters[first].token, parameters[second].token]
            let variables = tokens.map(tree.text(of:))
            let areNamedSo = ["state", "nav"].contains(variables[0]) && variables[1] == "link"
            let (states, links) = (parameters[first].members, parameters[second].members)
            let mayBeInOrder = (states + links).contains { MarketNameCheck.members[$0.parameter].contains($0.name) }
            let areUsedSo =
                !states.isEmpty && !links.isEmpty
                && states.allSatisfy { MarketNameCheck.members[1].contains($0.name) }
                && links.allSatisfy { MarketNameCheck.members[0].contains($0.name) }
            guard !mayBeInOrder, areNamedSo || areUsedSo else { continue }
            names.swappedParameters.append(
                reader.mistake(
                    at: tokens[0], "handle receives the link first, then the navigation state",
                    hint: "write (\(variables[1]), \(variables[0]))",
                    edits: zip(tokens, variables.reversed()).map { reader.replacing($0, with: $1) }))
            parameters[first].isBareName = true
            parameters[second].isBareName = true
        }
    }

    // MARK: Names

    private func enterName(_ node: NodeID, _ role: Role?) throws(WorkBudget.Exceeded) {
        guard let name = tree.name(node) else { return }
        switch role {
        case .declaration, .noted: break
        case .target: try note(name, at: node, isAssigned: true)
        default:
            guard let index = try note(name, at: node, isAssigned: false) else { return }
            switch role {
            case .handle?: use(locals[index], asHandle: true)
            case .alias?: break  // the members of the other local are the parameter's
            default: use(locals[index], asHandle: false)
            }
        }
    }

    private func enterChain(_ node: NodeID, _ root: NodeID, _ role: Role?) throws(WorkBudget.Exceeded) {
        guard let name = tree.name(root) else { return }
        roles[root] = .noted  // with the part that follows it
        guard let index = try note(name, at: root, isAssigned: false) else { return }
        let parts = tree.children(of: node).dropFirst()
        guard let part = parts.first, let parameter = locals[index].parameter else {
            return use(locals[index], asHandle: false)
        }
        let token = tree.tokens(of: part).lowerBound + 1
        let member: String
        switch (tree.kind(part), tree.tokens[token].kind) {
        case (.member, .name), (.method, .name): member = tree.text(of: token)
        case (.index, .string) where tree.tokens(of: part).count == 3:
            member = String(decoding: tree.value(ofString: token), as: UTF8.self)
        default: return use(locals[index], asHandle: false)
        }
        // A parameter one of whose fields is assigned may have any field.
        if case .target? = role, parts.count == 1 { parameters[parameter].isBareName = true }
        guard parameters[parameter].members.count < LuaNames.most else { return }
        // `state.show(state)` is the same as `state:show()`.
        let passesItself =
            tree.kind(at: token + 1) == .leftParenthesis && tree.kind(at: token + 2) == .name
            && tree.text(of: token + 2) == name
        let isCall =
            !passesItself
            && parts.dropFirst().first.map { [.arguments, .table, .literal].contains(tree.kind($0)) } ?? false
        parameters[parameter].members.append(
            LuaNames.Member(
                parameter: parameters[parameter].index, variable: name, name: member,
                place: tree.position(of: token),
                use: tree.kind(part) == .method
                    ? .methodCall : isCall && tree.kind(part) == .member ? .dotCall : .field,
                sign: (tree.position(of: token - 1), tree.tokens[token - 1].range)))
    }

    /// Notes the variable that `function a.b:c` assigns to, or whose field it sets.
    private func noteFunctionName(_ node: NodeID) throws(WorkBudget.Exceeded) {
        roles[node] = .noted
        let tokens = tree.tokens(of: node)
        guard let name = tree.name(node) else { return }
        if let index = try note(name, at: node, isAssigned: tokens.count == 1) {
            use(locals[index], asHandle: false)
        }
    }

    /// Records a name that is read or assigned. Returns the index of its local, if it is one that is read.
    @discardableResult
    private func note(_ name: String, at node: NodeID, isAssigned: Bool) throws(WorkBudget.Exceeded) -> Int? {
        if name == "_ENV" { hasOwnEnvironment = true }
        if let index = indices[name]?.last {
            guard isAssigned else { return index }
            use(locals[index], asHandle: false, isAssigned: true)
            return nil
        }
        let place = tree.position(of: tree.tokens(of: node).lowerBound)
        let isInFunction = functionDepth > 0
        if !isAssigned { names.read.insert(name) }
        if isAssigned, !isInFunction, names.assigned.insert(name).inserted, names.settings.count < LuaNames.most {
            names.settings.append((name, place))
        }
        guard isAssigned ? isInFunction : !known.contains(name), names.globals.count < LuaNames.most else { return nil }
        try budget.spend(locals.count, on: .positions)
        let isElement = open.last?.kind == .operation && open.dropLast().last?.kind == .table
        let cause =
            isAssigned
            ? nil
            : reader.undefinedName(
                tree.tokens(of: node).lowerBound, isElement: isElement, isInFunction: isInFunction)
        names.globals.append(
            LuaNames.Global(
                name: name, place: place, isAssigned: isAssigned, isInFunction: isInFunction,
                visible: locals.reversed().map(\.name), cause: cause))
        return nil
    }

    /// Records that a local is used as a whole.
    private func use(_ local: Local, asHandle isHandle: Bool, isAssigned: Bool = false) {
        // What gets a link may add fields to it. The navigation state has no others, whoever gets it.
        if let parameter = local.parameter, isAssigned || parameters[parameter].index != 1 {
            parameters[parameter].isBareName = true
        }
        guard let function = local.function else { return }
        if isHandle { functions[function].isHandle = true } else { functions[function].isUsedOtherwise = true }
    }
}

extension LuaNodeKind {
    fileprivate var isFunction: Bool { self == .function || self == .localFunction || self == .functionValue }
}
