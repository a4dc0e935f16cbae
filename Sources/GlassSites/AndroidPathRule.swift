/// A path attribute of the `data` element in an intent filter, with Android's evaluation.
///
/// Follows Android's `PatternMatcher`, over UTF-16 code units of the decoded path, including its quirks: in a simple
/// glob, `.*` stops at the first occurrence of what follows, and an escaped dot outside `.*` still matches any
/// character; an advanced glob is greedy and never backtracks.
///
/// ```swift
/// print(AndroidPathRule.advancedPattern("/ip/[0-9]+").matches(path: "/ip/42"))  // true
/// ```
package enum AndroidPathRule: Sendable, Hashable {
    /// `android:path`: the whole path.
    case path(String)
    /// `android:pathPrefix`: the start of the path.
    case prefix(String)
    /// `android:pathPattern`: a simple glob.
    case pattern(String)
    /// `android:pathAdvancedPattern`: an advanced glob, for API 31 and later. Earlier levels ignore it.
    case advancedPattern(String)

    /// The attribute's name, without `android:`.
    package var attribute: String {
        switch self {
        case .path: "path"
        case .prefix: "pathPrefix"
        case .pattern: "pathPattern"
        case .advancedPattern: "pathAdvancedPattern"
        }
    }

    /// The attribute's value, without XML escapes.
    package var value: String {
        switch self {
        case .path(let text), .prefix(let text), .pattern(let text), .advancedPattern(let text): text
        }
    }

    /// Whether API levels below 31 evaluate the rule.
    package var isKnownBelowAPI31: Bool {
        if case .advancedPattern = self { return false }
        return true
    }

    /// Whether a path matches.
    package func matches(path: String) -> Bool {
        switch self {
        case .path(let text): text.utf16.elementsEqual(path.utf16)
        case .prefix(let text): path.utf16.starts(with: text.utf16)
        case .pattern(let text): AndroidSimpleGlob(text).matches(path)
        case .advancedPattern(let text): AndroidAdvancedGlob(text)?.matches(path) ?? false
        }
    }
}

/// A pattern of `android:pathPattern`.
///
/// A pattern is a sequence of steps; each is one code unit or a repetition. A repetition of `.` extends to a stop unit.
struct AndroidSimpleGlob {
    private enum Step {
        case one(UInt16)
        case anyOne
        case many(UInt16)
        /// Everything up to the first stop unit, and that unit.
        case through(UInt16)
        /// Everything, if at least one unit is left or the glob ends here.
        case rest
    }

    private let steps: [Step]
    private let isEmpty: Bool

    init(_ text: String) {
        let units = Array(text.utf16)
        isEmpty = units.isEmpty
        var steps: [Step] = []
        var index = 0
        func unit(_ index: Int) -> UInt16 { index < units.count ? units[index] : 0 }
        while index < units.count {
            let isEscaped = units[index] == 0x5C
            if isEscaped { index += 1 }
            let current = unit(index)
            index += 1
            guard unit(index) == 0x2A else {
                // Android checks only for the dot here, escaped or not.
                steps.append(current == 0x2E ? .anyOne : .one(current))
                continue
            }
            index += 1
            guard current == 0x2E && !isEscaped else {
                steps.append(.many(current))
                continue
            }
            if index >= units.count {
                steps.append(.rest)
                break
            }
            if unit(index) == 0x5C { index += 1 }
            steps.append(.through(unit(index)))
            index += 1
        }
        self.steps = steps
    }

    func matches(_ path: String) -> Bool {
        let units = Array(path.utf16)
        if isEmpty { return units.isEmpty }
        var position = 0
        for (index, step) in steps.enumerated() {
            guard position < units.count else {
                // At the end of the path, only an unescaped `.*` as the last step still matches.
                guard case .rest = step else { return false }
                return index == steps.count - 1
            }
            switch step {
            case .one(let wanted):
                if units[position] != wanted { return false }
                position += 1
            case .anyOne: position += 1
            case .many(let wanted): while position < units.count && units[position] == wanted { position += 1 }
            case .through(let stop):
                guard let found = units[position...].firstIndex(of: stop) else { return false }
                position = found + 1
            case .rest: return true
            }
        }
        return position == units.count
    }
}

/// A pattern of `android:pathAdvancedPattern`.
struct AndroidAdvancedGlob {
    private struct Step {
        /// Inclusive ranges of units; `nil` matches any unit.
        var ranges: [ClosedRange<UInt16>]?
        var isInverted = false
        var least = 1
        var most = 1
    }

    /// The size of Android's buffer for a parsed pattern.
    private static let storage = 2_048

    private var steps: [Step] = []

    /// Parses a pattern; `nil` if Android rejects it.
    init?(_ text: String) {
        let units = Array(text.utf16)
        guard units.count <= AndroidAdvancedGlob.storage - 3 else { return nil }
        var index = 0
        var canRepeat = false
        while index < units.count {
            switch units[index] {
            case 0x5B:  // [
                guard let (step, end) = AndroidAdvancedGlob.set(units, after: index) else { return nil }
                steps.append(step)
                index = end
                canRepeat = true
            case 0x2A, 0x2B:  // * +
                guard canRepeat else { return nil }
                steps[steps.count - 1].least = units[index] == 0x2A ? 0 : 1
                steps[steps.count - 1].most = .max
                index += 1
                canRepeat = false
            case 0x7B:  // {
                guard canRepeat, let close = units[index...].firstIndex(of: 0x7D) else { return nil }
                let text = String(decoding: units[index + 1..<close], as: UTF16.self)
                let parts = text.split(separator: ",", omittingEmptySubsequences: false)
                guard let least = parts.first.flatMap({ Int($0) }), parts.count <= 2 else { return nil }
                var most = least
                if parts.count == 2 {
                    guard let bound = parts[1].isEmpty ? Int.max : Int(parts[1]) else { return nil }
                    most = bound
                }
                steps[steps.count - 1].least = least
                steps[steps.count - 1].most = most
                index = close + 1
                canRepeat = false
            case 0x2E:  // .
                steps.append(Step(ranges: nil))
                index += 1
                canRepeat = true
            default:
                if units[index] == 0x5C { index += 1 }
                guard index < units.count else { return nil }
                steps.append(Step(ranges: [units[index]...units[index]]))
                index += 1
                canRepeat = true
            }
        }
    }

    private static func set(_ units: [UInt16], after open: Int) -> (Step, Int)? {
        var step = Step(ranges: [])
        var index = open + 1
        if index < units.count && units[index] == 0x5E {
            step.isInverted = true
            index += 1
        }
        while index < units.count && units[index] != 0x5D {
            if units[index] == 0x5C { index += 1 }
            guard index < units.count else { return nil }
            let lower = units[index]
            if index + 2 < units.count && units[index + 1] == 0x2D && units[index + 2] != 0x5D {
                index += 2
                if units[index] == 0x5C { index += 1 }
                guard index < units.count else { return nil }
                // A reversed range matches nothing.
                if lower <= units[index] { step.ranges?.append(lower...units[index]) }
            } else {
                step.ranges?.append(lower...lower)
            }
            index += 1
        }
        guard index < units.count, index > open + (step.isInverted ? 2 : 1) else { return nil }
        return (step, index + 1)
    }

    func matches(_ path: String) -> Bool {
        let units = Array(path.utf16)
        var position = 0
        for step in steps {
            guard step.least <= step.most else { return false }
            var count = 0
            while count < step.most && position < units.count {
                let unit = units[position]
                if let ranges = step.ranges, ranges.contains(where: { $0.contains(unit) }) == step.isInverted { break }
                position += 1
                count += 1
            }
            if count < step.least { return false }
        }
        return position == units.count
    }
}
