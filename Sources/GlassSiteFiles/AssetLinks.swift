/// The names of a Digital Asset Links file.
enum AssetLinks {
    /// The relation by which a site lets an app open its links.
    static let relation = "delegate_permission/common.handle_all_urls"
}
