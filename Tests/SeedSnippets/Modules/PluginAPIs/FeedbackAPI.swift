/// What a feedback plugin offers.
public protocol FeedbackAPI: AnyObject {}
