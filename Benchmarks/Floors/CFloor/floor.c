#include "CFloor.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

struct floor_state {
    lua_State *L;
};

static void hook(lua_State *L, lua_Debug *ar) { (void)L, (void)ar; }

static int add(lua_State *L) {
    lua_pushinteger(L, luaL_checkinteger(L, 1) + luaL_checkinteger(L, 2));
    return 1;
}

static void open_libraries(lua_State *L) {
    luaL_requiref(L, "_G", luaopen_base, 1);
    luaL_requiref(L, "string", luaopen_string, 1);
    luaL_requiref(L, "table", luaopen_table, 1);
    luaL_requiref(L, "math", luaopen_math, 1);
    luaL_requiref(L, "utf8", luaopen_utf8, 1);
    lua_settop(L, 0);
}

floor_state *floor_open(int hooked) {
    floor_state *state = malloc(sizeof *state);
    state->L = luaL_newstate();
    open_libraries(state->L);
    if (hooked) lua_sethook(state->L, hook, LUA_MASKCOUNT, 1000);
    lua_pushcfunction(state->L, add);
    lua_setglobal(state->L, "add");
    luaL_dostring(state->L, "function sum(a, b) return a + b end "
                            "function calls(n) local f, s = add, 0 for i = 1, n do s = f(s, i) end return s end");
    return state;
}

void floor_close(floor_state *state) {
    lua_close(state->L);
    free(state);
}

int64_t floor_call_lua(floor_state *state, int64_t count) {
    lua_State *L = state->L;
    lua_getglobal(L, "sum");
    int64_t result = 0;
    for (int64_t index = 0; index < count; index++) {
        lua_pushvalue(L, 1);
        lua_pushinteger(L, result);
        lua_pushinteger(L, index);
        if (lua_pcall(L, 2, 1, 0) != LUA_OK) abort();
        result = lua_tointeger(L, -1);
        lua_settop(L, 1);
    }
    lua_settop(L, 0);
    return result;
}

int64_t floor_call_host(floor_state *state, int64_t count) {
    lua_State *L = state->L;
    lua_getglobal(L, "calls");
    lua_pushinteger(L, count);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) abort();
    int64_t result = lua_tointeger(L, -1);
    lua_settop(L, 0);
    return result;
}

static int64_t walk(lua_State *L, int index) {
    int64_t sum = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        size_t length;
        if (lua_type(L, -2) == LUA_TSTRING) {
            lua_tolstring(L, -2, &length);
            sum += (int64_t)length;
        }
        switch (lua_type(L, -1)) {
        case LUA_TTABLE: sum += walk(L, lua_gettop(L)); break;
        case LUA_TSTRING:
            lua_tolstring(L, -1, &length);
            sum += (int64_t)length;
            break;
        case LUA_TNUMBER: sum += lua_isinteger(L, -1) ? lua_tointeger(L, -1) : (int64_t)lua_tonumber(L, -1); break;
        default: sum += lua_toboolean(L, -1);
        }
        lua_pop(L, 1);
    }
    return sum;
}

int64_t floor_walk_table(floor_state *state, int64_t count) {
    lua_State *L = state->L;
    lua_getglobal(L, "config");
    int64_t sum = 0;
    for (int64_t index = 0; index < count; index++) sum += walk(L, 1);
    lua_settop(L, 0);
    return sum;
}

void floor_define(floor_state *state, const char *source) {
    if (luaL_dostring(state->L, source)) abort();
    lua_setglobal(state->L, "config");
}

int64_t floor_market(const char *source, int64_t length, int64_t count, int hooked) {
    int64_t sum = 0;
    for (int64_t index = 0; index < count; index++) {
        lua_State *L = luaL_newstate();
        open_libraries(L);
        if (hooked) lua_sethook(L, hook, LUA_MASKCOUNT, 1000);
        if (luaL_loadbufferx(L, source, (size_t)length, "=market", "t") != LUA_OK) abort();
        if (lua_pcall(L, 0, 1, 0) != LUA_OK) abort();
        sum += walk(L, 1);
        lua_close(L);
    }
    return sum;
}
