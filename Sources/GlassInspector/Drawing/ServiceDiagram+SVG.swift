import GlassBase

extension ServiceDiagram {
    /// The diagram as an SVG document.
    ///
    /// Contains no style sheet and no script: colors are attributes, which the page's style sheet overrides. A box
    /// shows only the service's name; its summary is in its `title` element, which viewers show as a tooltip.
    package var svg: String {
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" font-family="system-ui, sans-serif" font-size="12">
            """,
            "<title>Services by area; the services that a service needs are to its right</title>",
            """
            <defs><marker id="needs" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" \
            orient="auto"><path class="tip" d="M0 0.5 8 4 0 7.5z" fill="#7a8699"/></marker></defs>
            """,
            "<rect class=\"paper\" width=\"\(width)\" height=\"\(height)\" fill=\"#ffffff\"/>",
        ]
        for band in bands {
            let box = band.box
            lines.append(
                "<g class=\"area\" data-area=\"\(band.area.shown)\">\(rectangle(box, radius: 8, "#f4f6f9", "#d5dbe5"))"
                    + "<text x=\"\(box.x + 14)\" y=\"\(box.y + 17)\" fill=\"#5b6675\" font-weight=\"600\">"
                    + "\(band.area.shown)</text></g>")
        }
        // Edges are drawn first, so that they pass behind boxes.
        lines.append("<g class=\"edges\" fill=\"none\" stroke=\"#a9b4c4\" stroke-width=\"1.3\">")
        for (from, others) in needs.enumerated() {
            for to in others {
                lines.append(
                    "<path data-from=\"\(services[from].name.shown)\" data-to=\"\(services[to].name.shown)\" "
                        + "d=\"\(path(from, to))\" marker-end=\"url(#needs)\"/>")
            }
        }
        lines.append("</g>")
        for (index, service) in services.enumerated() { lines.append(node(service, boxes[index])) }
        lines.append("</svg>\n")
        return lines.joined(separator: "\n")
    }

    private func node(_ service: Service, _ box: Box) -> String {
        let kind = "service" + (service.problem == nil ? "" : " broken") + (service.isChanged ? " changed" : "")
        let difference = service.isChanged ? "differs from the default situation" : nil
        let title = ["\(service.name): \(service.summary)", service.problem, difference].compactMap(\.self)
            .joined(separator: " — ")
        // A sign, so that it doesn't depend on color alone.
        let label = (service.isChanged ? "◑ " : "") + label(of: service)
        let (fill, stroke) = service.problem == nil ? ("#ffffff", "#8d99ab") : ("#fdecea", "#b3261e")
        let dashes = service.hasOwnContainer ? " stroke-dasharray=\"4 2\"" : ""
        return "<g class=\"\(kind)\" data-service=\"\(service.name.shown)\"><title>\(title.shown)</title>"
            + rectangle(box, radius: 5, fill, stroke, dashes)
            + "<text x=\"\(box.x + 9)\" y=\"\(box.y + 17)\" fill=\"#1d2530\">\(label.xmlText)</text></g>"
    }

    private func rectangle(_ box: Box, radius: Int, _ fill: String, _ stroke: String, _ more: String = "") -> String {
        "<rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"\(radius)\" "
            + "fill=\"\(fill)\" stroke=\"\(stroke)\"\(more)/>"
    }

    /// A curve from the right side of a box to the left side of a box that it needs.
    ///
    /// An edge that passes other columns runs between two rows of its area and turns in the gap before its target
    /// column, so that it doesn't cross the boxes of a column. An edge within one column, which occurs only between
    /// services that need each other, goes around it.
    private func path(_ from: Int, _ to: Int) -> String {
        let (start, end) = (boxes[from], boxes[to])
        let (x, y) = (start.x + start.width, start.y + start.height / 2)
        let middle = end.y + end.height / 2
        guard end.x > start.x else {
            let side = end.x + end.width
            return "M\(x) \(y)C\(x + 48) \(y) \(side + 48) \(middle) \(side + 1) \(middle)"
        }
        guard columns[to] != columns[from].map({ $0 + 1 }) else {
            let bend = (end.x - x) / 2
            return "M\(x) \(y)C\(x + bend) \(y) \(end.x - bend) \(middle) \(end.x - 1) \(middle)"
        }
        // Offset edges by their starting column, so that they run next to each other.
        let side = 3 + (columns[from] ?? 0) % 4 * 3
        let lane = middle > y ? start.y + start.height + side : start.y - side
        return "M\(x) \(y)C\(x + 16) \(y) \(x + 10) \(lane) \(x + 28) \(lane)H\(end.x - 42)"
            + "C\(end.x - 14) \(lane) \(end.x - 28) \(middle) \(end.x - 1) \(middle)"
    }
}

extension String {
    /// The string escaped for an attribute or element, with invisible characters spelled out.
    fileprivate var shown: String { DisplayText(self).plain.xmlText }
}
