import GlassAuthoring
import GlassMarketFiles

/// Treats bytes as git's output: the first byte is the size of the pieces in which the listing arrives, the second
/// which part of the rest is the listing; the remaining bytes are the output for its contents.
enum FuzzedListing {
    static func check(_ input: [UInt8]) {
        guard input.count >= 2 else { return }
        let rest = input.dropFirst(2)
        let end = rest.startIndex + rest.count * Int(input[1]) / 255
        let (listing, contents) = (rest[..<end], Array(rest[end...]))
        let whole = read(listing, pieces: listing.count)
        precondition(whole == read(listing, pieces: Int(input[0])), "the pieces matter")
        guard case .success(let read) = whole else { return }
        let files = read.files(GitContents(contents, of: read.ids))
        precondition(files.count <= GitRecords.maximumEntries)
        for case .refused(let reason) in files.values { precondition(!reason.isEmpty) }
    }

    private static func read(_ bytes: ArraySlice<UInt8>, pieces: Int) -> Result<GitListing, GitFailure> {
        var listing = GitListing(of: "HEAD")
        var rest = bytes
        do throws(GitFailure) {
            while !rest.isEmpty {
                try listing.take(rest.prefix(max(1, pieces)))
                rest = rest.dropFirst(max(1, pieces))
            }
        } catch {
            return .failure(error)
        }
        return .success(listing)
    }
}
