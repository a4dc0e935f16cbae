/// The names that a Lua program may use.
///
/// Both profiles are allow lists: a name that is not listed does not exist. Reading an undefined global raises an error
/// that names it. Chunks are text, never bytecode.
public enum LuaProfile: Sendable, Equatable {
    /// For configuration files: `assert`, `error`, `ipairs`, `next`, `pairs`, `pcall`, `print`, `select`, `tonumber`,
    /// `tostring`, `type`, `xpcall`, and the libraries `math`, `string`, `table` and `utf8`.
    ///
    /// The same file always produces the same values: `pairs` and `next` visit 1…n and then the other keys in order,
    /// `tostring` shows no address, random numbers have a constant seed, and there is no clock.
    case config
    /// For scripts: the above, and `coroutine`, `load` (text only), `require` (sources come from the host), `os.clock`,
    /// `os.date`, `os.difftime`, `os.time`, `rawequal`, `rawget`, `rawlen`, `rawset`, `getmetatable` and
    /// `setmetatable`.
    ///
    /// `setmetatable` installs a private copy with the metamethods of the manual except `__gc`, `__mode`, `__concat`
    /// and `__metatable`, which are rejected. Later changes to the table have no effect. `getmetatable` returns the
    /// table that was given.
    case script
}
