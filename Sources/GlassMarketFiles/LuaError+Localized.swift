import Foundation
import GlassMarkets
public import LuaBridge

// LuaBridge does without Foundation.
extension LuaError: DescriptiveError {}
extension LuaDecodingErrors: DescriptiveError {}
