import GlassBase
import GlassMarketFiles
import GlassAuthoring

/// The git checkout that contains the markets, so that a publication can later be traced to a commit.
enum GitWorkingTree {
    /// Lets git ignore the files of a folder with private keys, if the folder is in a checkout.
    ///
    /// - Returns: What the user should know; nil outside of a checkout, and if git ignores the keys already.
    static func ignoreKeys(in folder: String) throws(PublishingError) -> String? {
        do throws(GitFailure) {
            let git = try GitCommand(in: folder, budget: GitBudget(time: .seconds(30), processorTime: .seconds(10)))
            guard try git.run(["rev-parse", "--is-inside-work-tree"]).status == 0,
                try git.run(["check-ignore", "--quiet", "key.pem"]).status != 0
            else { return nil }
        } catch GitFailure.noGit {
            return nil
        } catch {
            throw .impossible("cannot get the state of \(folder) from git: \(error)")
        }
        do throws(FileFailure) {
            // What somebody else ignores stays ignored, and nothing but the keys is added.
            let files = ConfinedDirectory(folder)
            var lines: [UInt8] = []
            do throws(FileFailure) {
                lines = try files.contents(of: ".gitignore", limit: 1 << 20)
            } catch {
                guard error.kind == .missing else { throw error }
            }
            if let last = lines.last, last != 0x0A { lines.append(0x0A) }
            try files.write(lines + Array("*.pem\n".utf8), to: ".gitignore", as: ConfinedDirectory.Writing(mode: 0o644))
        } catch {
            throw .impossible("cannot write \(folder)/.gitignore: \(error.reason)")
        }
        return "\(folder) is in a git checkout, so \(folder)/.gitignore keeps its private keys out of it; "
            + "keep a copy of the keys elsewhere"
    }

    /// The commit that the files of a folder are of, with a plus sign if some have uncommitted changes. `nil` outside of
    /// a repository, and before its first commit.
    static func commit(of folder: String) throws(PublishingError) -> String? {
        let commit: String
        do throws(GitFailure) {
            let git = try GitCommand(in: folder, budget: GitBudget(time: .seconds(30), processorTime: .seconds(10)))
            let answer = try git.run(["rev-parse", "--verify", "--quiet", "HEAD"])
            guard answer.status == 0 else { return nil }
            commit = String(decoding: answer.output, as: UTF8.self).filter { !$0.isNewline }
        } catch GitFailure.noGit {
            return nil
        } catch {
            throw .impossible("cannot get the state of \(folder) from git: \(error)")
        }
        return try uncommittedFiles(in: folder).isEmpty ? commit : "\(commit)+"
    }

    /// The files of a folder with uncommitted changes.
    static func uncommittedFiles(in folder: String) throws(PublishingError) -> [String] {
        do throws(GitFailure) {
            // Git compares every file of the folder with the commit, which can take longer than reading the commit.
            let git = try GitCommand(
                in: folder, budget: GitBudget(time: .seconds(30), processorTime: .seconds(10)))
            guard try git.run(["rev-parse", "--is-inside-work-tree"]).status == 0 else { return [] }
            // The porcelain format does not depend on the user's settings.
            let answer = try git.run(
                [
                    "status", "--porcelain=v1", "--untracked-files=all", "--ignored", "--no-renames", "-z", "--", ".",
                ], limit: 16 << 20)
            guard answer.status == 0 else {
                throw .failed(command: "status", status: answer.status, message: answer.cause)
            }
            // Each entry consists of two status letters, a space, and the name. Of what git ignores, only markets count.
            return answer.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
                .filter { !$0.hasPrefix("!!") || $0.hasSuffix(".lua") }.map { String($0.dropFirst(3)) }
        } catch GitFailure.noGit {
            return []
        } catch {
            throw .impossible("cannot get the state of \(folder) from git: \(error)")
        }
    }
}
