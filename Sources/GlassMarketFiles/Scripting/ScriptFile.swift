import GlassBase
import LuaBridge

/// A script and the folder from which it may require other files. A file outside the folder is not read through a
/// symbolic link.
struct ScriptFile {
    /// The script's path as the user gave it; errors begin with it.
    let path: String
    private let folder: ConfinedDirectory
    private let name: String

    init(_ path: String) {
        self.path = path
        (folder, name) = ConfinedDirectory.split(path)
    }

    /// Reads the script.
    func script(limit: Int) throws(ScriptRunnerError) -> LuaSource {
        do throws(FileFailure) {
            return LuaSource(bytes: try folder.read(name, limit: limit), chunkName: path)
        } catch {
            throw .unreadable(path, reason: error.reason)
        }
    }

    /// Reads a module that the script requires: `require "a.b"` reads the file `a/b.lua` next to the script, and
    /// nothing else.
    func module(_ module: String, limit: Int) throws(ScriptRunnerError) -> LuaSource? {
        let relative = module.split(separator: ".").joined(separator: "/") + ".lua"
        let shown = path.dropLast(name.count) + relative
        do throws(FileFailure) {
            return LuaSource(bytes: try folder.read(relative, limit: limit), chunkName: String(shown))
        } catch {
            if error.kind == .missing { return nil }
            throw .unreadable(String(shown), reason: error.reason)
        }
    }
}
