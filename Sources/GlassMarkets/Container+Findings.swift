import GlassContainer
import GlassSchema

extension Container {
    /// The problems of the container's registrations, as findings. Creates no services.
    func findings(requiring types: [Any.Type]) -> [Finding] {
        validateDeclarations(requiring: types).findings.map { found in
            let code: FindingCode =
                switch found.kind {
                case .missing: .missingService
                case .cyclic: .serviceCycle
                case .duplicate, .captive, .unusable: .serviceLifetime
                }
            return Finding(
                code, at: SourcePosition(file: found.site.file, line: found.site.line),
                subject: "\(found.kind.rawValue) \(found.services.map(\.description).joined(separator: " "))",
                found.message, hint: found.hint)
        }
    }
}
