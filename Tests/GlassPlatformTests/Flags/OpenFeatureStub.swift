import Foundation
import GlassBase

// What the guide uses of OpenFeature's SDK 0.4, which needs Combine.

struct AnyPublisher<Output, Failure> {}

enum ProviderEvent {}

final class EventHandler {
    func observe() -> AnyPublisher<ProviderEvent?, Never> { AnyPublisher() }
}

protocol Hook {}

protocol ProviderMetadata {
    var name: String? { get }
}

protocol EvaluationContext {}

enum Value: Equatable {
    case string(String)
}

struct ImmutableStructure {
    let attributes: [String: Value]
}

struct ImmutableContext: EvaluationContext {
    let targetingKey: String
    let structure: ImmutableStructure
}

struct ProviderEvaluation<T> {
    let value: T
    var variant: String?
    var reason: String?
}

enum OpenFeatureError: Error, Equatable {
    case flagNotFoundError(key: String)
    case typeMismatchError
}

protocol FeatureProvider {
    var hooks: [any Hook] { get }
    var metadata: any ProviderMetadata { get }
    func initialize(initialContext: (any EvaluationContext)?) async throws
    func onContextSet(oldContext: (any EvaluationContext)?, newContext: any EvaluationContext) async throws
    func observe() -> AnyPublisher<ProviderEvent?, Never>
    func getBooleanEvaluation(
        key: String, defaultValue: Bool, context: (any EvaluationContext)?
    ) throws -> ProviderEvaluation<Bool>
    func getStringEvaluation(
        key: String, defaultValue: String, context: (any EvaluationContext)?
    ) throws -> ProviderEvaluation<String>
    func getIntegerEvaluation(
        key: String, defaultValue: Int64, context: (any EvaluationContext)?
    ) throws -> ProviderEvaluation<Int64>
    func getDoubleEvaluation(
        key: String, defaultValue: Double, context: (any EvaluationContext)?
    ) throws -> ProviderEvaluation<Double>
    func getObjectEvaluation(
        key: String, defaultValue: Value, context: (any EvaluationContext)?
    ) throws -> ProviderEvaluation<Value>
}

struct OpenFeatureClient {
    let provider: (any FeatureProvider)?

    func getBooleanValue(key: String, defaultValue: Bool) -> Bool {
        (try? provider?.getBooleanEvaluation(key: key, defaultValue: defaultValue, context: nil).value)
            ?? defaultValue  // as the SDK does
    }
}

final class OpenFeatureAPI: @unchecked Sendable {
    // Both values are in a lock.
    static let shared = OpenFeatureAPI()
    private let state = Lock<(provider: (any FeatureProvider)?, context: (any EvaluationContext)?)>((nil, nil))

    func setProviderAndWait(provider: any FeatureProvider) async { state.withLock { $0.provider = provider } }
    func setEvaluationContext(evaluationContext: any EvaluationContext) {
        state.withLock { $0.context = evaluationContext }
    }
    func getEvaluationContext() -> (any EvaluationContext)? { state.withLock { $0.context } }
    func getClient() -> OpenFeatureClient { OpenFeatureClient(provider: state.withLock { $0.provider }) }
}
