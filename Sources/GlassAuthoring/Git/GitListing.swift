import GlassBase
package import GlassMarketFiles

/// Splits the output of `git ls-tree -z` into records as it arrives. Each ends with a zero byte.
package struct GitRecords: Equatable {
    /// The maximum number of entries in a listing, including folders. Trees that refer to each other can expand to any
    /// number.
    package static let maximumEntries = 20_000
    /// The maximum size of a record in bytes: the longest path that a system can open, and the fields before it.
    static let maximumRecordLength = 8_192

    private let revision: String
    private var pending: [UInt8] = []
    private var count = 0

    /// Starts a listing of a commit.
    init(of revision: String) {
        self.revision = revision
    }

    /// Takes the next bytes and passes on complete records.
    mutating func take(_ piece: ArraySlice<UInt8>, _ each: (ArraySlice<UInt8>) -> Void) throws(GitFailure) {
        var rest = piece
        while let end = rest.firstIndex(of: 0) {
            count += 1
            guard count <= Self.maximumEntries else {
                throw .tooLarge(
                    "\(revision) has more than \(Self.maximumEntries.grouped) files and folders there: "
                        + "keep the markets in a separate folder, and name it with --markets DIR")
            }
            try check(pending.count + (end - rest.startIndex))
            if pending.isEmpty {
                each(rest[..<end])
            } else {
                each(pending[...] + rest[..<end])
                pending = []
            }
            rest = rest[(end + 1)...]
        }
        try check(pending.count + rest.count)
        pending += rest
    }

    private func check(_ length: Int) throws(GitFailure) {
        guard length <= Self.maximumRecordLength else {
            throw .tooLarge("\(revision) has a path longer than \(Self.maximumRecordLength.grouped) bytes: rename it")
        }
    }
}

/// The output of `git ls-tree -r -t -z -l`: the files to read, and those that are rejected.
package struct GitListing: Equatable {
    /// A content to read, once for all files that have it.
    struct Blob: Equatable {
        let size: Int
        var names: [String]
    }

    /// The contents to read, by object id.
    private(set) var blobs: [String: Blob] = [:]
    /// The rejected files, with the reason.
    private(set) var refused: [String: MarketTree.File] = [:]

    /// The object ids of the contents to read.
    package var ids: [String] { blobs.keys.sorted() }

    /// The maximum size of a file to read. No market file may be larger.
    static let maximumFileBytes = 1 << 20

    private let revision: String
    private var records: GitRecords
    private var known: Set<String> = []

    /// Starts a listing of a commit.
    package init(of revision: String) {
        self.revision = revision
        records = GitRecords(of: revision)
    }

    /// Takes the next bytes: `MODE TYPE ID SIZE<tab>NAME<nul>` for each entry.
    package mutating func take(_ piece: ArraySlice<UInt8>) throws(GitFailure) {
        var lines = records
        defer { records = lines }
        try lines.take(piece) { add($0) }
    }

    /// The files with their contents.
    package func files(_ contents: GitContents) -> [String: MarketTree.File] {
        var files = refused
        for (id, blob) in blobs {
            let file = contents.files[id] ?? GitContents.missing
            for name in blob.names where files[name] == nil { files[name] = file }
        }
        return files
    }

    private mutating func add(_ record: ArraySlice<UInt8>) {
        guard let tab = record.firstIndex(of: UInt8(ascii: "\t")) else { return }
        let words = record[..<tab].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        let raw = record[(tab + 1)...]
        guard words.count == 4, words[1] != "tree" else { return }
        guard let name = String(validating: raw, as: UTF8.self) else {
            refused[String(decoding: raw, as: UTF8.self)] = .refused("its name is not UTF-8: rename it")
            return
        }
        guard known.insert(name).inserted else {
            refused[name] = .refused("\(revision) contains it twice: check the repository with git fsck")
            return
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let size = Int(words[3]) ?? 0
        switch (words[0], words[1]) {
        case _ where parts.contains { ["", ".", ".."].contains($0) }:
            refused[name] = .refused("its path contains \".\" or \"..\": check the repository with git fsck")
        case ("120000", _):
            refused[name] = .refused("it is a symbolic link in \(revision): replace it with the file")
        case (_, "commit"): refused[name] = .refused("it is a submodule in \(revision)")
        case (_, "blob") where !name.hasSuffix(".lua"):
            refused[name] = .refused("it is not a .lua file, and a commit is read for those only: rename it")
        case (_, "blob") where size > Self.maximumFileBytes:
            refused[name] = .refused("its size is \(size.formattedBytes), more than any market file may have")
        case (_, "blob") where size >= 0: blobs[words[2], default: Blob(size: size, names: [])].names.append(name)
        default: break
        }
    }
}

/// The output of `git cat-file --batch`.
package struct GitContents {
    /// The files, by object id.
    let files: [String: MarketTree.File]

    static let missing = MarketTree.File.refused(
        "this clone does not have its content; run: git fetch --refetch")
    /// The beginning of a file whose content is in Git LFS.
    private static let pointer = Array("version https://git-lfs.github.com/spec/".utf8)

    /// Parses the results for object ids, in order: `ID blob SIZE`, the bytes, a line feed; or `ID missing`.
    package init(_ output: [UInt8], of ids: [String]) {
        var files: [String: MarketTree.File] = [:]
        var rest = output[...]
        for id in ids {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { break }
            let words = rest[..<end].split(separator: UInt8(ascii: " "))
            rest = rest[(end + 1)...]
            guard words.count == 3, words[1].elementsEqual("blob".utf8), words[0].elementsEqual(id.utf8),
                let size = Int(String(decoding: words[2], as: UTF8.self)), (0..<rest.count).contains(size)
            else { continue }
            let bytes = Array(rest.prefix(size))
            rest = rest.dropFirst(size + 1)
            files[id] =
                bytes.starts(with: Self.pointer)
                ? .refused("it is a Git LFS pointer: its text is not in the repository") : .text(bytes)
        }
        self.files = files
    }
}
