/// A file of the page. The files are embedded in the executable, so nothing has to be installed.
struct PageFile: Sendable, Equatable {
    /// The content type.
    let type: String
    /// The content.
    let bytes: [UInt8]

    /// The files, by request path.
    static let all: [String: PageFile] = [
        "/": html(PackageResources.index_html),
        "/style.css": PageFile(type: "text/css; charset=utf-8", bytes: PackageResources.style_css),
        "/icon.svg": PageFile(type: "image/svg+xml", bytes: PackageResources.icon_svg),
        "/app.js": script(PackageResources.app_js),
        "/dom.js": script(PackageResources.dom_js),
        "/server.js": script(PackageResources.server_js),
        "/links.js": script(PackageResources.links_js),
        "/values.js": script(PackageResources.values_js),
        "/matrix.js": script(PackageResources.matrix_js),
        "/changes.js": script(PackageResources.changes_js),
        "/services.js": script(PackageResources.services_js),
        "/schema.js": script(PackageResources.schema_js),
        "/situation.js": script(PackageResources.situation_js),
    ]

    private static func html(_ bytes: [UInt8]) -> PageFile { PageFile(type: "text/html; charset=utf-8", bytes: bytes) }

    private static func script(_ bytes: [UInt8]) -> PageFile {
        PageFile(type: "text/javascript; charset=utf-8", bytes: bytes)
    }
}
