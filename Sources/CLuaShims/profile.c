// The environment of a Lua program: new tables, filled by allow lists. Nothing is removed from a complete table.

#include "core.h"

#include <string.h>

const char *glua_profile_name(const glua_state *g) {
    return g->profile == GLUA_PROFILE_CONFIG ? "config" : "script";
}

static bool contains(const char *const *names, const char *name) {
    for (; *names != NULL; names++) {
        if (strcmp(*names, name) == 0) return true;
    }
    return false;
}

// Names of standard Lua. Those that are absent get an explanation instead of "undefined".
static const char *const standard_globals[] = {
    "assert", "collectgarbage", "coroutine", "debug", "dofile", "error", "getfenv", "getmetatable", "io", "ipairs",
    "load", "loadfile", "loadstring", "math", "module", "next", "os", "package", "pairs", "pcall", "print", "rawequal",
    "rawget", "rawlen", "rawset", "require", "select", "setfenv", "setmetatable", "string", "table", "tonumber",
    "tostring", "type", "unpack", "utf8", "warn", "xpcall", NULL,
};

static const char *const standard_members[] = {
    "string.dump", "string.pack", "string.packsize", "string.unpack", "math.randomseed", "os.clock", "os.date",
    "os.difftime", "os.execute", "os.exit", "os.getenv", "os.remove", "os.rename", "os.setlocale", "os.time",
    "os.tmpname", "coroutine.close", NULL,
};

// The `__index` of the environment: a misspelled name is an error at its line instead of a nil somewhere else.
static int undefined_global(lua_State *L) {
    char number[64];
    const char *name;
    if (lua_type(L, 2) == LUA_TSTRING) {
        name = lua_tostring(L, 2);
    } else {
        // A key that is not a string can only come from _G[...].
        glua_copy(number, sizeof number, luaL_typename(L, 2), strlen(luaL_typename(L, 2)));
        name = number;
    }
    if (contains(standard_globals, name)) {
        return glua_denied(L, name, "'%s' is not available in the %s profile", name, glua_profile_name(glua_of(L)));
    }
    return glua_denied(L, name, "undefined global '%s'", name);
}

// Upvalue: the library's name.
static int absent_member(lua_State *L) {
    if (lua_type(L, 2) == LUA_TSTRING) {
        lua_pushfstring(L, "%s.%s", lua_tostring(L, lua_upvalueindex(1)), lua_tostring(L, 2));
        const char *name = lua_tostring(L, -1);
        if (contains(standard_members, name)) {
            return glua_denied(L, name, "'%s' is not available in the %s profile", name,
                               glua_profile_name(glua_of(L)));
        }
    }
    lua_pushnil(L);
    return 1;
}

void glua_explain_absent(lua_State *L) {
    lua_createtable(L, 0, 2);
    lua_insert(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

// Gives the library on top a metatable that explains absent names.
void glua_protect_library(lua_State *L, const char *library) {
    lua_pushstring(L, library);
    lua_pushcclosure(L, absent_member, 1);
    glua_explain_absent(L);
}

void glua_copy_functions(lua_State *L, int from, const char *const *names) {
    int to = lua_gettop(L);
    for (; *names != NULL; names++) {
        lua_pushstring(L, *names);
        lua_pushvalue(L, -1);
        lua_rawget(L, from);
        lua_rawset(L, to);
    }
}

static void open_library(lua_State *L, lua_CFunction open) {
    lua_pushcfunction(L, open);
    lua_call(L, 0, 1);
}

static int seed_needs_a_number(lua_State *L) {
    if (lua_isnoneornil(L, 1)) {
        return glua_error(L, "math.randomseed needs a number: the same market must give the same values");
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 0);
    return 0;
}

static void install_math(lua_State *L) {
    static const char *const names[] = {
        "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log", "max",
        "maxinteger", "min", "mininteger", "modf", "pi", "rad", "random", "sin", "sqrt", "tan", "tointeger", "type",
        "ult", NULL,
    };
    open_library(L, luaopen_math);
    int from = lua_gettop(L);
    lua_getfield(L, from, "randomseed");
    lua_pushinteger(L, 20260101); // any, but always the same: the generator "starts with a somewhat random seed" (8.2)
    lua_call(L, 1, 0);
    lua_newtable(L);
    glua_copy_functions(L, from, names);
    lua_getfield(L, from, "randomseed");
    lua_pushcclosure(L, seed_needs_a_number, 1);
    lua_setfield(L, -2, "randomseed");
    glua_protect_library(L, "math");
    lua_remove(L, from);
}

// One directive takes a tenth of a microsecond or more, and no hook runs meanwhile.
static int bounded_date(lua_State *L) {
    size_t count = 0;
    luaL_optlstring(L, 1, "", &count);
    if (count > 4096) return glua_error(L, "the format of os.date has at most 4096 bytes");
    glua_charge(L, count);
    return glua_run_system(L, 1);
}

static int charged_time(lua_State *L) {
    // A table is read and set with its metamethods, fewer than ten fields each.
    if (lua_istable(L, 1)) glua_charge(L, 10 * (1 + glua_count_links(L, 1)));
    return glua_run_system(L, 1);
}

static void install_os(lua_State *L) {
    static const char *const names[] = {"clock", "difftime", NULL};
    open_library(L, luaopen_os);
    int from = lua_gettop(L);
    lua_newtable(L);
    glua_copy_functions(L, from, names);
    lua_getfield(L, from, "date");
    lua_pushcclosure(L, bounded_date, 1);
    lua_setfield(L, -2, "date");
    lua_getfield(L, from, "time");
    lua_pushcclosure(L, charged_time, 1);
    lua_setfield(L, -2, "time");
    glua_protect_library(L, "os");
    lua_remove(L, from);
}

static int charged_utf8(lua_State *L) {
    // Each walks the whole string at most once.
    if (lua_type(L, 1) == LUA_TSTRING) glua_charge(L, lua_rawlen(L, 1));
    return glua_run_system(L, 1);
}

static void install_utf8(lua_State *L) {
    static const char *const names[] = {"char", "charpattern", "codes", NULL};
    static const char *const charged[] = {"codepoint", "len", "offset", NULL};
    open_library(L, luaopen_utf8);
    int from = lua_gettop(L);
    lua_newtable(L);
    glua_copy_functions(L, from, names);
    for (const char *const *name = charged; *name != NULL; name++) {
        lua_getfield(L, from, *name);
        lua_pushcclosure(L, charged_utf8, 1);
        lua_setfield(L, -2, *name);
    }
    glua_protect_library(L, "utf8");
    lua_remove(L, from);
}

void glua_install_profile(lua_State *L) {
    glua_state *g = glua_of(L);
    bool script = g->profile == GLUA_PROFILE_SCRIPT;
    lua_newtable(L);
    int environment = lua_gettop(L);
    lua_pushvalue(L, environment);
    lua_setfield(L, environment, "_G");
    glua_install_base(L);
    lua_settop(L, environment);
    glua_install_string(L);
    lua_setfield(L, environment, "string");
    glua_install_table(L);
    lua_setfield(L, environment, "table");
    install_math(L);
    lua_setfield(L, environment, "math");
    install_utf8(L);
    lua_setfield(L, environment, "utf8");
    if (script) {
        install_os(L);
        lua_setfield(L, environment, "os");
        glua_install_coroutine(L);
        lua_setfield(L, environment, "coroutine");
    }
    lua_settop(L, environment);
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, undefined_global);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, environment);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
