package import GlassSchema

/// All four kinds of information from one place, which the features of the app tell what they know.
public protocol AnalyticsFeatureInfo: AnalyticsStoreIDProviding, AnalyticsMembershipProviding,
    AnalyticsCustomerInfoProviding, AnalyticsLocationInfoProviding
{
    /// Remembers the store.
    func setAnalyticsStoreID(_ storeID: String?) throws(StorageError)

    /// Remembers the membership.
    func setAnalyticsMembership(_ membership: AnalyticsMembership?) throws(StorageError)

    /// Remembers the customer.
    func setAnalyticsCustomerInfo(_ customer: AnalyticsCustomerInfo?) throws(StorageError)

    /// Remembers the location.
    func setAnalyticsLocationInfo(_ location: AnalyticsLocationInfo?) throws(StorageError)
}

extension AnalyticsFeatureInfo {
    /// Getters and setters of the four; a setter without arguments forgets.
    package var scriptMethods: [ScriptMethod] {
        [
            storeIDMethod, membershipMethod, customerMethod, locationMethod,
            ScriptMethod("setStoreID", ["storeID?"], "Remembers the store.") { arguments in
                try self.setAnalyticsStoreID(try arguments.optionalString(0, "storeID"))
                return .nil
            },
            ScriptMethod("setMembership", ["tier?", "isActive?"], "Remembers the membership.") { arguments in
                let tier = try arguments.optionalString(0, "tier")
                let isActive = arguments[1] != .boolean(false)
                try self.setAnalyticsMembership(tier.map { AnalyticsMembership(tier: $0, isActive: isActive) })
                return .nil
            },
            ScriptMethod("setCustomer", ["customerID?", "isSignedIn?"], "Remembers the customer.") { arguments in
                let id = try arguments.optionalString(0, "customerID")
                let isSignedIn = arguments[1] != .boolean(false)
                try self.setAnalyticsCustomerInfo(
                    id.map { AnalyticsCustomerInfo(customerID: $0, isSignedIn: isSignedIn) })
                return .nil
            },
            ScriptMethod("setLocation", ["country?", "region?", "postalCode?"], "Remembers the location.") {
                arguments in
                let country = try arguments.optionalString(0, "country")
                let region = try arguments.optionalString(1, "region")
                let postalCode = try arguments.optionalString(2, "postalCode")
                try self.setAnalyticsLocationInfo(
                    country.map { AnalyticsLocationInfo(country: $0, region: region, postalCode: postalCode) })
                return .nil
            },
        ]
    }
}
