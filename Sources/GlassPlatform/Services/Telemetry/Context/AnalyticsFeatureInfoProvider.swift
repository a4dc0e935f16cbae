import GlassBase

/// Stores the store, membership, customer, and location in the app's storage, so that extensions can read them, too.
///
/// ```swift
/// let info = AnalyticsFeatureInfoProvider(storage: container.get())
/// try info.setAnalyticsStoreID("3520")
/// ```
///
/// Reading never fails: if the storage cannot be read, the last known value is used, and the failure is logged.
public final class AnalyticsFeatureInfoProvider: AnalyticsFeatureInfo {
    private struct Known {
        var storeID: String?
        var membership: AnalyticsMembership?
        var customer: AnalyticsCustomerInfo?
        var location: AnalyticsLocationInfo?
    }

    private static let storeIDKey = StorageKey<String>("analytics", "storeID")
    private static let membershipKey = StorageKey<AnalyticsMembership>("analytics", "membership")
    private static let customerKey = StorageKey<AnalyticsCustomerInfo>("analytics", "customer")
    private static let locationKey = StorageKey<AnalyticsLocationInfo>("analytics", "location")

    private let storage: (any StorageAPI)?
    private let known = Lock(Known())
    private let logger = SafeLogger(label: "glass.analytics")

    /// Creates the provider.
    ///
    /// - Parameter storage: The storage for the information; `nil` keeps it in memory.
    public init(storage: (any StorageAPI)? = nil) {
        self.storage = storage
    }

    /// The store's number, or `nil` if none is selected.
    public var analyticsStoreID: String? { read(Self.storeIDKey, \.storeID) }
    /// The membership, or `nil` if it is unknown.
    public var analyticsMembership: AnalyticsMembership? { read(Self.membershipKey, \.membership) }
    /// The customer, or `nil` if unknown.
    public var analyticsCustomerInfo: AnalyticsCustomerInfo? { read(Self.customerKey, \.customer) }
    /// The location, or `nil` if it is unknown.
    public var analyticsLocationInfo: AnalyticsLocationInfo? { read(Self.locationKey, \.location) }

    /// Sets the store.
    ///
    /// - Parameter storeID: The store's number; `nil` removes it.
    /// - Throws: ``StorageError``, in which case nothing changes.
    public func setAnalyticsStoreID(_ storeID: String?) throws(StorageError) {
        try write(storeID, Self.storeIDKey, \.storeID)
    }

    /// Sets the membership.
    ///
    /// - Parameter membership: The membership; `nil` removes it.
    /// - Throws: ``StorageError``, in which case nothing changes.
    public func setAnalyticsMembership(_ membership: AnalyticsMembership?) throws(StorageError) {
        try write(membership, Self.membershipKey, \.membership)
    }

    /// Sets the customer.
    ///
    /// - Parameter customer: The customer; `nil` removes it.
    /// - Throws: ``StorageError``, in which case nothing changes.
    public func setAnalyticsCustomerInfo(_ customer: AnalyticsCustomerInfo?) throws(StorageError) {
        try write(customer, Self.customerKey, \.customer)
    }

    /// Sets the location.
    ///
    /// - Parameter location: The location; `nil` removes it.
    /// - Throws: ``StorageError``, in which case nothing changes.
    public func setAnalyticsLocationInfo(_ location: AnalyticsLocationInfo?) throws(StorageError) {
        try write(location, Self.locationKey, \.location)
    }

    private func read<Value>(_ key: StorageKey<Value>, _ path: WritableKeyPath<Known, Value?>) -> Value? {
        guard let storage else { return known.withLock { $0[keyPath: path] } }
        do {
            let value = try storage.value(for: key)
            known.withLock { $0[keyPath: path] = value }
            return value
        } catch {
            logger.warning("\(key.namespace).\(key.name) could not be read; the last known value is used: \(error)")
            return known.withLock { $0[keyPath: path] }
        }
    }

    private func write<Value>(
        _ value: Value?, _ key: StorageKey<Value>, _ path: WritableKeyPath<Known, Value?>
    ) throws(StorageError) {
        try storage?.set(value, for: key)
        known.withLock { $0[keyPath: path] = value }
    }
}
