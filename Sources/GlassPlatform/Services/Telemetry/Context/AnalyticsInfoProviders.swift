import Foundation
package import GlassSchema

/// The providers of store, membership, customer, and location for analytics.
package struct AnalyticsInfoProviders: Sendable {
    /// The store.
    package var storeID: (any AnalyticsStoreIDProviding)?
    /// The membership.
    package var membership: (any AnalyticsMembershipProviding)?
    /// The customer.
    package var customer: (any AnalyticsCustomerInfoProviding)?
    /// The location.
    package var location: (any AnalyticsLocationInfoProviding)?

    /// Creates a set of providers. Without one, events lack its information.
    package init(
        storeID: (any AnalyticsStoreIDProviding)? = nil, membership: (any AnalyticsMembershipProviding)? = nil,
        customer: (any AnalyticsCustomerInfoProviding)? = nil, location: (any AnalyticsLocationInfoProviding)? = nil
    ) {
        self.storeID = storeID
        self.membership = membership
        self.customer = customer
        self.location = location
    }

    /// The current information of the providers, under the names that events use.
    package var attributes: [String: ConfigurationScalar] {
        var attributes: [String: ConfigurationScalar] = [:]
        attributes["storeID"] = storeID?.analyticsStoreID.map { .string($0) }
        if let membership = membership?.analyticsMembership {
            attributes["membershipTier"] = .string(membership.tier)
            attributes["membershipActive"] = .boolean(membership.isActive)
        }
        if let customer = customer?.analyticsCustomerInfo {
            attributes["customerID"] = .string(customer.customerID)
            attributes["signedIn"] = .boolean(customer.isSignedIn)
        }
        if let location = location?.analyticsLocationInfo {
            attributes["locationCountry"] = .string(location.country)
            attributes["locationRegion"] = location.region.map { .string($0) }
            attributes["locationPostalCode"] = location.postalCode.map { .string($0) }
        }
        return attributes
    }
}

extension AnalyticsSessionInfo {
    /// The session, under the names that events use.
    var attributes: [String: ConfigurationScalar] {
        [
            "sessionID": .string(id), "sessionStart": .string(start.formatted(.analytics)),
            "sessionNumber": .integer(number),
        ]
    }
}
