import GlassContainer
import Synchronization

let made = Atomic(0)

protocol FeedbackAPI: AnyObject {
    var owner: ObjectIdentifier? { get }
}

final class FeedbackPluginAPI: FeedbackAPI {
    let owner: ObjectIdentifier?

    init(container: Container) {
        owner = ObjectIdentifier(container)
        made.wrappingAdd(1, ordering: .relaxed)
    }
}

final class FeedbackAPIMock: FeedbackAPI {
    let owner: ObjectIdentifier? = nil
}

func isMock(_ api: FeedbackAPI) -> Bool { api is FeedbackAPIMock }
