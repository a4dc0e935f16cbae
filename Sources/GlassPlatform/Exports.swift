// Exported, so that code that imports GlassPlatform can read flags without importing GlassFlags.
@_exported public import GlassFlags
