import Foundation
import GlassBase
import Testing

@testable import GlassInspector

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The diagram of services.
@Suite(.timeLimit(.minutes(1)))
struct PictureTests {
    typealias Service = ServiceDiagram.Service

    private static func service(_ name: String, _ area: String, _ needs: [String] = []) -> Service {
        Service(name: name, area: area, summary: "Does \(name).", needs: needs)
    }

    private static let shop = [
        service("Cart", "Shop", ["Prices", "Storage", "Events"]), service("Prices", "Shop", ["Network"]),
        service("Network", "Network", ["Events", "Cookies"]), service("Cookies", "Network"),
        service("Events", "Telemetry", ["Storage"]), service("Storage", "Storage"), service("Clock", "Device"),
        service("Battery", "Device"),
    ]

    /// Services with random needs, including cycles.
    private static func random(_ count: Int, seed: UInt64) -> [Service] {
        var state = seed
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        return (0..<count).map { number in
            let needs = (0..<next(5)).map { _ in "Service\(next(count))" }
            return service("Service\(number)", "Area\(next(7))", needs)
        }
    }

    private static let pictures: [[Service]] = [
        shop, [], [service("Alone", "Area")], (0..<40).map { service("Loose\($0)", "Area") },
        [service("A", "X", ["B"]), service("B", "Y", ["A"]), service("C", "X", ["C"])],
        (0..<60).map { service("S\($0)", "X", $0 == 0 ? [] : ["S\($0 - 1)"]) }, random(200, seed: 1),
        random(33, seed: 7),
    ]

    @Test(arguments: pictures.indices)
    func boxesDoNotOverlapAndAreInTheirAreas(index: Int) {
        let picture = ServiceDiagram(Self.pictures[index])
        for (place, box) in picture.boxes.enumerated() {
            for other in picture.boxes.dropFirst(place + 1) { #expect(!box.overlaps(other)) }
            let band = picture.bands.first { $0.area == picture.services[place].area }
            #expect(band?.box.contains(box) == true, "\(picture.services[place].name)")
        }
        for (place, band) in picture.bands.enumerated() {
            for other in picture.bands.dropFirst(place + 1) { #expect(!band.box.overlaps(other.box)) }
            #expect(ServiceDiagram.Box(x: 0, y: 0, width: picture.width, height: picture.height).contains(band.box))
        }
    }

    @Test func neededServicesAreToTheRight() {
        let picture = ServiceDiagram(Self.shop)
        for (from, others) in picture.needs.enumerated() {
            for to in others { #expect(picture.boxes[from].x + picture.boxes[from].width < picture.boxes[to].x) }
        }
    }

    @Test(arguments: pictures.indices)
    func orderOfServicesDoesNotMatter(index: Int) {
        let services = Self.pictures[index]
        let svg = ServiceDiagram(services).svg
        #expect(ServiceDiagram(services.reversed()).svg == svg)
        #expect(ServiceDiagram(services.shuffled()).svg == svg)
    }

    @Test(arguments: pictures.indices)
    func documentIsXMLWithAllBoxesAndLines(index: Int) throws {
        let picture = ServiceDiagram(Self.pictures[index])
        let reader = SVGReader(picture.svg)
        #expect(reader.isValid)
        #expect(reader.services == picture.services.map(\.name))
        #expect(reader.edges == picture.needs.reduce(0) { $0 + $1.count })
        #expect(reader.areas == picture.bands.map(\.area))
    }

    @Test(arguments: [
        "<img src=x onerror=alert(1)>", "\"><script>alert(1)</script>", "a&b", "]]>", "'", "é\u{202e}x",
        "\u{0}\u{1b}[31m",
        "--", "]]>--><svg onload=x>", String(repeating: "Long", count: 100), "\u{fffe}",
    ])
    func hostileNameIsEscaped(name: String) {
        let services = [
            Service(
                name: name, area: name, summary: name, needs: ["Other", name, "gone"], hasOwnContainer: true,
                problem: name),
            Self.service("Other", "Area"),
        ]
        let reader = SVGReader(ServiceDiagram(services).svg)
        #expect(reader.isValid)
        #expect(Set(reader.elements) == ["svg", "title", "defs", "marker", "path", "rect", "g", "text"])
        #expect(reader.services.contains(name == "\u{fffe}" ? "\\u{fffe}" : DisplayText(name).plain))
        #expect(reader.attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "style" && $0 != "href" })
    }

    @Test func brokenServiceIsMarkedAndExplained() {
        let broken = Service(
            name: "Cart", area: "Shop", summary: "The cart.", needs: [],
            problem: "Cart requires Prices, which is not registered")
        let svg = ServiceDiagram([broken]).svg
        #expect(svg.contains("class=\"service broken\""))
        #expect(svg.contains("<title>Cart: The cart. — Cart requires Prices, which is not registered</title>"))
    }
}

extension ServiceDiagram.Box {
    fileprivate func overlaps(_ other: Self) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }

    fileprivate func contains(_ other: Self) -> Bool {
        x <= other.x && y <= other.y && other.x + other.width <= x + width && other.y + other.height <= y + height
    }
}

/// The contents of an SVG document.
private final class SVGReader: NSObject, XMLParserDelegate {
    private(set) var isValid = false
    private(set) var elements: [String] = []
    private(set) var attributes: Set<String> = []
    private(set) var services: [String] = []
    private(set) var areas: [String] = []
    private(set) var edges = 0

    init(_ text: String) {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        isValid = parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        elements.append(name)
        self.attributes.formUnion(attributes.keys)
        if let service = attributes["data-service"] { services.append(service) }
        if let area = attributes["data-area"] { areas.append(area) }
        if attributes["data-from"] != nil { edges += 1 }
    }
}
