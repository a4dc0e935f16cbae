// The table library, with its loops counted: they run in C, where no hook looks.

#include "core.h"

// Runs the system's function, which is the upvalue, with the arguments as they are.
static int run_system(lua_State *L) {
    int count = lua_gettop(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, count, LUA_MULTRET);
    return lua_gettop(L);
}

// A `__len` of the script's may answer any number, and these loops would believe it.
static lua_Integer checked_length(lua_State *L, const char *function) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL) {
        return glua_error(L, "table.%s does not take a table with a '__len' metamethod", function);
    }
    return (lua_Integer)lua_rawlen(L, 1);
}

static int table_insert(lua_State *L) {
    lua_Integer length = checked_length(L, "insert");
    if (lua_gettop(L) == 3 && lua_isinteger(L, 2)) {
        lua_Integer place = lua_tointeger(L, 2);
        if (place >= 1 && place <= length) glua_charge(L, (size_t)(length - place));
    }
    return run_system(L);
}

static int table_remove(lua_State *L) {
    lua_Integer length = checked_length(L, "remove");
    if (lua_isinteger(L, 2)) {
        lua_Integer place = lua_tointeger(L, 2);
        if (place >= 1 && place <= length) glua_charge(L, (size_t)(length - place));
    }
    return run_system(L);
}

static size_t range(lua_Integer first, lua_Integer last) {
    return last < first ? 0 : (size_t)((lua_Unsigned)last - (lua_Unsigned)first) + 1;
}

static int table_concat(lua_State *L) {
    lua_Integer length = checked_length(L, "concat");
    lua_Integer first = luaL_optinteger(L, 3, 1);
    lua_Integer last = luaL_optinteger(L, 4, length);
    size_t count = range(first, last);
    if (count > (size_t)length + 1000) count = (size_t)length + 1000; // it stops at the first value that is absent
    glua_charge(L, count * 2);
    return run_system(L);
}

static int table_move(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t count = range(luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    if (count > 1000000) return glua_error(L, "table.move moves at most 1000000 values at once");
    glua_charge(L, count);
    return run_system(L);
}

static int table_unpack(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    glua_charge(L, 10);
    return run_system(L);
}

static int counted_less(lua_State *L) {
    glua_charge(L, 10);
    lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
    return 1;
}

// Upvalue: a comparison that is written in C, whose calls no hook counts.
static int counted_comparison(lua_State *L) {
    glua_charge(L, 10);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    return 1;
}

static int table_sort(lua_State *L) {
    checked_length(L, "sort");
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_pushcfunction(L, counted_less);
        lua_replace(L, 2);
    } else if (lua_iscfunction(L, 2)) {
        lua_pushvalue(L, 2);
        lua_pushcclosure(L, counted_comparison, 1);
        lua_replace(L, 2);
    }
    return run_system(L);
}

void glua_install_table(lua_State *L) {
    static const luaL_Reg own[] = {
        {"concat", table_concat}, {"insert", table_insert}, {"move", table_move},     {"remove", table_remove},
        {"sort", table_sort},     {"unpack", table_unpack}, {NULL, NULL},
    };
    static const char *const names[] = {"pack", NULL};
    lua_pushcfunction(L, luaopen_table);
    lua_call(L, 0, 1);
    int from = lua_gettop(L);
    lua_newtable(L);
    glua_copy_functions(L, from, names);
    for (const luaL_Reg *entry = own; entry->name != NULL; entry++) {
        lua_getfield(L, from, entry->name);
        lua_pushcclosure(L, entry->func, 1);
        lua_setfield(L, -2, entry->name);
    }
    glua_protect_library(L, "table");
    lua_remove(L, from);
}
