/// The interface of a feedback plugin.
public protocol FeedbackAPI: AnyObject {}
