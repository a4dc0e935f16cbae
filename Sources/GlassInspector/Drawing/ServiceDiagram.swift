import GlassBase

/// The services of a market as a picture that is read: a band for each area, and in the bands columns, so that what a
/// service needs stands to its right.
///
/// The same services give the same picture, in whatever order they come. Nothing overlaps: each service has a box of its
/// own in the band of its area.
package struct ServiceDiagram: Sendable {
    /// A service.
    package struct Service: Sendable {
        /// Its name; names differ.
        package let name: String
        /// The area that it belongs to.
        package let area: String
        /// What it is for, in one line.
        package let summary: String
        /// The names of the services that it needs. Those that there are not are left out.
        package let needs: [String]
        /// Whether it is made with a container of its own.
        package let hasOwnContainer: Bool
        /// What is wrong with it; nil where nothing is.
        package let problem: String?

        /// Describes a service.
        package init(
            name: String, area: String, summary: String, needs: [String], hasOwnContainer: Bool = false,
            problem: String? = nil
        ) {
            self.name = name
            self.area = area
            self.summary = summary
            self.needs = needs
            self.hasOwnContainer = hasOwnContainer
            self.problem = problem
        }
    }

    /// A rectangle of the picture, in pixels.
    package struct Box: Sendable, Equatable {
        /// Its left and its upper edge.
        package var x, y: Int
        /// How wide and how high it is.
        package var width, height: Int
    }

    /// The services by name.
    package let services: [Service]
    /// Which needs which, as places in ``services``.
    let needs: [[Int]]
    /// The column of each service; nil for one that needs none and that none needs.
    let columns: [Int?]
    /// The box of each service.
    package private(set) var boxes: [Box]
    /// The areas from top to bottom, with their bands.
    package private(set) var bands: [(area: String, box: Box)]
    /// How wide and how high the picture is.
    let width, height: Int

    private static let (boxHeight, rowGap, columnGap) = (26, 15, 60)
    private static let (margin, padding, titleHeight, bandGap) = (16, 14, 30, 14)
    private static let maximumCharacters = 36

    /// Places services.
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
        // A column is as wide as its widest box, so that boxes of a column stand below each other.
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
            // What nobody needs and needs nobody has no column: it fills rows below the others.
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

    /// The name as it is written: cut where it is long, with what cannot be seen written out.
    func label(of service: Service) -> String {
        let text = DisplayText(service.name).plain
        return text.count > Self.maximumCharacters ? text.prefix(Self.maximumCharacters - 1) + "…" : text
    }

    /// As wide as the name: no font is known here, so each character counts as a wide one does.
    private static func boxWidth(of service: Service) -> Int {
        let count = min(DisplayText(service.name).plain.count, maximumCharacters)
        return count * 7 + 20
    }
}
