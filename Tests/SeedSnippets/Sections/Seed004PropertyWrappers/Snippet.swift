// swift-format-ignore-file
// The snippets are printed verbatim.
#if canImport(SwiftUI)
import SwiftUI
#elseif SWIFTUI_STUB
import SwiftUIStub
#endif

import GlassContainer
import SampleServices

// 004:101-110
public final class MyContainer: SharedContainer {
     public static let shared = MyContainer()
     public let manager = ContainerManager()
}

extension MyContainer {
    var cachedService: Factory<ServiceType> {
        self { MyService() }.cached
    }
}

// 004:133-135
class ContentViewModel: ObservableObject {
    @Injected(\MyContainer.cachedService) var cachedService
}
