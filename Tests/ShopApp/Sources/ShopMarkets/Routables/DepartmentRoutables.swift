import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassSchema

/// Shows a department.
struct DepartmentRoutable<D: Department>: MarketRoutable {
    /// A market's settings for the routable.
    struct Configuration: ConfigurationSection {
        /// The initial sort order.
        var sorting = "best"

        static var keys: [ConfigurationKey<Self>] {
            [
                .init(
                    "sorting", \.sorting, .choice(["best", "price", "newest"]), "How the items are sorted at first.")
            ]
        }
    }

    static var feature: Feature {
        Feature(
            id: D.name, tab: "shop", screen: "department", paths: ["departments/\(D.name)"], takes: ["sort"],
            "The department \(D.name).")
    }
    static var requires: [Any.Type] { [Storefront<D>.self] }
    private let storefront: Storefront<D>
    private let configuration: Configuration

    init(container: Container, configuration: Configuration) {
        storefront = container.get()
        self.configuration = configuration
    }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.select(tab: "shop")
        state.show(
            "department",
            parameters: ["title": storefront.title, "sorting": link.queryValue("sort") ?? configuration.sorting])
        return true
    }
}

/// Shows an item of a department.
struct DepartmentItemRoutable<D: Department>: MarketRoutable {
    static var feature: Feature {
        Feature(
            id: "\(D.name)Item", tab: "shop", screen: "item", paths: ["departments/\(D.name)/:item(int)"],
            requires: ["item"], "An item of the department \(D.name).")
    }

    init(container: Container, configuration: NoConfiguration) {}

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool {
        guard let item = link.integer("item") else { return false }
        state.select(tab: "shop")
        state.show("item", parameters: ["department": D.name, "item": "\(item)"])
        return true
    }
}

/// The two routables of each department.
let departmentRoutables: [any MarketRoutable.Type] = departments.flatMap { routables(of: $0) }

private func routables<D: Department>(of _: D.Type) -> [any MarketRoutable.Type] {
    [DepartmentRoutable<D>.self, DepartmentItemRoutable<D>.self]
}
