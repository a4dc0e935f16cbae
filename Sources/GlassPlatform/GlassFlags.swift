// Code that imports the platform has its flags, too.
@_exported public import GlassFlags
