// Coroutines (script profile). A coroutine that a limit stopped keeps its hooks off, so it must never run again. It is
// marked by having no hook at all.

#include "core.h"

static lua_State *check_coroutine(lua_State *L, int index) {
    lua_State *co = lua_tothread(L, index);
    if (co == NULL) luaL_typeerror(L, index, "coroutine");
    return co;
}

static bool is_killed(lua_State *co) { return lua_gethook(co) == NULL; }

// Resumes; returns the number of results on L, or -1 with the error on L. Raises limits.
//
// lua_resume returns errors instead of raising them, so g->L is always restored. The hook belongs to the coroutine
// (manual 4.7, lua_sethook), which inherits that of its creator. If the period has changed since, it is set again.
static int resume(lua_State *L, lua_State *co, int arguments) {
    glua_state *g = glua_of(L);
    glua_charge(L, 20); // each resume may run fewer instructions than a hook period
    if (is_killed(co)) {
        lua_pushliteral(L, "cannot resume a coroutine that a limit has stopped");
        return -1;
    }
    // On the other stack, which lua_xmove does not check.
    if (!lua_checkstack(co, arguments)) {
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    if (lua_gethookcount(co) != g->period) glua_arm(g, co);
    lua_xmove(L, co, arguments);
    lua_State *outer = g->L;
    int results = 0;
    g->L = co;
    int status = lua_resume(co, L, arguments, &results);
    g->L = outer;
    if (status == LUA_ERRMEM) glua_abort(g, L, GLUA_MEMORY);
    if (g->aborted != GLUA_OK) {
        lua_sethook(co, NULL, 0, 0); // the mark; the limit continues in the caller
        return glua_raise_abort(L);
    }
    if (status == LUA_OK || status == LUA_YIELD) {
        if (!lua_checkstack(L, results + 1)) {
            lua_pop(co, results);
            lua_pushliteral(L, "too many results to resume");
            return -1;
        }
        lua_xmove(co, L, results);
        return results;
    }
    lua_xmove(co, L, 1);
    glua_charge_error(L);
    return -1;
}

static int co_create(lua_State *L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_State *co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

static int co_resume(lua_State *L) {
    lua_State *co = check_coroutine(L, 1);
    int results = resume(L, co, lua_gettop(L) - 1);
    lua_pushboolean(L, results >= 0);
    if (results < 0) {
        lua_insert(L, -2);
        return 2;
    }
    lua_insert(L, -(results + 1));
    return results + 1;
}

// Closes pending variables; returns Lua's status, with the error on L if there is one. Raises limits.
static int close_coroutine(lua_State *L, lua_State *co) {
    glua_state *g = glua_of(L);
    if (is_killed(co)) {
        lua_pushliteral(L, "cannot close a coroutine that a limit has stopped");
        return LUA_ERRRUN;
    }
    // lua_resetthread of 5.4.4 does not count C calls, so nested closing could exhaust the C stack.
    if (g->closing >= GLUA_MAX_CLOSE_DEPTH) return glua_error(L, "too many coroutines are closed inside each other");
    if (lua_gethookcount(co) != g->period) glua_arm(g, co);
    lua_State *outer = g->L;
    g->L = co;
    g->closing++;
    int status = lua_resetthread(co);
    g->closing--;
    g->L = outer;
    if (status == LUA_ERRMEM) glua_abort(g, L, GLUA_MEMORY);
    if (g->aborted != GLUA_OK) {
        lua_sethook(co, NULL, 0, 0);
        return glua_raise_abort(L);
    }
    if (status != LUA_OK) {
        lua_xmove(co, L, 1);
        glua_charge_error(L);
    }
    return status;
}

// coroutine.wrap: an error is raised in the caller, too, after the coroutine has been closed (manual 6.2). The error
// keeps the line inside the coroutine, which no longer exists when the message handler runs.
static int wrapped(lua_State *L) {
    lua_State *co = lua_tothread(L, lua_upvalueindex(1));
    glua_position position;
    int results = resume(L, co, lua_gettop(L));
    if (results >= 0) return results;
    bool known = glua_find_position(co, &position);
    int status = lua_status(co);
    if (status != LUA_OK && status != LUA_YIELD && !is_killed(co)) {
        if (close_coroutine(L, co) != LUA_OK) lua_remove(L, -2); // an error while closing replaces the first one
    }
    if (known && lua_type(L, -1) == LUA_TSTRING && glua_of(L)->note.text != lua_tostring(L, -1)) {
        glua_annotate(L, GLUA_RUNTIME)->position = position; // the line inside the coroutine, not the caller's
    }
    return lua_error(L);
}

static int co_wrap(lua_State *L) {
    co_create(L);
    lua_pushcclosure(L, wrapped, 1);
    return 1;
}

// Like the system's: "the given coroutine must be dead or suspended" (manual 6.2). One that is running or waiting for
// another has status LUA_OK and a function on its stack.
static int co_close(lua_State *L) {
    lua_State *co = check_coroutine(L, 1);
    lua_Debug ar;
    bool suspended = lua_status(co) == LUA_YIELD;
    bool dead = lua_status(co) > LUA_YIELD || (lua_status(co) == LUA_OK && !lua_getstack(co, 0, &ar));
    if (co == L || (!suspended && !dead)) return glua_error(L, "cannot close a running coroutine");
    if (close_coroutine(L, co) == LUA_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

// The system's create, resume, wrap and close ignore the limits. Functions that only examine or yield are the system's
// own.
void glua_install_coroutine(lua_State *L) {
    static const char *const names[] = {"isyieldable", "running", "status", "yield", NULL};
    static const luaL_Reg own[] = {
        {"close", co_close}, {"create", co_create}, {"resume", co_resume}, {"wrap", co_wrap}, {NULL, NULL},
    };
    lua_pushcfunction(L, luaopen_coroutine);
    lua_call(L, 0, 1);
    int from = lua_gettop(L);
    lua_newtable(L);
    glua_copy_functions(L, from, names);
    luaL_setfuncs(L, own, 0);
    glua_protect_library(L, "coroutine");
    lua_remove(L, from);
}
