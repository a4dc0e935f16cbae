extension SectionDeclaration { package func pace(at path: ConfigurationPath) -> ContextPace { .live } }
