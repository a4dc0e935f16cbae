import Foundation

/// A random identifier of this installation, as the unit of percentages.
///
/// It is stored with the app's other values, and nothing derives it from the device or the person.
///
/// ```swift
/// let installID = InstallID(in: market.container.get())
/// var context = store.context
/// context["installID"] = .text(try installID.value())
/// try store.update(context: context)
/// ```
///
/// After a reset, this installation has other positions in all percentages, so that it may lose features that it had and
/// get others.
public struct InstallID: Sendable {
    private static let key = StorageKey<String>("flags", "installID")
    private let storage: any StorageAPI

    /// Creates an accessor. The identifier is created when it is first read.
    ///
    /// - Parameter storage: Where it is stored. All markets with the same state folder have the same identifier.
    public init(in storage: any StorageAPI) {
        self.storage = storage
    }

    /// The identifier. It is created at the first call.
    ///
    /// - Returns: A random UUID in lower case.
    /// - Throws: ``StorageError``.
    public func value() throws -> String {
        if let value = try storage.value(for: Self.key) { return value }
        // In a transaction, so that two processes do not create two.
        return try storage.transaction { transaction in
            if let value = try transaction.value(for: Self.key) { return value }
            let value = UUID().uuidString.lowercased()
            try transaction.set(value, for: Self.key)
            return value
        }
    }

    /// Replaces the identifier. Set the new one in the context of the store.
    ///
    /// - Returns: The new identifier.
    /// - Throws: ``StorageError``, in which case the old one stays.
    @discardableResult
    public func reset() throws -> String {
        let value = UUID().uuidString.lowercased()
        try storage.set(value, for: Self.key)
        return value
    }

    /// Deletes the identifier. Remove it from the context of the store; the next call of ``value()`` creates another.
    ///
    /// - Throws: ``StorageError``, in which case it stays.
    public func delete() throws { try storage.set(nil, for: Self.key) }
}
