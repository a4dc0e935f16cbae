/// The style sheet of pages without scripts: the link sheet that the server sends, and static pages.
package enum PageStyle {
    /// The style sheet.
    package static var bytes: [UInt8] { PackageResources.pages_css }

    /// The style sheet as the server sends it.
    static var file: PageFile { PageFile(type: "text/css; charset=utf-8", bytes: bytes) }
}
