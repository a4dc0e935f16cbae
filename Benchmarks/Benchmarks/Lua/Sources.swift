/// The table of 60 fields: four groups of fifteen, some of them lists.
struct Configuration: Decodable {
    var retry: Group
    var cache: Group
    var cookies: Group
    var headers: Group

    struct Group: Decodable {
        var name: String
        var host: String
        var path: String
        var isEnabled: Bool
        var isStrict: Bool
        var attempts: Int
        var limit: Int
        var size: Int
        var timeout: Double
        var backoff: Double
        var jitter: Double
        var codes: [Int]
        var tags: [String]
        var agent: String
        var priority: Int
    }

    static let source: String = {
        let groups = ["retry", "cache", "cookies", "headers"].map { name in
            """
              \(name) = {
                name = "\(name)", host = "\(name).example.com", path = "/v1/\(name)", isEnabled = true,
                isStrict = false, attempts = 4, limit = 1000, size = 65536, timeout = 2.5, backoff = 1.5,
                jitter = 0.25, codes = { 500, 502, 503 }, tags = { "a", "b" }, agent = "market/1.0", priority = 3,
              },
            """
        }
        return "return {\n" + groups.joined(separator: "\n") + "\n}"
    }()
}

/// A market of 200 lines.
enum Market {
    static let source: String = {
        var text = "local function route(p) return { path = p, waits = { \"signedIn\" } } end\nreturn {\n"
        for index in 0..<196 {
            switch index % 4 {
            case 0: text += "  route\(index) = route(\"section/\(index)/:itemID\"),\n"
            case 1: text += "  name\(index) = \"value number \(index)\",\n"
            case 2: text += "  limits\(index) = { low = \(index), high = \(index * 10), rate = \(index).5 },\n"
            default: text += "  flags\(index) = { true, false, \(index) },\n"
            }
        }
        return text + "}\n"
    }()
}
