import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassReview
import GlassSchema

/// The policies that a review asks.
struct ReviewPolicies {
    /// The policies.
    var policies = PolicySet.none
    /// Their folder's path below the repository; nil for one on disk.
    var path: String?
    /// What a reader should know about them.
    var notices: [String] = []
}

extension Session {
    /// The policies that a review asks: those of its base, so that a change cannot relax the rules that it is judged by.
    func policies(in named: String?, asOf base: Review.Side) throws -> ReviewPolicies {
        let path = named ?? options.policies
        do throws(GitFailure) {
            let repository = try GitRepository(around: path, budget: git)
            var commit = try repository.commit(base.commit ?? base.name)
            // Told as the user named it, and not by the id that it has.
            commit.name = base.name
            if let tree = try repository.markets(at: commit) {
                return ReviewPolicies(policies: policies(of: MarketFolder(tree)), path: tree.path)
            }
            // Nothing to say of a project without policies.
            let isNew = FileManager.default.fileExists(atPath: path)
            guard isNew || named == nil else {
                throw GitFailure.failed(
                    command: "ls-tree", status: 0, message: "\(base.name) has no folder \(repository.path)")
            }
            guard isNew else { return ReviewPolicies() }
            return ReviewPolicies(notices: [
                "\(base.name) has no \(repository.path): what is in it judges the next change"
            ])
        } catch GitFailure.noRepository where named != nil {
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
    /// The review as policies have it.
    func judged(by policies: ReviewPolicies, base: ReviewedFolder, head: ReviewedFolder) -> PolicyReview {
        judged(by: policies.policies, today: PolicyDate.today) { id in
            // A market that a side does not have, or that does not load there, was told of by the review itself.
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
