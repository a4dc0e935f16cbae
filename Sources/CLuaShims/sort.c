// table.sort: a merge sort of a copy. The system's function chooses pivots by the clock and the address of a function,
// so that the order of equal elements changes from run to run, and it compares in C, where no hook runs.

#include "core.h"

#include <limits.h>

enum { LIST = 1, LESS = 2, ITEMS = 3, SPARE = 4 };

typedef struct sorting {
    lua_State *L;
    bool has_order; // an order function, at LESS
} sorting;

// Comparing and converting long strings takes long.
static size_t price_of(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TSTRING ? lua_rawlen(L, index) / 16 : 0;
}

// Whether the value below the top precedes the one on top. Pops both. The order function may raise but not yield, as in
// the system's library: lua_call is a call without a continuation.
static bool takes_precedence(const sorting *s) {
    lua_State *L = s->L;
    glua_charge(L, 10 + price_of(L, -2) + price_of(L, -1));
    bool less;
    if (s->has_order) {
        lua_pushvalue(L, LESS);
        lua_insert(L, -3);
        lua_call(L, 2, 1);
        less = lua_toboolean(L, -1);
        lua_pop(L, 1);
    } else {
        less = lua_compare(L, -2, -1, LUA_OPLT);
        lua_pop(L, 2);
    }
    return less;
}

static bool precedes(const sorting *s, int left_table, lua_Integer left, int right_table, lua_Integer right) {
    lua_rawgeti(s->L, left_table, left);
    lua_rawgeti(s->L, right_table, right);
    return takes_precedence(s);
}

static void move_item(const sorting *s, int from_table, lua_Integer from, int to_table, lua_Integer to) {
    lua_rawgeti(s->L, from_table, from);
    lua_rawseti(s->L, to_table, to);
}

// Sorts the items from `first` to `last`. Equal ones keep their order, because an element of the right half goes first
// only if it precedes. Whatever the order function returns, each step makes progress.
static void sort_items(const sorting *s, lua_Integer first, lua_Integer last) {
    if (first >= last) return;
    lua_Integer middle = first + (last - first) / 2;
    sort_items(s, first, middle);
    sort_items(s, middle + 1, last);
    if (!precedes(s, ITEMS, middle + 1, ITEMS, middle)) return; // in order already
    lua_Integer count = middle - first + 1;
    for (lua_Integer at = 0; at < count; at++) move_item(s, ITEMS, first + at, SPARE, at + 1);
    lua_Integer left = 1, right = middle + 1, to = first;
    while (left <= count && right <= last) {
        if (precedes(s, ITEMS, right, SPARE, left)) move_item(s, ITEMS, right++, ITEMS, to++);
        else move_item(s, SPARE, left++, ITEMS, to++);
    }
    while (left <= count) move_item(s, SPARE, left++, ITEMS, to++);
}

int glua_table_sort(lua_State *L) {
    lua_Integer count = glua_check_length(L, "sort");
    lua_settop(L, 2);
    if (count < 2) return 0;
    luaL_argcheck(L, count < INT_MAX, 1, "array too big");
    sorting s = {L, !lua_isnil(L, LESS)};
    if (s.has_order) luaL_checktype(L, LESS, LUA_TFUNCTION);
    // Lua tables, so that changes of the list by the order function, or an error in it, do no harm.
    lua_createtable(L, (int)count, 0);
    lua_createtable(L, (int)(count / 2 + 1), 0);
    glua_charge_elements(L, LIST, (size_t)count);
    for (lua_Integer at = 1; at <= count; at++) {
        if (lua_geti(L, LIST, at) == LUA_TNIL) {
            return glua_error(L, "cannot sort a list with a hole: it has no element %d", (int)at);
        }
        lua_rawseti(L, ITEMS, at);
    }
    sort_items(&s, 1, count);
    // Only now, so that an error leaves the list unchanged.
    glua_charge_elements(L, LIST, (size_t)count);
    for (lua_Integer at = 1; at <= count; at++) {
        lua_rawgeti(L, ITEMS, at);
        lua_seti(L, LIST, at);
    }
    return 0;
}
