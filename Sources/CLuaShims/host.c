// Swift functions and objects in Lua. A Swift function is called between two pieces of C code: the arguments are
// flattened before, and its results are pushed, or its error is raised, after it has returned. So no longjmp crosses a
// Swift frame.
//
// The functions that Lua calls run in a protected call and may raise wherever Lua may. Everything that they own
// meanwhile is on Lua's stack, never in C.

#include "core.h"

#include <stdlib.h>
#include <string.h>

#define OBJECT_MAGIC 0x676c61737368u

glua_object *glua_to_object(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA || lua_rawlen(L, index) != sizeof(glua_object)) return NULL;
    glua_object *object = lua_touserdata(L, index);
    return object->magic == OBJECT_MAGIC && object->handle != NULL ? object : NULL;
}

static void bury(glua_state *g, glua_handle *handle) {
    handle->next = g->dead;
    g->dead = handle;
}

// Finalizers only record what died: Swift releases it when no Lua is running, because a deinit may run arbitrary code.
// Only an object that was created with bytes of its own is released at once, which its creator has allowed.
static int collect_handle(lua_State *L) {
    glua_handle **place = lua_touserdata(L, 1);
    if (place != NULL && *place != NULL) {
        bury(glua_of(L), *place);
        *place = NULL;
    }
    return 0;
}

static int collect_object(lua_State *L) {
    glua_object *object = lua_touserdata(L, 1);
    if (object != NULL && object->handle != NULL) {
        glua_state *g = glua_of(L);
        glua_handle *handle = object->handle;
        object->handle = NULL;
        if (handle->at_once) {
            g->memory -= handle->bytes;
            g->host.release(g->host.context, handle->object);
            free(handle);
        } else {
            bury(g, handle);
        }
    }
    return 0;
}

void *glua_take_dead(glua_state *g) {
    glua_handle *handle = g->dead;
    if (handle == NULL) return NULL;
    g->dead = handle->next;
    void *object = handle->object;
    g->memory -= handle->bytes;
    free(handle);
    return object;
}

// Raises the message and the detail that the host left on the tape, with the same kind.
static int raise_host_failure(lua_State *L, int32_t status, const glua_position *position) {
    // The name and the path are kept, so that a failure that passes through the host keeps its kind.
    lua_settop(L, 2);
    if (lua_type(L, 1) != LUA_TSTRING) {
        lua_pushliteral(L, "a host function failed, and its message exceeds the limits");
        lua_replace(L, 1);
    }
    if (position->line > 0) {
        lua_pushfstring(L, "%s:%d: ", position->chunk, (int)position->line);
    } else {
        glua_push_where(L);
    }
    lua_pushvalue(L, 1);
    lua_concat(L, 2);
    glua_note *note = glua_annotate(L, status);
    if (position->line > 0) note->position = *position;
    if (lua_type(L, 2) == LUA_TSTRING) {
        size_t count;
        const char *detail = lua_tolstring(L, 2, &count);
        if (status == GLUA_DENIED) glua_copy(note->name, sizeof note->name, detail, count);
        else glua_copy(note->path, sizeof note->path, detail, count);
    }
    return lua_error(L);
}

// Calls the host with the values from `first` to the top; returns the number of results. Raises.
//
// `function` and `object` stay alive, because the running closure and its first argument are on the stack until this
// returns. The host may call Lua in between, which reuses the tape and the slots, so after the call only what the host
// wrote last is valid.
static int call_host(lua_State *L, void *function, void *object, int first) {
    glua_state *g = glua_of(L);
    if (g->aborted != GLUA_OK) return glua_raise_abort(L); // an aborted run's `__close` calls without an instruction
    if (g->depth >= GLUA_MAX_DEPTH) return glua_error(L, "too many calls between Lua and the host are nested");
    g->fresh_count = 0;
    int last = lua_gettop(L);
    if (!glua_flatten_plain(g, L, first, last)) {
        glua_check_flatten(L, glua_flatten(L, first, last), "argument");
        g->fresh_count = 0;
    }
    lua_State *outer = g->L;
    glua_position position;
    position.line = 0;
    position.chunk[0] = 0;
    position.approximate = false;
    g->L = L;
    g->depth++;
    int32_t status = g->host.call(g->host.context, function, object, &position);
    g->depth--;
    g->L = outer;
    if (g->aborted != GLUA_OK) return glua_raise_abort(L); // a limit that was exceeded inside continues outside
    if (status == GLUA_OK && g->tape.values <= GLUA_MOST_PLAIN && glua_is_plain(&g->tape)) {
        glua_push_plain(L); // a C function has 20 stack slots besides its arguments by default
        return (int)g->tape.values;
    }
    lua_settop(L, 0);
    if (status == GLUA_OK) {
        glua_push_tape(L);
        return lua_gettop(L);
    }
    glua_push_tape(L);
    return raise_host_failure(L, status, &position);
}

// Not checked: a program cannot reach upvalues, because there is no debug library.
static void *function_of(lua_State *L, int upvalue) {
    return (*(glua_handle **)lua_touserdata(L, lua_upvalueindex(upvalue)))->object;
}

static int call_function(lua_State *L) { return call_host(L, function_of(L, 1), NULL, 1); }

// Upvalues: handle, type, name. The type is compared by address, so that `a.method(b)` with an object of another type
// is rejected before Swift sees it.
static int call_method(lua_State *L) {
    glua_object *object = glua_to_object(L, 1);
    if (object == NULL || object->type != lua_touserdata(L, lua_upvalueindex(2))) {
        return glua_error(L, "'%s' must be called on its object: write object:%s(...)",
                          lua_tostring(L, lua_upvalueindex(3)), lua_tostring(L, lua_upvalueindex(3)));
    }
    return call_host(L, function_of(L, 1), object->handle->object, 2);
}

// Binary operators: the object may be on either side. Both operands are arguments.
static int call_operator(lua_State *L) {
    glua_object *object = glua_to_object(L, 1);
    const void *type = lua_touserdata(L, lua_upvalueindex(2));
    if (object == NULL || object->type != type) object = glua_to_object(L, 2);
    if (object == NULL || object->type != type) return glua_error(L, "the operands are of different types");
    lua_settop(L, 2);
    return call_host(L, function_of(L, 1), object->handle->object, 1);
}

static int call_unary(lua_State *L) {
    lua_settop(L, 1); // __len passes its operand twice
    return call_method(L);
}

static int call_to_string(lua_State *L) {
    lua_settop(L, 1);
    int count = call_method(L);
    if (count < 1 || lua_type(L, -count) != LUA_TSTRING) return glua_error(L, "'__tostring' must return a string");
    return count;
}

// The fields of a type's metatable that only C reads.
enum { METHODS = 1, GETTERS = 2, SETTERS = 3, MISSING = 4 };

// Upvalues of both: methods, getters or setters, metatable. Reads are raw, because the tables are private and have no
// metatables.
static int index_object(lua_State *L) {
    lua_settop(L, 2);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    lua_pop(L, 1);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
        return 1;
    }
    lua_pop(L, 1);
    if (lua_rawgeti(L, lua_upvalueindex(3), MISSING) != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_pushvalue(L, 2);
        lua_call(L, 2, 1);
        return 1;
    }
    return glua_error(L, "the object has no such member");
}

static int assign_object(lua_State *L) {
    lua_settop(L, 3);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_pushvalue(L, 3);
        lua_call(L, 2, 0);
        return 0;
    }
    lua_getfield(L, lua_upvalueindex(3), "__name");
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
    return glua_error(L, "'%s' of %s cannot be assigned", name, lua_tostring(L, -1));
}

// Pushes a userdata that owns the handle. The caller owns it until this returns.
static void push_handle(lua_State *L, glua_handle *handle) {
    glua_handle **place = lua_newuserdatauv(L, sizeof *place, 0);
    *place = NULL;
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_HANDLE);
    lua_setmetatable(L, -2);
    *place = handle;
}

typedef struct host_call {
    glua_handle *handle; // NULL once Lua owns it
    const void *type;
    int32_t kind;
    const char *name;
    size_t count;
    uint32_t slot;
    uint64_t identity;
} host_call;

// Runs `body`, which passes the handle to a userdata. The memory is counted first, so that nothing that exceeds the
// limit is created. The handle is allocated with malloc, because a Lua error on the way must not lose a Swift
// reference.
static int32_t with_handle(glua_state *g, lua_CFunction body, host_call *call, void *object, size_t bytes) {
    size_t all = bytes < SIZE_MAX - GLUA_HANDLE_BYTES ? bytes + GLUA_HANDLE_BYTES : SIZE_MAX;
    int32_t held = glua_hold(g, all);
    if (held != GLUA_OK) return held;
    call->handle = glua_reallocate(g->host.fault, NULL, sizeof *call->handle);
    if (call->handle == NULL) {
        glua_give_back(g, all);
        glua_begin(g, NULL);
        glua_abort(g, g->L, GLUA_MEMORY);
        glua_set_message(g, "", 0);
        glua_end(g);
        return GLUA_MEMORY;
    }
    call->handle->object = object;
    call->handle->next = NULL;
    call->handle->bytes = all;
    call->handle->at_once = bytes > 0;
    int32_t status = glua_protect(g, body, call);
    // The bodies pass the handle on in their last step, after everything that can fail.
    if (call->handle != NULL) {
        glua_give_back(g, all);
        free(call->handle);
    }
    return status;
}

// The closure is created before the handle is passed on, because creating it may fail, and Lua owns a handle in a
// userdata.
static int new_function(lua_State *L) {
    host_call *call = lua_touserdata(L, 1);
    push_handle(L, NULL);
    lua_pushvalue(L, -1);
    lua_pushcclosure(L, call_function, 1);
    call->identity = (uint64_t)(uintptr_t)lua_topointer(L, -1);
    call->slot = glua_store(L);
    *(glua_handle **)lua_touserdata(L, 2) = call->handle;
    call->handle = NULL;
    return 0;
}

int32_t glua_new_function(glua_state *g, void *function, uint32_t *slot, uint64_t *identity) {
    host_call call = {0};
    int32_t status = with_handle(g, new_function, &call, function, 0);
    *slot = call.slot;
    *identity = call.identity;
    return status;
}

static int new_object(lua_State *L) {
    host_call *call = lua_touserdata(L, 1);
    glua_object *object = lua_newuserdatauv(L, sizeof *object, 0);
    object->magic = OBJECT_MAGIC;
    object->type = call->type;
    object->handle = NULL;
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_TYPES);
    lua_rawgetp(L, -1, call->type);
    lua_setmetatable(L, 2);
    lua_settop(L, 2);
    call->identity = (uint64_t)(uintptr_t)lua_topointer(L, 2);
    lua_pushvalue(L, 2);
    call->slot = glua_store(L);
    object->handle = call->handle;
    call->handle = NULL;
    return 0;
}

int32_t glua_new_object(glua_state *g, const void *type, void *object, size_t bytes, uint32_t *slot,
                        uint64_t *identity) {
    host_call call = {0};
    call.type = type;
    int32_t status = with_handle(g, new_object, &call, object, bytes);
    *slot = call.slot;
    *identity = call.identity;
    return status;
}

static int new_type(lua_State *L) {
    host_call *call = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_TYPES); // 2
    lua_createtable(L, 4, 8);                          // 3: metatable
    for (int place = METHODS; place <= SETTERS; place++) {
        lua_newtable(L);
        lua_rawseti(L, 3, place);
    }
    lua_pushlstring(L, call->name, call->count);
    lua_setfield(L, 3, "__name");
    lua_pushcfunction(L, collect_object);
    lua_setfield(L, 3, "__gc");
    lua_rawgeti(L, 3, METHODS);
    lua_rawgeti(L, 3, GETTERS);
    lua_pushvalue(L, 3);
    lua_pushcclosure(L, index_object, 3);
    lua_setfield(L, 3, "__index");
    lua_rawgeti(L, 3, METHODS);
    lua_rawgeti(L, 3, SETTERS);
    lua_pushvalue(L, 3);
    lua_pushcclosure(L, assign_object, 3);
    lua_setfield(L, 3, "__newindex");
    lua_rawsetp(L, 2, call->type);
    return 0;
}

int32_t glua_new_type(glua_state *g, const void *type, const char *name, size_t count) {
    host_call call = {0};
    call.type = type;
    call.name = name;
    call.count = count;
    return glua_protect(g, new_type, &call);
}

static int add_member(lua_State *L) {
    host_call *call = lua_touserdata(L, 1);
    static const struct {
        int place; // key in the metatable; 0: a metamethod of that name
        const char *event;
        lua_CFunction function;
    } kinds[] = {
        [GLUA_MEMBER_METHOD] = {METHODS, NULL, call_method},
        [GLUA_MEMBER_GETTER] = {GETTERS, NULL, call_method},
        [GLUA_MEMBER_SETTER] = {SETTERS, NULL, call_method},
        [GLUA_MEMBER_MISSING] = {0, NULL, call_method},
        [GLUA_MEMBER_CALL] = {0, "__call", call_method},
        [GLUA_MEMBER_TO_STRING] = {0, "__tostring", call_to_string},
        [GLUA_MEMBER_EQUALS] = {0, "__eq", call_operator},
        [GLUA_MEMBER_LENGTH] = {0, "__len", call_unary},
        [GLUA_MEMBER_LESS] = {0, "__lt", call_operator},
    };
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_TYPES);
    lua_rawgetp(L, -1, call->type);
    lua_replace(L, 2); // 2: metatable
    push_handle(L, NULL);
    glua_handle **place = lua_touserdata(L, 3);
    lua_pushvalue(L, 3);
    lua_pushlightuserdata(L, (void *)call->type);
    lua_pushlstring(L, call->name, call->count);
    lua_pushcclosure(L, kinds[call->kind].function, 3); // 4
    if (kinds[call->kind].place != 0) {
        lua_rawgeti(L, 2, kinds[call->kind].place);
        lua_pushlstring(L, call->name, call->count);
        lua_pushvalue(L, 4);
        lua_rawset(L, -3);
    } else if (kinds[call->kind].event != NULL) {
        lua_pushvalue(L, 4);
        lua_setfield(L, 2, kinds[call->kind].event);
    } else {
        lua_pushvalue(L, 4);
        lua_rawseti(L, 2, MISSING);
    }
    *place = call->handle;
    call->handle = NULL;
    return 0;
}

int32_t glua_add_member(glua_state *g, const void *type, int32_t kind, const char *name, size_t count,
                        void *function) {
    host_call call = {0};
    call.type = type;
    call.kind = kind;
    call.name = name;
    call.count = count;
    return with_handle(g, add_member, &call, function, 0);
}

// require

// Names cannot lead out of the host's folder: no slashes, no empty parts, no leading or final dot.
static bool is_module_name(const char *name, size_t count) {
    bool part = false;
    for (size_t at = 0; at < count; at++) {
        char c = name[at];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (!plain && (c != '.' || !part)) return false;
        part = plain;
    }
    return part;
}

// Upvalue: the function that calls the loader.
static int require_module(lua_State *L) {
    size_t count;
    if (lua_type(L, 1) != LUA_TSTRING) return glua_error(L, "a module name must be a string");
    const char *name = lua_tolstring(L, 1, &count);
    if (!is_module_name(name, count)) {
        return glua_denied(L, "require", "'%s' is not a valid module name: use letters, digits, '_' and '-', with '.' "
                                         "between parts", name);
    }
    lua_settop(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_MODULES); // 2
    lua_pushvalue(L, 1);
    lua_rawget(L, 2); // 3
    if (lua_islightuserdata(L, 3)) return glua_error(L, "module '%s' requires itself", name);
    if (!lua_isnil(L, 3)) return 1;
    lua_settop(L, 2);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, 1);
    lua_call(L, 1, 2); // 3: source, 4: chunk name
    if (lua_isnil(L, 3)) return glua_error(L, "there is no module '%s'", name);
    lua_pushvalue(L, 1);
    lua_pushlightuserdata(L, glua_of(L)); // the mark of a module that is being loaded; no program can create this value
    lua_rawset(L, 2);
    size_t source_count;
    const char *source = lua_tolstring(L, 3, &source_count);
    lua_pushfstring(L, "@%s", lua_tostring(L, 4));
    int status = glua_load_text(L, source, source_count, lua_tostring(L, -1));
    if (status == LUA_OK) {
        lua_pushvalue(L, 1);
        // Protected, so that the mark is removed after an error; limits are raised again at once.
        status = lua_pcall(L, 1, 1, 0);
        glua_state *g = glua_of(L);
        if (status == LUA_ERRMEM) glua_abort(g, L, GLUA_MEMORY);
        if (g->aborted != GLUA_OK) return glua_raise_abort(L);
    }
    if (status == LUA_OK && lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushboolean(L, 1);
    }
    lua_pushvalue(L, 1);
    if (status == LUA_OK) lua_pushvalue(L, -2);
    else lua_pushnil(L); // a module that failed can be required again
    lua_rawset(L, 2);
    return status == LUA_OK ? 1 : lua_error(L);
}

static int set_module_loader(lua_State *L) {
    host_call *call = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS); // 2
    push_handle(L, NULL);                                // 3
    lua_pushvalue(L, 3);
    lua_pushcclosure(L, call_function, 1);
    lua_pushcclosure(L, require_module, 1);
    lua_pushliteral(L, "require");
    lua_insert(L, -2);
    lua_rawset(L, 2); // raw: reading an undefined global is an error
    *(glua_handle **)lua_touserdata(L, 3) = call->handle;
    call->handle = NULL;
    return 0;
}

int32_t glua_set_module_loader(glua_state *g, void *function) {
    host_call call = {0};
    return with_handle(g, set_module_loader, &call, function, 0);
}

void glua_install_host(lua_State *L) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_HANDLE);
    lua_pushcfunction(L, collect_handle);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}
