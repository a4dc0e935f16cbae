/// A department of the shop. The type is the key for its registrations.
protocol Department: SendableMetatype {}

extension Department {
    /// The department's name in IDs and links.
    static var name: String { "\(Self.self)".lowercased() }
}

enum Appliances: Department {}
enum Auto: Department {}
enum Baby: Department {}
enum Bakery: Department {}
enum Beauty: Department {}
enum Books: Department {}
enum Clothing: Department {}
enum Deli: Department {}
enum Electronics: Department {}
enum Flowers: Department {}
enum Garden: Department {}
enum Grocery: Department {}
enum Jewelry: Department {}
enum Kitchen: Department {}
enum Music: Department {}
enum Office: Department {}
enum Optical: Department {}
enum Pets: Department {}
enum Sports: Department {}
enum Toys: Department {}

/// All departments.
let departments: [any Department.Type] = [
    Appliances.self, Auto.self, Baby.self, Bakery.self, Beauty.self, Books.self, Clothing.self, Deli.self,
    Electronics.self, Flowers.self, Garden.self, Grocery.self, Jewelry.self, Kitchen.self, Music.self, Office.self,
    Optical.self, Pets.self, Sports.self, Toys.self,
]
