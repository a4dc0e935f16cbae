/// The names in a Digital Asset Links file.
enum AssetLinks {
    /// The relation with which a site allows an app to open its links.
    static let relation = "delegate_permission/common.handle_all_urls"
}
