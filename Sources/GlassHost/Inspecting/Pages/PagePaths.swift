/// The names of files on pages: relative to the folder of the markets, whatever its path is on this machine.
struct PagePaths {
    private let folder: String

    /// Creates the names of a folder.
    init(_ folder: String) {
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
    }

    /// A text in which paths of the folder's files begin after the folder. What only contains its name, such as a URL,
    /// is left alone.
    func shown(_ text: String) -> String {
        let text = text.hasPrefix(folder) ? String(text.dropFirst(folder.count)) : text
        return text.replacing(" " + folder, with: " ").replacing("(" + folder, with: "(")
    }
}
