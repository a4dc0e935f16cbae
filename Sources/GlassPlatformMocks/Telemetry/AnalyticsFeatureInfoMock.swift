import GlassBase
package import GlassPlatform

/// The store, membership, customer, and location in memory.
package final class AnalyticsFeatureInfoMock: AnalyticsFeatureInfo {
    private struct State {
        var storeID: String?
        var membership: AnalyticsMembership?
        var customer: AnalyticsCustomerInfo?
        var location: AnalyticsLocationInfo?
    }

    private let state = Lock(State())

    /// Creates a mock without values.
    package init() {}

    /// The store, if set.
    package var analyticsStoreID: String? { state.withLock { $0.storeID } }
    /// The membership, if set.
    package var analyticsMembership: AnalyticsMembership? { state.withLock { $0.membership } }
    /// The customer, if set.
    package var analyticsCustomerInfo: AnalyticsCustomerInfo? { state.withLock { $0.customer } }
    /// The location, if set.
    package var analyticsLocationInfo: AnalyticsLocationInfo? { state.withLock { $0.location } }

    /// Sets the store.
    package func setAnalyticsStoreID(_ storeID: String?) { state.withLock { $0.storeID = storeID } }

    /// Sets the membership.
    package func setAnalyticsMembership(_ membership: AnalyticsMembership?) {
        state.withLock { $0.membership = membership }
    }

    /// Sets the customer.
    package func setAnalyticsCustomerInfo(_ customer: AnalyticsCustomerInfo?) {
        state.withLock { $0.customer = customer }
    }

    /// Sets the location.
    package func setAnalyticsLocationInfo(_ location: AnalyticsLocationInfo?) {
        state.withLock { $0.location = location }
    }
}
