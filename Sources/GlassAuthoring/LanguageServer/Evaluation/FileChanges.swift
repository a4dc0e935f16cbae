/// The generation of the folder in which each file last changed.
struct FileChanges: Sendable {
    private var last: [String: Int] = [:]
    /// The generation of all other files.
    private var others = 0

    /// The maximum number of remembered files that no market reads: a client may report changes of any number of files.
    private static let maximumUnknown = 10_000

    /// Whether a file is unchanged since a generation.
    func isUnchanged(_ file: String, since generation: Int) -> Bool { last[file, default: others] <= generation }

    /// Whether files are unchanged since a generation.
    func areUnchanged(_ files: some Sequence<String>, since generation: Int) -> Bool {
        files.allSatisfy { isUnchanged($0, since: generation) }
    }

    /// Records the change of a file.
    mutating func change(_ file: String, in generation: Int) { last[file] = generation }

    /// Records that any file may have changed.
    mutating func changeAll(in generation: Int) { (last, others) = ([:], generation) }

    /// Forgets the files that no market reads once there are too many. An evaluation that is running may be reading one
    /// of them, so they count as changed.
    mutating func forget(except known: some Collection<String>, in generation: Int) {
        guard last.count > known.count + Self.maximumUnknown else { return }
        var kept: [String: Int] = [:]
        for file in known { kept[file] = last[file, default: others] }
        (last, others) = (kept, generation)
    }
}
