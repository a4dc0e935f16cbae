import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassAuthoring
import GlassSchema

/// The policies of a review.
struct ReviewPolicies {
    /// The policies.
    var policies = PolicySet.none
    /// The path of their folder in the repository; nil for a folder on disk.
    var path: String?
    /// Notices about the policies for the reader.
    var notices: [String] = []
}

extension Session {
    /// The policies of a review. They are read from its base, so that a change cannot relax the rules that apply to it.
    func policies(in named: String?, asOf base: Review.Side) throws -> ReviewPolicies {
        let path = named ?? options.policies
        do throws(GitFailure) {
            let repository = try GitRepository(around: path, budget: git)
            var commit = try repository.commit(base.commit ?? base.name)
            // Use the name that the user gave, rather than the commit's id.
            commit.name = base.name
            if let tree = try repository.markets(at: commit) {
                return ReviewPolicies(policies: policies(of: MarketFolder(tree)), path: tree.path)
            }
            // A project without policies needs no notice.
            let isNew = FileManager.default.fileExists(atPath: path)
            guard isNew || named == nil else {
                throw GitFailure.failed(
                    command: "ls-tree", status: 0, message: "\(base.name) has no folder \(repository.path)")
            }
            guard isNew else { return ReviewPolicies() }
            return ReviewPolicies(notices: [
                "\(base.name) has no \(repository.path): the policies in it apply from the next change on"
            ])
        } catch GitFailure.noRepository where named != nil {
            // A folder that is not in a repository with the base is not part of the change, so it is read from disk.
            return ReviewPolicies(policies: policies(of: MarketFolder(path: path)))
        } catch GitFailure.unknownRevision where named != nil {
            return ReviewPolicies(policies: policies(of: MarketFolder(path: path)))
        } catch {
            throw CommandFailure(status: .impossible, "cannot read the policies: \(error)")
        }
    }

    private func policies(of folder: MarketFolder) -> PolicySet {
        PolicySet(reading: folder, rules: ChangeRule.allCases.map(\.rawValue)) { [console] text in
            console.aside(DisplayText(lines: text))
        }
    }
}

extension Review {
    /// Applies policies to the review.
    func judged(by policies: ReviewPolicies, base: ReviewedFolder, head: ReviewedFolder) -> PolicyReview {
        judged(by: policies.policies, today: FileAcceptances.today) { id in
            // A market that a side does not have, or that does not load there, was already reported by the review
            // itself.
            (
                base: try? base.loader?.toleratingUnknownKeys.check(id).market,  // as above
                head: try? head.loader?.check(id).market  // as above
            )
        } shown: { position in
            guard var place = position, let path = policies.path,
                let name = policies.policies.folder?.name(of: place.file)
            else { return head.shown(position) }
            place.file = path.isEmpty ? name : "\(path)/\(name)"
            return place
        }
    }
}
