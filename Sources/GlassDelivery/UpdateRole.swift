/// The roles of The Update Framework whose metadata a client keeps (specification 1.0, section 2.1).
package enum UpdateRole: String, Sendable, CaseIterable {
    /// Who signs for which role.
    case root
    /// Which snapshot is the newest.
    case timestamp
    /// Which versions of the targets belong together.
    case snapshot
    /// Which files there are.
    case targets
}
