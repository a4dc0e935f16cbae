/// The roles of The Update Framework whose metadata a client keeps (specification 1.0, section 2.1).
package enum UpdateRole: String, Sendable, CaseIterable {
    /// Defines which keys sign for each role.
    case root
    /// Names the newest snapshot.
    case timestamp
    /// Lists the versions of the targets metadata that belong together.
    case snapshot
    /// Lists the available files.
    case targets
}
