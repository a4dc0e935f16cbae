// The table library, with its loops counted, because they run in C, where no hook runs.

#include "core.h"

#define MAX_LINKS 2000        // as many as Lua follows
#define MAX_ACCESSES 1000000 // of tables, in one call

int glua_run_system(lua_State *L, int upvalue) { return lua_tocfunction(L, lua_upvalueindex(upvalue))(L); }

// The functions of this library are closures over the system's, which they call after counting the work.
static int run_system(lua_State *L) { return glua_run_system(L, 1); }

// Follows a chain of metatables as Lua would. A function in it ends the count, because the hook sees its instructions.
static size_t count_links_of(lua_State *L, int index, const char *event) {
    size_t count = 0;
    lua_pushvalue(L, index);
    while (count < MAX_LINKS && lua_istable(L, -1)) {
        int type = luaL_getmetafield(L, -1, event);
        if (type == LUA_TNIL) break;
        count++;
        lua_replace(L, -2);
    }
    lua_pop(L, 1);
    return count;
}

size_t glua_count_links(lua_State *L, int index) {
    if (!lua_getmetatable(L, index)) return 0;
    lua_pop(L, 1);
    size_t reading = count_links_of(L, index, "__index"), writing = count_links_of(L, index, "__newindex");
    return reading > writing ? reading : writing;
}

void glua_charge_elements(lua_State *L, int index, size_t count) {
    size_t links = glua_count_links(L, index);
    if (links > 1 && count > MAX_ACCESSES / links) {
        glua_error(L, "%d elements of a table with %d chained metatables are too many for one call", (int)count,
                   (int)links);
    }
    glua_charge(L, count * (1 + links));
}

lua_Integer glua_check_length(lua_State *L, const char *function) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL) {
        return glua_error(L, "table.%s does not take a table with a '__len' metamethod", function);
    }
    return (lua_Integer)lua_rawlen(L, 1);
}

// Argument 2 is the position from which elements move.
static void charge_shift(lua_State *L, lua_Integer length) {
    int isinteger;
    lua_Integer place = lua_tointegerx(L, 2, &isinteger);
    if (isinteger && place >= 1 && place <= length) glua_charge_elements(L, 1, (size_t)(length - place));
}

static int table_insert(lua_State *L) {
    lua_Integer length = glua_check_length(L, "insert");
    if (lua_gettop(L) == 3) charge_shift(L, length);
    return run_system(L);
}

static int table_remove(lua_State *L) {
    lua_Integer length = glua_check_length(L, "remove");
    charge_shift(L, length);
    return run_system(L);
}

// Unsigned, because the difference of two Lua integers may not fit in one.
static size_t range(lua_Integer first, lua_Integer last) {
    return last < first ? 0 : (size_t)((lua_Unsigned)last - (lua_Unsigned)first) + 1;
}

static int table_concat(lua_State *L) {
    lua_Integer length = glua_check_length(L, "concat");
    lua_Integer first = luaL_optinteger(L, 3, 1);
    lua_Integer last = luaL_optinteger(L, 4, length);
    size_t count = range(first, last);
    // It stops at the first absent value. With metatables, it is unknown which one that is.
    size_t most = glua_count_links(L, 1) == 0 ? (size_t)length + 1000 : MAX_ACCESSES;
    if (count > most) count = most;
    glua_charge_elements(L, 1, count * 2);
    return run_system(L);
}

static int table_move(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t count = range(luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    if (count > 1000000) return glua_error(L, "table.move moves at most 1000000 values at once");
    glua_charge_elements(L, 1, count);
    if (lua_istable(L, 5)) glua_charge_elements(L, 5, count);
    return run_system(L);
}

static int table_unpack(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 3);
    lua_Integer first = luaL_optinteger(L, 2, 1);
    if (lua_isnil(L, 3)) {
        lua_pushinteger(L, luaL_len(L, 1)); // a `__len` may return anything, and must not be called twice
        lua_replace(L, 3);
    }
    size_t count = range(first, luaL_checkinteger(L, 3));
    // More do not fit on the stack, which the system's function reports.
    if (count <= MAX_ACCESSES) glua_charge_elements(L, 1, count);
    return run_system(L);
}

void glua_install_table(lua_State *L) {
    static const luaL_Reg own[] = {
        {"concat", table_concat}, {"insert", table_insert}, {"move", table_move},
        {"remove", table_remove}, {"unpack", table_unpack}, {NULL, NULL},
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
    lua_pushcfunction(L, glua_table_sort);
    lua_setfield(L, -2, "sort");
    glua_protect_library(L, "table");
    lua_remove(L, from);
}
