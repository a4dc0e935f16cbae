import GlassSchema

/// The values by their paths, to find one that another would be inside of or around.
struct ImportPlaces {
    private var byPath: [ConfigurationPath: Int] = [:]
    /// The first value inside each path.
    private var inside: [ConfigurationPath: Int] = [:]

    mutating func add(_ path: ConfigurationPath, _ index: Int) {
        byPath[path] = index
        for count in 0..<path.elements.count {
            let outer = ConfigurationPath(Array(path.elements.prefix(count)))
            if inside[outer] == nil { inside[outer] = index }
        }
    }

    func index(overlapping path: ConfigurationPath) -> Int? {
        if let index = inside[path] { return index }
        for count in (0...path.elements.count).reversed() {
            if let index = byPath[ConfigurationPath(Array(path.elements.prefix(count)))] { return index }
        }
        return nil
    }
}

extension ConfigurationPath {
    /// Whether one path is, or contains, the other.
    func overlaps(_ other: ConfigurationPath) -> Bool {
        elements.starts(with: other.elements) || other.elements.starts(with: elements)
    }
}

extension ValueType {
    /// Whether values have arbitrary names.
    var isMap: Bool {
        switch self {
        case .map: true
        case .either(let types): types.contains(where: \.isMap)
        default: false
        }
    }
}
