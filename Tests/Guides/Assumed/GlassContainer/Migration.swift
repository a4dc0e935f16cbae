@MainActor
final class HomeModel {}
