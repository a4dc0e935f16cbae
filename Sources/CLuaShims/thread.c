// Coroutines that the host drives.

#include "core.h"

#include <string.h>

typedef struct thread_call {
    uint32_t slot;
    uint32_t new_slot;
    uint64_t identity;
    glua_resumption *resumption;
    int32_t status;
} thread_call;

static void push_slot(lua_State *L, uint32_t slot) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_SLOTS);
    lua_rawgeti(L, -1, slot);
    lua_remove(L, -2);
}

static int new_thread(lua_State *L) {
    thread_call *call = lua_touserdata(L, 1);
    lua_State *co = lua_newthread(L);
    push_slot(L, call->slot);
    lua_xmove(L, co, 1);
    call->identity = (uint64_t)(uintptr_t)lua_topointer(L, -1);
    call->new_slot = glua_store(L);
    return 0;
}

int32_t glua_new_thread(glua_state *g, uint32_t function, uint32_t *slot, uint64_t *identity) {
    thread_call call = {0};
    call.slot = function;
    int32_t status = glua_protect(g, new_thread, &call);
    *slot = call.new_slot;
    *identity = call.identity;
    return status;
}

static int32_t status_of(glua_state *g, lua_State *co) {
    lua_Debug ar;
    if (co == g->main || co == g->L) return GLUA_THREAD_RUNNING;
    if (glua_is_killed(co)) return GLUA_THREAD_DEAD;
    switch (lua_status(co)) {
    case LUA_YIELD: return GLUA_THREAD_SUSPENDED;
    case LUA_OK:
        if (lua_getstack(co, 0, &ar)) return GLUA_THREAD_RUNNING;
        return lua_gettop(co) == 0 ? GLUA_THREAD_DEAD : GLUA_THREAD_SUSPENDED;
    default: return GLUA_THREAD_DEAD;
    }
}

static int thread_status(lua_State *L) {
    thread_call *call = lua_touserdata(L, 1);
    push_slot(L, call->slot);
    lua_State *co = lua_tothread(L, -1);
    call->status = co != NULL ? status_of(glua_of(L), co) : GLUA_THREAD_DEAD;
    return 0;
}

int32_t glua_thread_status(glua_state *g, uint32_t slot) {
    thread_call call = {0};
    call.slot = slot;
    call.status = GLUA_THREAD_DEAD;
    // A failure leaves the answer at "dead": nothing more can be done with the coroutine.
    (void)glua_protect(g, thread_status, &call);
    return call.status;
}

static int resume_thread(lua_State *L) {
    thread_call *call = lua_touserdata(L, 1);
    glua_resumption *resumption = call->resumption;
    glua_state *g = glua_of(L);
    push_slot(L, call->slot); // 2
    lua_State *co = lua_tothread(L, 2);
    if (co == NULL || status_of(g, co) == GLUA_THREAD_DEAD) return glua_error(L, "cannot resume dead coroutine");
    if (status_of(g, co) == GLUA_THREAD_RUNNING) return glua_error(L, "cannot resume a coroutine that is running");
    glua_push_tape(L);
    int arguments = lua_gettop(L) - 2;
    if (!lua_checkstack(co, arguments + 8)) return glua_error(L, "too many arguments to resume");
    if (lua_gethookcount(co) != g->period) glua_arm(g, co);
    lua_xmove(L, co, arguments);

    lua_State *outer = g->L;
    lua_State *outer_driven = g->driven;
    g->L = co;
    g->driven = resumption->drives ? co : NULL;
    g->waiting = NULL;
    g->delivered = resumption->delivered;
    if (resumption->position != NULL) g->delivered_position = *resumption->position;
    else memset(&g->delivered_position, 0, sizeof g->delivered_position);
    int results = 0;
    int status = lua_resume(co, L, arguments, &results);
    g->L = outer;
    g->driven = outer_driven;
    resumption->function = g->waiting;
    g->waiting = NULL;

    if (status == LUA_ERRMEM) glua_abort(g, L, GLUA_MEMORY);
    if (g->aborted != GLUA_OK) {
        lua_sethook(co, NULL, 0, 0);
        return glua_raise_abort(L);
    }
    if (status == LUA_OK || status == LUA_YIELD) {
        resumption->state = status == LUA_OK                ? GLUA_THREAD_DONE
                            : resumption->function != NULL ? GLUA_THREAD_WAITING
                                                           : GLUA_THREAD_YIELDED;
        lua_settop(L, 2);
        if (!lua_checkstack(L, results + 4)) return glua_error(L, "too many results to resume");
        lua_xmove(co, L, results);
        glua_check_flatten(L, glua_flatten(L, 3, lua_gettop(L)), "result");
        return 0;
    }
    // The stack of the coroutine still stands as it was when the error was raised.
    resumption->state = GLUA_THREAD_DONE;
    glua_describe(co, lua_gettop(co));
    (void)glua_close_coroutine(L, co);
    g->described = true;
    lua_pushlightuserdata(L, g);
    return lua_error(L);
}

int32_t glua_resume(glua_state *g, uint32_t slot, glua_resumption *resumption) {
    thread_call call = {0};
    call.slot = slot;
    call.resumption = resumption;
    resumption->function = NULL;
    resumption->state = GLUA_THREAD_DONE;
    int32_t status = glua_protect(g, resume_thread, &call);
    g->described = false;
    return status;
}

static int close_thread(lua_State *L) {
    thread_call *call = lua_touserdata(L, 1);
    glua_state *g = glua_of(L);
    push_slot(L, call->slot); // 2
    lua_State *co = lua_tothread(L, 2);
    if (co == NULL || glua_is_killed(co)) return 0;
    if (status_of(g, co) == GLUA_THREAD_RUNNING) return glua_error(L, "cannot close a running coroutine");
    if (glua_close_coroutine(L, co) != LUA_OK) return lua_error(L);
    return 0;
}

int32_t glua_close_thread(glua_state *g, uint32_t slot) {
    thread_call call = {0};
    call.slot = slot;
    return glua_protect(g, close_thread, &call);
}
