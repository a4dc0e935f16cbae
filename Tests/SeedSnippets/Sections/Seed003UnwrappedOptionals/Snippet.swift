// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import ModuleP

#if canImport(SwiftUI)
import SwiftUI
#elseif SWIFTUI_STUB
import SwiftUIStub
#endif

// 003:139-145
class ViewModel: ObservableObject {
    @Injected(\.accountLoading) var loader: AccountLoading!
    @Published var accounts: [Account] = []
    func load() {
        accounts = loader.load()
    }
}
