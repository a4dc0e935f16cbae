/// The features that an app may support, as cases with an implementation each.
///
/// ```swift
/// router.register(
///     routes: [.account(StandardAccountRoutable(container: container)), .custom(FlyersRoutable())],
///     using: container)
/// ```
public enum Route: Sendable {
    /// The first screen of the app.
    case home(any HomeRoutable)
    /// The account page.
    case account(any AccountRoutable)
    /// The shopping cart.
    case cart(any CartRoutable)
    /// The checkout of the cart.
    case checkout(any CheckoutRoutable)
    /// One item, by its number.
    case item(any ItemRoutable)
    /// The search, with or without a query.
    case search(any SearchRoutable)
    /// The departments, or one category.
    case browse(any BrowseRoutable)
    /// The list of orders.
    case orders(any OrdersRoutable)
    /// One order.
    case orderDetail(any OrderDetailRoutable)
    /// Items to buy again, from all orders or from one of them.
    case reorder(any ReorderRoutable)
    /// The shopper's lists, or one of them.
    case lists(any ListsRoutable)
    /// Gift registries, or one of them.
    case registry(any RegistryRoutable)
    /// The store finder.
    case storeFinder(any StoreFinderRoutable)
    /// One store.
    case storeDetail(any StoreDetailRoutable)
    /// The pharmacy, or a part of it.
    case pharmacy(any PharmacyRoutable)
    /// The barcode scanner.
    case scan(any ScanRoutable)
    /// The membership, or a part of it.
    case membership(any MembershipRoutable)
    /// Deals in all categories, or in one of them.
    case deals(any DealsRoutable)
    /// Help, or one topic.
    case help(any HelpRoutable)
    /// The list of notifications.
    case notifications(any NotificationsRoutable)
    /// Returns for all orders, or for one of them.
    case returns(any ReturnsRoutable)
    /// The gift cards.
    case giftCards(any GiftCardsRoutable)
    /// A custom feature of the app.
    case custom(any Routable)

    /// The implementation.
    package var routable: any Routable {
        switch self {
        case .home(let routable): routable
        case .account(let routable): routable
        case .cart(let routable): routable
        case .checkout(let routable): routable
        case .item(let routable): routable
        case .search(let routable): routable
        case .browse(let routable): routable
        case .orders(let routable): routable
        case .orderDetail(let routable): routable
        case .reorder(let routable): routable
        case .lists(let routable): routable
        case .registry(let routable): routable
        case .storeFinder(let routable): routable
        case .storeDetail(let routable): routable
        case .pharmacy(let routable): routable
        case .scan(let routable): routable
        case .membership(let routable): routable
        case .deals(let routable): routable
        case .help(let routable): routable
        case .notifications(let routable): routable
        case .returns(let routable): routable
        case .giftCards(let routable): routable
        case .custom(let routable): routable
        }
    }
}
