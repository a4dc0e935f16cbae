package import GlassSchema

/// All four kinds of information in one object, which is set by the features of the app.
public protocol AnalyticsFeatureInfo: AnalyticsStoreIDProviding, AnalyticsMembershipProviding,
    AnalyticsCustomerInfoProviding, AnalyticsLocationInfoProviding
{}

extension AnalyticsFeatureInfo {
    /// The script methods that get and set the four values. A setter without arguments removes the value.
    package var scriptMethods: [ScriptMethod] {
        [
            storeIDMethod, membershipMethod, customerMethod, locationMethod,
            ScriptMethod("setStoreID", ["storeID?"], "Sets the store.") { arguments in
                try self.setAnalyticsStoreID(try arguments.optionalString(0, "storeID"))
                return .nil
            },
            ScriptMethod("setMembership", ["tier?", "isActive?"], "Sets the membership.") { arguments in
                let tier = try arguments.optionalString(0, "tier")
                let isActive = arguments[1] != .boolean(false)
                try self.setAnalyticsMembership(tier.map { AnalyticsMembership(tier: $0, isActive: isActive) })
                return .nil
            },
            ScriptMethod("setCustomer", ["customerID?", "isSignedIn?"], "Sets the customer.") { arguments in
                let id = try arguments.optionalString(0, "customerID")
                let isSignedIn = arguments[1] != .boolean(false)
                try self.setAnalyticsCustomerInfo(
                    id.map { AnalyticsCustomerInfo(customerID: $0, isSignedIn: isSignedIn) })
                return .nil
            },
            ScriptMethod("setLocation", ["country?", "region?", "postalCode?"], "Sets the location.") {
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
