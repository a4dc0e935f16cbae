import GlassDelivery

@main
struct Program {
    static func main() {}
}
