import Foundation
import Testing

/// The manifest in the README, which no build covers.
struct ManifestTests {
    @Test func manifestListsEveryTargetWithItsImports() throws {
        let page = try String(contentsOf: Markets.package.appending(path: "README.md"), encoding: .utf8)
        let targets = page.components(separatedBy: "arget(\n").dropFirst().map { text in
            text.components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        }
        let names = targets.map { $0[0] }
        let folders = try ["Sources", "Tests"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: Markets.package.appending(path: folder).path)
        }
        #expect(Set(names) == Set(folders))
        for (name, target) in zip(names, targets) {
            let folder = Markets.package.appending(path: "\(name.hasSuffix("Tests") ? "Tests" : "Sources")/\(name)")
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix(".swift")
            }
            let code = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            let imports = code.flatMap { $0.matches(of: /(?m)^(?:public )?import (\w+)$/).map { String($0.1) } }
            #expect(
                Set(imports).subtracting(["Foundation", "Synchronization", "Testing"]) == Set(target.dropFirst()),
                "\(name)")
        }
    }

    @Test func manifestListsExistingProducts() throws {
        let page = try String(contentsOf: Markets.package.appending(path: "README.md"), encoding: .utf8)
        let manifest = try String(contentsOf: Markets.package.appending(path: "../../Package.swift"), encoding: .utf8)
        let products = Set(page.matches(of: /"(Glass\w+|LuaBridge)"/).map(\.1))
        #expect(products.count == 10)
        for product in products { #expect(manifest.contains(".library(name: \"\(product)\""), "\(product)") }
    }
}
