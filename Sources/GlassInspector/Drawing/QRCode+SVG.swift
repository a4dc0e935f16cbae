import GlassBase

extension QRCode {
    /// The light margin, in modules, that readers need on each side (6.3.8).
    private static let margin = 4

    /// The code as an SVG element for an HTML document. Always dark on light, because many readers don't read the
    /// inverse.
    ///
    /// - Parameter label: What the code is, for people who don't see it.
    package func svg(label: String) -> String {
        let side = size + 2 * Self.margin
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                guard self[x, y] else {
                    x += 1
                    continue
                }
                let start = x
                while x < size, self[x, y] { x += 1 }
                path += "M\(start + Self.margin) \(y + Self.margin)h\(x - start)v1h-\(x - start)z"
            }
        }
        return "<svg class=\"code\" viewBox=\"0 0 \(side) \(side)\" role=\"img\" "
            + "aria-label=\"\(DisplayText(label).plain.xmlText)\" shape-rendering=\"crispEdges\">"
            + "<rect width=\"\(side)\" height=\"\(side)\" fill=\"#fff\"/><path d=\"\(path)\" fill=\"#000\"/></svg>"
    }
}
