package import GlassSchema
extension ZoneRules { package static let system = ZoneRules.utc }
