// Slots: numbered entries of a Lua table that keep functions and userdata alive for Swift. The free ones are listed in
// C, in a list with room for every slot, so that freeing a slot needs no memory.

#include "core.h"

static bool grow_slots(glua_state *g, uint32_t **slots, size_t *capacity, size_t needed) {
    if (needed <= *capacity) return true;
    size_t larger = *capacity * 2 > needed ? *capacity * 2 : needed + 16;
    uint32_t *grown = glua_reallocate(g->host.fault, *slots, larger * sizeof **slots);
    if (grown == NULL) return false;
    *slots = grown;
    *capacity = larger;
    return true;
}

// Pops the value on top into a new slot. Raises if there is not enough memory. The slot is `fresh` until the caller of
// the outermost C function takes ownership of it.
uint32_t glua_store(lua_State *L) {
    glua_state *g = glua_of(L);
    bool grown = grow_slots(g, &g->fresh, &g->fresh_capacity, g->fresh_count + 1) &&
                 // Room to free every slot, so that freeing never needs memory.
                 grow_slots(g, &g->free_slots, &g->free_capacity, (size_t)g->slot_count + 1);
    if (!grown) {
        glua_abort(g, L, GLUA_MEMORY);
        glua_raise_abort(L);
    }
    uint32_t slot = g->free_count > 0 ? g->free_slots[--g->free_count] : ++g->slot_count;
    g->fresh[g->fresh_count++] = slot;
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_SLOTS);
    lua_insert(L, -2);
    lua_rawseti(L, -2, slot);
    lua_pop(L, 1);
    return slot;
}

// Frees the slots of a flattening that failed, because no reference will own them.
void glua_drop_fresh(glua_state *g) {
    size_t count = g->fresh_count;
    g->fresh_count = 0;
    glua_release(g, g->fresh, count);
}

// The entries exist, so writing to them needs no memory.
void glua_forget_fresh(lua_State *L, glua_state *g, size_t count) {
    if (g->fresh_count == count) return;
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_SLOTS);
    while (g->fresh_count > count) {
        uint32_t slot = g->fresh[--g->fresh_count];
        lua_pushboolean(L, 0); // not nil: the entry is reused at once
        lua_rawseti(L, -2, slot);
        g->free_slots[g->free_count++] = slot;
    }
    lua_pop(L, 1);
}

const uint32_t *glua_get_references(const glua_state *g) { return g->fresh; }

static int release_slots(lua_State *L) {
    glua_state *g = glua_of(L);
    const uint32_t *slots = lua_touserdata(L, 1);
    size_t count = (size_t)lua_tointeger(L, 2);
    lua_rawgeti(L, LUA_REGISTRYINDEX, GLUA_REG_SLOTS);
    for (size_t index = 0; index < count; index++) {
        // A slot that was never assigned comes from corrupt bytes. It must not overflow the list.
        if (slots[index] == 0 || slots[index] > g->slot_count || g->free_count >= g->free_capacity) continue;
        lua_pushnil(L);
        lua_rawseti(L, -2, slots[index]);
        g->free_slots[g->free_count++] = slots[index];
    }
    return 0;
}

// Protected, because lua_rawseti may raise a memory error according to the manual (4.6, "m").
void glua_release(glua_state *g, const uint32_t *slots, size_t count) {
    if (count == 0 || g->L == NULL) return;
    lua_State *L = g->L;
    if (!lua_checkstack(L, 4)) return; // the slots stay taken until the state closes
    lua_pushcfunction(L, release_slots);
    lua_pushlightuserdata(L, (void *)slots);
    lua_pushinteger(L, (lua_Integer)count);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
}
