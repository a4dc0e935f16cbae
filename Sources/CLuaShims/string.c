// The string library: bounded repetition, formatting without addresses, and the metatable that strings share.

#include "core.h"

#include <string.h>

static int string_rep(lua_State *L) {
    size_t length, separator_length;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer count = luaL_checkinteger(L, 2);
    const char *separator = luaL_optlstring(L, 3, "", &separator_length);
    size_t piece = length + separator_length; // cannot overflow: both strings are in memory
    if (count <= 0 || piece == 0) { // the system's function would loop `count` times
        lua_pushliteral(L, "");
        return 1;
    }
    glua_state *g = glua_of(L);
    if ((lua_Unsigned)count > g->limits.memory / piece) {
        glua_abort(g, L, GLUA_MEMORY);
        return glua_raise_abort(L);
    }
    size_t total = piece * (size_t)count - separator_length;
    glua_charge(L, total / 64);
    luaL_Buffer buffer;
    char *out = luaL_buffinitsize(L, &buffer, total);
    // Doubles the copied part each time: copying byte by byte would take long without a hook.
    size_t done = piece < total ? piece : total;
    memcpy(out, text, length);
    if (done > length) memcpy(out + length, separator, done - length);
    while (done < total) {
        size_t next = done < total - done ? done : total - done;
        memcpy(out + done, out, next);
        done += next;
    }
    luaL_pushresultsize(&buffer, total);
    return 1;
}

// Config profile. Upvalue: the system's string.format. Rewrites %p to %s, and passes texts without addresses to both.
//
// The rewritten format is a Lua userdata that is as long as the format, because each replacement has the length of what
// it replaces.
static int plain_format(lua_State *L) {
    size_t count;
    const char *format = luaL_checklstring(L, 1, &count);
    char *out = lua_newuserdatauv(L, count + 1, 0);
    int keeper = lua_gettop(L);
    int arguments = keeper - 1;
    memcpy(out, format, count + 1);
    int argument = 1;
    for (size_t at = 0; at < count; at++) {
        if (out[at] != '%') continue;
        at++;
        if (at < count && out[at] == '%') continue;
        while (at < count && strchr("-+ #0123456789.", out[at]) != NULL && out[at] != 0) at++;
        argument++;
        if (at >= count || argument > arguments) continue;
        if (out[at] != 's' && out[at] != 'p') continue;
        bool pointer = out[at] == 'p';
        out[at] = 's';
        if (pointer) lua_pushstring(L, luaL_typename(L, argument));
        else glua_push_plain_text(L, argument);
        lua_replace(L, argument);
    }
    lua_pushlstring(L, out, count);
    lua_replace(L, 1);
    lua_settop(L, arguments);
    return glua_run_system(L, 1);
}

void glua_install_string(lua_State *L) {
    static const char *const names[] = {"byte", "char", "len", "lower", "reverse", "sub", "upper", NULL};
    static const luaL_Reg own[] = {
        {"find", glua_pattern_find},   {"gmatch", glua_pattern_gmatch}, {"gsub", glua_pattern_gsub},
        {"match", glua_pattern_match}, {"rep", string_rep},             {NULL, NULL},
    };
    glua_state *g = glua_of(L);
    lua_pushcfunction(L, luaopen_string);
    lua_call(L, 0, 1);
    int from = lua_gettop(L);
    lua_newtable(L);
    glua_copy_functions(L, from, names);
    luaL_setfuncs(L, own, 0);
    lua_getfield(L, from, "format");
    if (g->profile == GLUA_PROFILE_CONFIG) lua_pushcclosure(L, plain_format, 1);
    lua_setfield(L, -2, "format");
    glua_protect_library(L, "string");
    // Strings keep the arithmetic metamethods of the system's metatable; their methods come from the profile's table.
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 2);
    lua_remove(L, from);
}
