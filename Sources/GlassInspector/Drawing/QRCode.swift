/// A QR code (ISO/IEC 18004) of a text, for a device that reads a link from a page or a sheet of paper.
///
/// The text is encoded in byte mode with error correction level M, in the smallest version that has room for it. The
/// section numbers in the comments are those of ISO/IEC 18004:2015.
package struct QRCode: Sendable, Equatable {
    /// The maximum length of a text in UTF-8 bytes: the capacity of version 40.
    static let maximumBytes = QRVersion(40).capacity

    /// The number of modules on each side, without the margin.
    package let size: Int

    /// The version, from 1 to 40.
    let version: Int

    /// The index of the mask, from 0 to 7.
    let mask: Int

    /// The modules row by row; true is dark.
    let modules: [Bool]

    /// Creates the code of a text; nil if the text exceeds ``maximumBytes``.
    package init?(_ text: String) {
        guard let version = QRVersion.smallest(for: text.utf8.count) else { return nil }
        let grid = QRGrid(version, codewords: version.codewords(of: Array(text.utf8)))
        // Readers expect the mask with the lowest penalty (7.8.3); the first one, if several have the same.
        let masks = (0..<8).map { grid.masked(with: $0) }
        let best = masks.min { $0.penalty < $1.penalty } ?? masks[0]
        self.init(best, version)
    }

    /// Creates the code of a text in a version and with a mask, both of which the test vectors give.
    init(_ text: String, version: QRVersion, mask: Int) {
        self.init(QRGrid(version, codewords: version.codewords(of: Array(text.utf8))).masked(with: mask), version)
    }

    private init(_ symbol: QRSymbol, _ version: QRVersion) {
        size = version.size
        self.version = version.number
        mask = symbol.mask
        modules = symbol.modules
    }

    /// Whether a module is dark.
    subscript(x: Int, y: Int) -> Bool { modules[y * size + x] }
}
