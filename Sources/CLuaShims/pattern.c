// string.find, match, gmatch and gsub with a matcher that counts its steps, so that a pattern that backtracks forever
// hits the time limit. Written from the manual, section 6.4.1; results and errors are those of the system's library.
//
// All of it runs in a protected call and may raise, at any charge, so the matcher is on the C stack and owns no memory.
// The subject and the pattern do not move, because the strings are on Lua's stack or are upvalues.

// memmem is an extension that glibc declares on request; the BSDs and macOS always declare it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "core.h"

#include <ctype.h>
#include <string.h>

// As in the system's library: LUA_MAXCAPTURES, and MAXCCALLS of its matcher.
#define MAX_CAPTURES 32
#define MAX_NESTING 200

enum { OPEN = -1, POSITION = -2 };

typedef struct matcher {
    lua_State *L;
    const char *subject, *subject_end;
    const char *pattern_end;
    int nesting;
    int capture_count;
    struct {
        const char *start;
        ptrdiff_t length; // or OPEN, or POSITION
    } captures[MAX_CAPTURES];
} matcher;

static unsigned char byte_at(const char *s) { return (unsigned char)*s; }

static bool in_class(int c, int letter) {
    bool inside;
    switch (tolower(letter)) {
    case 'a': inside = isalpha(c) != 0; break;
    case 'c': inside = iscntrl(c) != 0; break;
    case 'd': inside = isdigit(c) != 0; break;
    case 'g': inside = isgraph(c) != 0; break;
    case 'l': inside = islower(c) != 0; break;
    case 'p': inside = ispunct(c) != 0; break;
    case 's': inside = isspace(c) != 0; break;
    case 'u': inside = isupper(c) != 0; break;
    case 'w': inside = isalnum(c) != 0; break;
    case 'x': inside = isxdigit(c) != 0; break;
    case 'z': inside = c == 0; break; // no longer in the manual, but the system's library still supports it
    default: return letter == c;
    }
    return isupper(letter) ? !inside : inside;
}

// The end of the single-character item that begins at `p`.
static const char *item_end(matcher *m, const char *p) {
    char first = *p++;
    if (first == '%') {
        if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (first != '[') return p;
    if (p < m->pattern_end && *p == '^') p++;
    do { // a leading ']' is a member
        if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
        char c = *p++;
        if (c == '%') {
            if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
            p++;
        }
    } while (p == m->pattern_end || *p != ']');
    return p + 1;
}

// `p` is at '[' and `last` at its ']'.
static bool in_set(int c, const char *p, const char *last) {
    bool result = true;
    p++;
    if (*p == '^') {
        result = false;
        p++;
    }
    for (; p < last; p++) {
        if (*p == '%') {
            p++;
            if (in_class(c, byte_at(p))) return result;
        } else if (p + 2 < last && p[1] == '-') {
            if (byte_at(p) <= c && c <= byte_at(p + 2)) return result;
            p += 2;
        } else if (byte_at(p) == c) {
            return result;
        }
    }
    return !result;
}

static bool matches_item(matcher *m, const char *s, const char *p, const char *end) {
    if (s >= m->subject_end) return false;
    int c = byte_at(s);
    switch (*p) {
    case '.': return true;
    case '%': return in_class(c, byte_at(p + 1));
    case '[': return in_set(c, p, end - 1);
    default: return byte_at(p) == c;
    }
}

static const char *match_here(matcher *m, const char *s, const char *p);

static const char *match_balanced(matcher *m, const char *s, const char *p) {
    if (m->pattern_end - p < 2) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    if (s >= m->subject_end || *s != p[0]) return NULL;
    int depth = 1;
    for (s++; s < m->subject_end; s++) {
        glua_charge(m->L, 1);
        if (*s == p[1]) {
            if (--depth == 0) return s + 1;
        } else if (*s == p[0]) {
            depth++;
        }
    }
    return NULL;
}

static const char *match_most(matcher *m, const char *s, const char *p, const char *end) {
    ptrdiff_t count = 0;
    while (matches_item(m, s + count, p, end)) {
        glua_charge(m->L, (size_t)(end - p));
        count++;
    }
    for (; count >= 0; count--) {
        const char *result = match_here(m, s + count, end + 1);
        if (result != NULL) return result;
    }
    return NULL;
}

static const char *match_least(matcher *m, const char *s, const char *p, const char *end) {
    for (;; s++) {
        const char *result = match_here(m, s, end + 1);
        if (result != NULL) return result;
        glua_charge(m->L, (size_t)(end - p));
        if (!matches_item(m, s, p, end)) return NULL;
    }
}

static const char *open_capture(matcher *m, const char *s, const char *p, ptrdiff_t kind) {
    if (m->capture_count >= MAX_CAPTURES) luaL_error(m->L, "too many captures");
    m->captures[m->capture_count].start = s;
    m->captures[m->capture_count].length = kind;
    m->capture_count++;
    const char *result = match_here(m, s, p);
    if (result == NULL) m->capture_count--;
    return result;
}

static const char *close_capture(matcher *m, const char *s, const char *p) {
    int index = m->capture_count - 1;
    while (index >= 0 && m->captures[index].length != OPEN) index--;
    if (index < 0) luaL_error(m->L, "invalid pattern capture");
    m->captures[index].length = s - m->captures[index].start;
    const char *result = match_here(m, s, p);
    if (result == NULL) m->captures[index].length = OPEN;
    return result;
}

static const char *match_reference(matcher *m, const char *s, int digit) {
    int index = digit - '1';
    if (index < 0 || index >= m->capture_count || m->captures[index].length == OPEN) {
        luaL_error(m->L, "invalid capture index %%%d", index + 1);
    }
    // A position capture has no length. As in the system's library, it then never matches a shorter subject.
    size_t length = (size_t)m->captures[index].length;
    if ((size_t)(m->subject_end - s) < length) return NULL;
    glua_charge(m->L, length / 16);
    return memcmp(m->captures[index].start, s, length) == 0 ? s + length : NULL;
}

// Whether `s` is a frontier of the set from '[' at `p` to `end`: the byte before is outside the set and the byte here
// inside, where both ends of the subject count as a zero byte (manual 6.4.1, "Pattern Item").
static bool is_frontier(matcher *m, const char *s, const char *p, const char *end) {
    glua_charge(m->L, 2 * (size_t)(end - p)); // the set is searched for both bytes
    int before = s == m->subject ? 0 : byte_at(s - 1);
    int here = s == m->subject_end ? 0 : byte_at(s);
    return !in_set(before, p, end - 1) && in_set(here, p, end - 1);
}

// The outcome of matching an item of the pattern.
typedef enum outcome {
    NOT_MINE, // another function handles it
    GOES_ON,  // `s` and `p` are past it
    ENDS,     // the result is that of the whole rest: the item was tried in several ways, or failed
} outcome;

// The items that match more than one character of the subject, or none: captures, `$` at the end, `%b`, `%f`, `%1`.
static outcome match_special(matcher *m, const char **s, const char **p, const char **result) {
    const char *item = *p;
    *result = NULL;
    switch (*item) {
    case '(': {
        bool position = item + 1 < m->pattern_end && item[1] == ')';
        *result = position ? open_capture(m, *s, item + 2, POSITION) : open_capture(m, *s, item + 1, OPEN);
        return ENDS;
    }
    case ')': *result = close_capture(m, *s, item + 1); return ENDS;
    case '$':
        if (item + 1 != m->pattern_end) return NOT_MINE; // elsewhere it "has no special meaning" (6.4.1)
        if (*s == m->subject_end) *result = *s;
        return ENDS;
    case '%': break;
    default: return NOT_MINE;
    }
    if (item + 1 == m->pattern_end) return NOT_MINE; // item_end reports the error
    if (item[1] == 'b') {
        *s = match_balanced(m, *s, item + 2);
        *p = item + 4;
        return *s != NULL ? GOES_ON : ENDS;
    }
    if (item[1] == 'f') {
        const char *set = item + 2;
        if (set == m->pattern_end || *set != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
        *p = item_end(m, set);
        return is_frontier(m, *s, set, *p) ? GOES_ON : ENDS;
    }
    if (!isdigit(byte_at(item + 1))) return NOT_MINE;
    *s = match_reference(m, *s, byte_at(item + 1));
    *p = item + 2;
    return *s != NULL ? GOES_ON : ENDS;
}

// A single-character item and the `*`, `+`, `-` or `?` after it. If there is nothing to choose from, matching continues
// without nesting, as in the system's library: a pattern is too complex here exactly if it is there.
static outcome match_single(matcher *m, const char **s, const char **p, const char **result) {
    const char *item = *p, *end = item_end(m, item);
    glua_charge(m->L, (size_t)(end - item)); // a set is searched byte by byte
    bool matched = matches_item(m, *s, item, end);
    *result = NULL;
    switch (end < m->pattern_end ? *end : 0) {
    case '*':
        if (matched) *result = match_most(m, *s, item, end);
        break;
    case '-':
        if (matched) *result = match_least(m, *s, item, end);
        break;
    case '+':
        if (matched) *result = match_most(m, *s + 1, item, end);
        return ENDS;
    case '?':
        if (matched) *result = match_here(m, *s + 1, end + 1);
        if (*result != NULL) return ENDS;
        matched = false; // it fails with the character: continue without it
        break;
    default:
        *s += 1;
        *p = end;
        return matched ? GOES_ON : ENDS;
    }
    *p = end + 1;
    return matched ? ENDS : GOES_ON;
}

// Matches the pattern from `p` at `s`; returns the end of the match or NULL. Calls itself wherever an item can be
// matched in several ways. The depth is limited as in the system's library, because the C stack is limited.
static const char *match_here(matcher *m, const char *s, const char *p) {
    if (m->nesting-- == 0) luaL_error(m->L, "pattern too complex");
    const char *result = NULL;
    outcome outcome;
    do {
        glua_charge(m->L, 1);
        if (p == m->pattern_end) {
            result = s;
            break;
        }
        outcome = match_special(m, &s, &p, &result);
        if (outcome == NOT_MINE) outcome = match_single(m, &s, &p, &result);
    } while (outcome == GOES_ON);
    m->nesting++;
    return result;
}

static void start(matcher *m, lua_State *L, const char *s, size_t count, const char *pattern_end) {
    m->L = L;
    m->subject = s;
    m->subject_end = s + count;
    m->pattern_end = pattern_end;
}

static const char *try_at(matcher *m, const char *s, const char *p) {
    m->capture_count = 0;
    m->nesting = MAX_NESTING;
    return match_here(m, s, p);
}

static void push_capture(matcher *m, int index, const char *s, const char *end) {
    if (index >= m->capture_count) {
        if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
        lua_pushlstring(m->L, s, (size_t)(end - s));
        return;
    }
    ptrdiff_t length = m->captures[index].length;
    if (length == OPEN) luaL_error(m->L, "unfinished capture");
    if (length == POSITION) lua_pushinteger(m->L, m->captures[index].start - m->subject + 1);
    else lua_pushlstring(m->L, m->captures[index].start, (size_t)length);
}

// Pushes all captures, or the whole match if there are none and `s` is where it begins.
static int push_captures(matcher *m, const char *s, const char *end) {
    int count = m->capture_count == 0 && s != NULL ? 1 : m->capture_count;
    luaL_checkstack(m->L, count, "too many captures");
    for (int index = 0; index < count; index++) push_capture(m, index, s, end);
    return count;
}

static const char *find_plain(lua_State *L, const char *s, size_t count, const char *needle, size_t needle_count) {
    if (needle_count == 0) return s;
    // memmem is linear in the system's C library, unlike a loop over memchr and memcmp.
    glua_charge(L, count / 16);
    return needle_count > count ? NULL : memmem(s, count, needle, needle_count);
}

static bool is_plain(const char *p, size_t count) {
    for (size_t index = 0; index < count; index++) {
        if (p[index] != 0 && strchr("^$*+?.([%-", p[index]) != NULL) return false;
    }
    return true;
}

// The start for `init`, as an offset, which may be past the end.
static size_t start_offset(lua_Integer init, size_t count) {
    if (init > 0) return (size_t)init - 1;
    if (init == 0) return 0;
    if (init < -(lua_Integer)count) return 0;
    return count - (size_t)(-init);
}

static int find_or_match(lua_State *L, bool find) {
    size_t count, pattern_count;
    const char *s = luaL_checklstring(L, 1, &count);
    const char *p = luaL_checklstring(L, 2, &pattern_count);
    size_t offset = start_offset(luaL_optinteger(L, 3, 1), count);
    if (offset > count) {
        luaL_pushfail(L);
        return 1;
    }
    glua_charge(L, pattern_count / 4);
    if (find && (lua_toboolean(L, 4) || is_plain(p, pattern_count))) {
        const char *found = find_plain(L, s + offset, count - offset, p, pattern_count);
        if (found != NULL) {
            lua_pushinteger(L, found - s + 1);
            lua_pushinteger(L, found - s + (lua_Integer)pattern_count);
            return 2;
        }
        luaL_pushfail(L);
        return 1;
    }
    matcher m;
    start(&m, L, s, count, p + pattern_count);
    bool anchored = pattern_count > 0 && *p == '^';
    if (anchored) p++;
    for (const char *at = s + offset;; at++) {
        const char *end = try_at(&m, at, p);
        if (end != NULL) {
            if (!find) return push_captures(&m, at, end);
            lua_pushinteger(L, at - s + 1);
            lua_pushinteger(L, end - s);
            return push_captures(&m, NULL, NULL) + 2;
        }
        if (anchored || at >= m.subject_end) break;
    }
    luaL_pushfail(L);
    return 1;
}

int glua_pattern_find(lua_State *L) { return find_or_match(L, true); }

int glua_pattern_match(lua_State *L) { return find_or_match(L, false); }

// Upvalues: subject, pattern, where to continue, end of the last match (-1: none).
static int gmatch_step(lua_State *L) {
    size_t count, pattern_count;
    const char *s = lua_tolstring(L, lua_upvalueindex(1), &count);
    const char *p = lua_tolstring(L, lua_upvalueindex(2), &pattern_count);
    size_t offset = (size_t)lua_tointeger(L, lua_upvalueindex(3));
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    matcher m;
    start(&m, L, s, count, p + pattern_count);
    for (; offset <= count; offset++) {
        const char *end = try_at(&m, s + offset, p);
        if (end == NULL || end - s == last) continue;
        lua_pushinteger(L, end - s);
        lua_copy(L, -1, lua_upvalueindex(3));
        lua_replace(L, lua_upvalueindex(4));
        return push_captures(&m, s + offset, end);
    }
    lua_pushinteger(L, (lua_Integer)count + 1);
    lua_replace(L, lua_upvalueindex(3));
    return 0;
}

int glua_pattern_gmatch(lua_State *L) {
    size_t count;
    luaL_checklstring(L, 1, &count);
    luaL_checkstring(L, 2);
    size_t offset = start_offset(luaL_optinteger(L, 3, 1), count);
    if (offset > count) offset = count + 1;
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)offset);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, gmatch_step, 4);
    return 1;
}

// Adds the replacement text, in which `%1` to `%9` stand for captures and `%0` for the whole match.
static void add_template(matcher *m, luaL_Buffer *buffer, const char *s, const char *end) {
    size_t count;
    const char *text = lua_tolstring(m->L, 3, &count);
    for (size_t index = 0; index < count; index++) {
        if (text[index] != '%') {
            luaL_addchar(buffer, text[index]);
            continue;
        }
        index++;
        char c = index < count ? text[index] : 0;
        if (c == '%') {
            luaL_addchar(buffer, '%');
        } else if (c == '0') {
            luaL_addlstring(buffer, s, (size_t)(end - s));
        } else if (isdigit((unsigned char)c)) {
            push_capture(m, c - '1', s, end);
            luaL_tolstring(m->L, -1, NULL); // a position is a number
            lua_remove(m->L, -2);
            luaL_addvalue(buffer);
        } else {
            luaL_error(m->L, "invalid use of '%%' in replacement string");
        }
    }
}

// Adds the replacement of the match. Returns whether it differs from the match.
static bool add_replacement(matcher *m, luaL_Buffer *buffer, const char *s, const char *end, int type) {
    lua_State *L = m->L;
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(L, 3);
        int count = push_captures(m, s, end);
        lua_call(L, count, 1);
    } else if (type == LUA_TTABLE) {
        push_capture(m, 0, s, end);
        lua_gettable(L, 3);
    } else {
        add_template(m, buffer, s, end);
        return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(buffer, s, (size_t)(end - s));
        return false;
    }
    if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    luaL_addvalue(buffer);
    return true;
}

int glua_pattern_gsub(lua_State *L) {
    size_t count, pattern_count;
    const char *s = luaL_checklstring(L, 1, &count);
    const char *p = luaL_checklstring(L, 2, &pattern_count);
    const char *const p_end = p + pattern_count;
    int type = lua_type(L, 3);
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)count + 1);
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE) {
        luaL_typeerror(L, 3, "string/function/table");
    }
    lua_settop(L, 4);
    bool anchored = pattern_count > 0 && *p == '^';
    if (anchored) p++;
    matcher m;
    start(&m, L, s, count, p_end);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    const char *last = NULL;
    size_t links = type == LUA_TTABLE ? glua_count_links(L, 3) : 0;
    lua_Integer replaced = 0;
    bool changed = false;
    while (replaced < most) {
        const char *end = try_at(&m, s, p);
        if (end != NULL && end != last) {
            replaced++;
            if (links > 0) glua_charge(L, links);
            if (add_replacement(&m, &buffer, s, end, type)) changed = true;
            s = last = end;
        } else if (s < m.subject_end) {
            luaL_addchar(&buffer, *s++);
        } else {
            break;
        }
        if (anchored) break;
    }
    if (changed) {
        luaL_addlstring(&buffer, s, (size_t)(m.subject_end - s));
        luaL_pushresult(&buffer);
    } else {
        lua_pushvalue(L, 1);
    }
    lua_pushinteger(L, replaced);
    return 2;
}
