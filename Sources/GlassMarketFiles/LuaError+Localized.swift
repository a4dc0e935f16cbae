import Foundation
import GlassMarkets
public import LuaBridge

// Declared here because LuaBridge does not use Foundation.
extension LuaError: DescriptiveError {}
extension LuaDecodingErrors: DescriptiveError {}
