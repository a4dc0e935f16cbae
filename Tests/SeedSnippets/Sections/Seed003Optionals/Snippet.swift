// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import ModuleP

#if canImport(SwiftUI)
import SwiftUI
#elseif SWIFTUI_STUB
import SwiftUIStub
#endif

// 003:121-128
class ViewModel: ObservableObject {
    @Injected(\.accountLoading) var loader
    @Published var accounts: [Account] = []
    func load() {
        guard let loader else { return }
        accounts = loader.load()
    }
}
