/// When each file of a folder changed last, counted in the folder's generations.
struct FileChanges: Sendable {
    private var last: [String: Int] = [:]
    /// What holds for every other file.
    private var others = 0

    /// How many files are remembered that nobody reads: whoever tells of changes may name any number of them.
    private static let maximumUnknown = 10_000

    /// Whether a file is as it was in a generation.
    func isUnchanged(_ file: String, since generation: Int) -> Bool { last[file, default: others] <= generation }

    /// Whether files are as they were in a generation.
    func areUnchanged(_ files: some Sequence<String>, since generation: Int) -> Bool {
        files.allSatisfy { isUnchanged($0, since: generation) }
    }

    /// A file has changed.
    mutating func change(_ file: String, in generation: Int) { last[file] = generation }

    /// Any file may have changed.
    mutating func changeAll(in generation: Int) { (last, others) = ([:], generation) }

    /// Forgets the files that nobody reads, when they are many. What is being read just now may be one of them, so they
    /// count as changed.
    mutating func forget(except known: some Collection<String>, in generation: Int) {
        guard last.count > known.count + Self.maximumUnknown else { return }
        var kept: [String: Int] = [:]
        for file in known { kept[file] = last[file, default: others] }
        (last, others) = (kept, generation)
    }
}
