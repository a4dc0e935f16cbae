import GlassBase
package import GlassPlatform

/// Store, membership, customer and location in memory.
package final class AnalyticsFeatureInfoMock: AnalyticsFeatureInfo {
    private struct State {
        var storeID: String?
        var membership: AnalyticsMembership?
        var customer: AnalyticsCustomerInfo?
        var location: AnalyticsLocationInfo?
    }

    private let state = Lock(State())

    /// Creates a mock that knows nothing.
    package init() {}

    /// The store, or nil.
    package var analyticsStoreID: String? { state.withLock { $0.storeID } }
    /// The membership, or nil.
    package var analyticsMembership: AnalyticsMembership? { state.withLock { $0.membership } }
    /// The customer, or nil.
    package var analyticsCustomerInfo: AnalyticsCustomerInfo? { state.withLock { $0.customer } }
    /// The location, or nil.
    package var analyticsLocationInfo: AnalyticsLocationInfo? { state.withLock { $0.location } }

    /// Remembers the store.
    package func setAnalyticsStoreID(_ storeID: String?) { state.withLock { $0.storeID = storeID } }

    /// Remembers the membership.
    package func setAnalyticsMembership(_ membership: AnalyticsMembership?) {
        state.withLock { $0.membership = membership }
    }

    /// Remembers the customer.
    package func setAnalyticsCustomerInfo(_ customer: AnalyticsCustomerInfo?) {
        state.withLock { $0.customer = customer }
    }

    /// Remembers the location.
    package func setAnalyticsLocationInfo(_ location: AnalyticsLocationInfo?) {
        state.withLock { $0.location = location }
    }
}
