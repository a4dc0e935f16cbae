import GlassBase

/// A readable diagram of a market's services: a horizontal band for each area, divided into columns so that the
/// services that a service needs are to its right.
///
/// Deterministic: the same services produce the same diagram, in whatever order they are given. Nothing overlaps: each
/// service has its own box in the band of its area.
package struct ServiceDiagram: Sendable {
    /// A service.
    package struct Service: Sendable {
        /// The name, which is unique.
        package let name: String
        /// The area that the service belongs to.
        package let area: String
        /// A one-line summary.
        package let summary: String
        /// The names of the services that it needs. Unknown names are ignored.
        package let needs: [String]
        /// Whether the service has its own container.
        package let hasOwnContainer: Bool
        /// The problem with the service; nil if there is none.
        package let problem: String?
        /// Whether its configuration differs from the default situation.
        package let isChanged: Bool

        /// Creates a service.
        package init(
            name: String, area: String, summary: String, needs: [String], hasOwnContainer: Bool = false,
            problem: String? = nil, isChanged: Bool = false
        ) {
            self.name = name
            self.area = area
            self.summary = summary
            self.needs = needs
            self.hasOwnContainer = hasOwnContainer
            self.problem = problem
            self.isChanged = isChanged
        }
    }

    /// A rectangle in the diagram, in pixels.
    package struct Box: Sendable, Equatable {
        /// The left and top edges.
        package var x, y: Int
        /// The width and height.
        package var width, height: Int
    }

    /// The services, sorted by name.
    package let services: [Service]
    /// The services that each service needs, as indices into ``services``.
    let needs: [[Int]]
    /// The column of each service; nil for a service without any connections.
    let columns: [Int?]
    /// The box of each service.
    package private(set) var boxes: [Box]
    /// The areas with their bands, from top to bottom.
    package private(set) var bands: [(area: String, box: Box)]
    /// The width and height of the diagram.
    let width, height: Int

    private static let (boxHeight, rowGap, columnGap) = (26, 15, 60)
    private static let (margin, padding, titleHeight, bandGap) = (16, 14, 30, 14)
    private static let maximumCharacters = 36

    /// Lays out services.
    package init(_ services: [Service]) {
        let services = services.sorted { $0.name.precedesInUTF8($1.name) }
        let places = Dictionary(services.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let needs = services.map { service in
            Array(Set(service.needs.compactMap { places[$0] })).sorted()
        }
        self.services = services
        self.needs = needs
        let layers = ServiceLayers(areas: services.map(\.area), needs: needs)
        self.columns = layers.columns
        // A column is as wide as its widest box, so that its boxes are aligned.
        let columns = layers.columnCount
        var widths = [Int](repeating: 0, count: columns)
        for (service, column) in layers.columns.enumerated() {
            guard let column else { continue }
            widths[column] = max(widths[column], Self.boxWidth(of: services[service]))
        }
        var left = [Int](repeating: 0, count: columns)
        var x = Self.margin + Self.padding
        for column in 0..<columns {
            left[column] = x
            x += widths[column] + Self.columnGap
        }
        let looseWidth =
            layers.columns.indices.filter { layers.columns[$0] == nil }
            .map { Self.boxWidth(of: services[$0]) }.max() ?? 0
        let inner = max(columns == 0 ? 0 : x - Self.columnGap - Self.margin - Self.padding, looseWidth, 480)
        boxes = [Box](repeating: Box(x: 0, y: 0, width: 0, height: Self.boxHeight), count: services.count)
        bands = []
        var y = Self.margin
        for area in layers.areas {
            let top = y
            y += Self.titleHeight
            var rows = 0
            for column in 0..<columns {
                for (row, service) in (layers.cells[area]?[column] ?? []).enumerated() {
                    boxes[service] = Box(
                        x: left[column], y: y + row * (Self.boxHeight + Self.rowGap), width: widths[column],
                        height: Self.boxHeight)
                    rows = max(rows, row + 1)
                }
            }
            y += rows * (Self.boxHeight + Self.rowGap)
            // Services without connections have no column: they fill rows below the others.
            var (looseX, isRowBegun) = (0, false)
            for service in layers.loose[area] ?? [] {
                let width = Self.boxWidth(of: services[service])
                if isRowBegun, looseX + width > inner {
                    looseX = 0
                    y += Self.boxHeight + Self.rowGap
                }
                boxes[service] = Box(
                    x: Self.margin + Self.padding + looseX, y: y, width: width, height: Self.boxHeight)
                looseX += width + Self.rowGap
                isRowBegun = true
            }
            if isRowBegun { y += Self.boxHeight + Self.rowGap }
            y += Self.padding - Self.rowGap
            let box = Box(x: Self.margin, y: top, width: inner + 2 * Self.padding, height: y - top)
            bands.append((area, box))
            y += Self.bandGap
        }
        width = inner + 2 * (Self.margin + Self.padding)
        height = max(y - Self.bandGap, Self.margin) + Self.margin
    }

    /// The displayed name: truncated if long, with invisible characters spelled out.
    func label(of service: Service) -> String {
        let text = DisplayText(service.name).plain
        return text.count > Self.maximumCharacters ? text.prefix(Self.maximumCharacters - 1) + "…" : text
    }

    /// The width of a box. No font metrics are available, so each character counts as a wide one.
    private static func boxWidth(of service: Service) -> Int {
        let count = min(DisplayText(service.name).plain.count, maximumCharacters)
        return count * 7 + 20
    }
}
