// The lifecycle of a state, the allocator, the hook, and the limits.

#include "core.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t cpu_now(void) {
#if defined(SANITIZED)
    // A sanitizer makes allocation so slow that the time limit would always be exceeded before the memory limit.
    return read_clock(CLOCK_THREAD_CPUTIME_ID) / 8;
#else
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
#endif
}
static uint64_t wall_now(void) { return read_clock(CLOCK_MONOTONIC); }

// A clock that advances every few milliseconds and costs a third of the exact one: enough to notice that time has
// passed.
#if defined(CLOCK_MONOTONIC_COARSE)
static uint64_t tick_now(void) { return read_clock(CLOCK_MONOTONIC_COARSE); }
#else
static uint64_t tick_now(void) { return wall_now() / 1000000; }
#endif

glua_fault *glua_fault_new(uint64_t fail_at, bool for_good) {
    glua_fault *fault = malloc(sizeof *fault);
    if (fault == NULL) return NULL;
    atomic_init(&fault->seen, 0);
    fault->fail_at = fail_at;
    fault->for_good = for_good;
    return fault;
}

uint64_t glua_fault_seen(const glua_fault *fault) {
    return atomic_load_explicit(&fault->seen, memory_order_relaxed);
}

void glua_fault_free(glua_fault *fault) { free(fault); }

void *glua_reallocate(glua_fault *fault, void *block, size_t size) {
    return glua_fails(fault) ? NULL : realloc(block, size);
}

static void start_clock(glua_state *g) {
    g->clock_started = true;
    g->cpu_start = cpu_now();
    g->wall_start = wall_now();
    g->wall_checked = g->wall_start;
}

static void hook(lua_State *L, lua_Debug *ar);

void glua_arm(glua_state *g, lua_State *L) { lua_sethook(L, hook, LUA_MASKCOUNT, g->period); }

static void set_period(glua_state *g, lua_State *L, int period) {
    g->period = period;
    // This is the only function that "can be called during a signal" (ldebug.c), in any state of the interpreter, so
    // the allocator may use it, too.
    glua_arm(g, L);
}

// Ends this evaluation with `status`. The first limit counts.
static void mark_aborted(glua_state *g, int32_t status) {
    g->aborted = status;
    g->failure.status = status;
    g->failure.frame_count = 0;
    g->failure.skipped_frames = 0;
    g->failure.position = g->last;
    g->failure.position.approximate = true;
    g->work = GLUA_WORK_SLICE; // a library loop ends at its next charge
    set_period(g, g->L, 1);
}

void glua_abort(glua_state *g, lua_State *L, int32_t status) {
    if (g->aborted == GLUA_OK) {
        mark_aborted(g, status);
        glua_record_frames(g, L);
        if (glua_find_position(L, &g->failure.position)) g->failure.position.approximate = false;
    }
    set_period(g, L, 1);
}

int glua_raise_abort(lua_State *L) {
    glua_state *g = glua_of(L);
    set_period(g, L, 1);
    lua_pushlightuserdata(L, g); // a value that no script can create and that needs no memory
    return lua_error(L);
}

// Returns the time limit that is exceeded, or GLUA_OK.
static int32_t exceeded_time(glua_state *g) {
    if (__atomic_load_n(&g->interrupted, __ATOMIC_RELAXED) != 0) return GLUA_TIME;
    if (!g->clock_started) {
        start_clock(g);
        return GLUA_OK;
    }
    if (g->limits.wall_ns != 0 && wall_now() - g->wall_start > g->limits.wall_ns) return GLUA_WALL;
    if (cpu_now() - g->cpu_start > g->limits.cpu_ns) return GLUA_TIME;
    return GLUA_OK;
}

void glua_interrupt(glua_state *g) { __atomic_store_n(&g->interrupted, 1, __ATOMIC_RELAXED); }

void glua_end_interruption(glua_state *g) { __atomic_store_n(&g->interrupted, 0, __ATOMIC_RELAXED); }

bool glua_over_time(glua_state *g) {
    if (g->aborted != GLUA_OK) return true;
    if (!g->running) return false;
    int32_t status = exceeded_time(g);
    if (status == GLUA_OK) return false;
    mark_aborted(g, status);
    return true;
}

bool glua_is_clock_due(glua_state *g) {
    if (!g->running) return false;
    if (g->aborted != GLUA_OK) return true;
    uint64_t now = wall_now(); // not a system call, unlike the CPU clock
    // Every 0.2 ms at most: the caller then reads the CPU clock, which is a system call.
    if (g->clock_started && now - g->wall_checked < 200000) return false;
    g->wall_checked = now;
    return true;
}

void glua_look_at_clock(glua_state *g, lua_State *L) {
    g->instructions += g->work / 10;
    g->work = 0;
    if (g->aborted != GLUA_OK) glua_raise_abort(L);
    if (!g->running) return;
    int32_t status = exceeded_time(g);
    if (status == GLUA_OK && g->instructions > g->limits.instructions) status = GLUA_INSTRUCTIONS;
    if (status == GLUA_OK) return;
    glua_abort(g, L, status);
    glua_raise_abort(L);
}

bool glua_look(glua_state *g) {
    if (g->dead != NULL) return true;
    if (!g->running || g->aborted != GLUA_OK) return false;
    // This runs after each host call, most of which are short, so the exact clocks are read only if some time has
    // passed.
    uint64_t tick = tick_now();
    if (g->clock_started && tick == g->tick) return false;
    g->tick = tick;
    int32_t status = exceeded_time(g);
    if (status != GLUA_OK) glua_abort(g, g->L, status);
    return false;
}

static void hook(lua_State *L, lua_Debug *ar) {
    glua_state *g = glua_of(L);
    if (g->aborted != GLUA_OK) {
        glua_raise_abort(L);
        return;
    }
    if (!g->running) return;
    g->instructions += (uint64_t)lua_gethookcount(L);
    if (lua_gethookcount(L) != g->period) glua_arm(g, L);
    bool fine = g->period != GLUA_HOOK_PERIOD;
    if (!fine || (g->hook_calls++ & 7) == 0) {
        if (lua_getinfo(L, "Sl", ar) && ar->currentline > 0) {
            const char *chunk = ar->source;
            if (*chunk == '@' || *chunk == '=') chunk++;
            glua_copy(g->last.chunk, sizeof g->last.chunk, chunk, strlen(chunk));
            g->last.line = ar->currentline;
        }
    }
    int32_t status = GLUA_OK;
    if (g->instructions > g->limits.instructions) {
        status = GLUA_INSTRUCTIONS;
    } else if (!fine) {
        status = exceeded_time(g);
    } else {
        // The CPU clock is a system call, the wall clock is not: the first is read only if the second has advanced.
        uint64_t now = wall_now();
        if (!g->clock_started || now - g->wall_checked > 200000) {
            g->wall_checked = now;
            status = exceeded_time(g);
        }
    }
    if (status == GLUA_OK) return;
    glua_abort(g, L, status);
    glua_raise_abort(L);
}

// Once an evaluation is aborted, blocks up to this size are still granted, so that Lua can unwind: closing an upvalue
// or creating a message must not fail again and again.
#define GLUA_LAST_BLOCK 4096
// ... up to this far above the memory limit.
#define GLUA_LAST_ROOM (256 * 1024)
// The allocator checks the clock once for this many bytes.
#define GLUA_CLOCK_BYTES (1024 * 1024)

static bool exceeds_memory(const glua_state *g, size_t growth) {
    return growth > g->limits.memory || g->memory > g->limits.memory - growth;
}

// Checks the clock from within the allocator, which runs where no hook does: in a concatenation, in a library function,
// in the collection that a refusal starts. It cannot raise here, so it only marks the evaluation as aborted.
static void watch_growth(glua_state *g, size_t growth, size_t new_size) {
    g->allocated += growth;
    if (g->allocated >= GLUA_CLOCK_BYTES || exceeds_memory(g, growth)) {
        g->allocated = 0;
        (void)glua_over_time(g);
    }
    if (new_size >= GLUA_LARGE_BLOCK && g->period == GLUA_HOOK_PERIOD) set_period(g, g->L, GLUA_FINE_PERIOD);
}

// Whether a block may grow. Lua responds to a refusal with a full collection and another request (lmem.c), so refusals
// are expensive: an aborted evaluation must encounter only a few of them.
static bool grants_growth(glua_state *g, size_t growth, size_t new_size) {
    if (new_size >= GLUA_LARGE_BLOCK) g->large = true;
    if (g->running) {
        if (g->aborted == GLUA_OK) watch_growth(g, growth, new_size);
        // Aborted, maybe by the line before.
        if (g->starved || (g->aborted != GLUA_OK && new_size > GLUA_LAST_BLOCK)) return false;
    }
    if (!exceeds_memory(g, growth)) return true;
    if (g->aborted == GLUA_OK || growth > GLUA_LAST_BLOCK) return false;
    if (g->memory <= g->limits.memory + GLUA_LAST_ROOM) return true;
    // Too much even for unwinding. From now on nothing grows: if the second request after the collection were granted,
    // a library loop would continue, with a full collection for each block.
    g->starved = g->running;
    return false;
}

// The allocator of the state (manual 4.6, lua_Alloc): counts Lua's memory, refuses requests over the limit, and checks
// the clock. Never raises and does not call Lua.
static void *allocate(void *context, void *block, size_t old_size, size_t new_size) {
    glua_state *g = context;
    if (block == NULL) old_size = 0; // "When ptr is NULL, osize encodes the kind of object" (lua_Alloc)
    if (new_size == 0) {
        free(block); // "must behave like free and then return NULL"
        g->memory -= old_size;
        return NULL;
    }
    bool grows = new_size > old_size;
    if (grows && !grants_growth(g, new_size - old_size, new_size)) return NULL;
    void *result = grows && glua_fails(g->host.fault) ? NULL : realloc(block, new_size);
    // A block that could not shrink is large enough as it is, so there is no reason for a memory error.
    if (result == NULL) return grows ? NULL : block;
    g->memory += new_size - old_size; // unsigned, so a negative difference subtracts
    if (g->memory > g->peak_memory) g->peak_memory = g->memory;
    return result;
}

// Accounting for memory that the host keeps

static int collect_some(lua_State *L) {
    // Adds the bytes to the collector's debt, as if Lua had allocated them; "performs an incremental step of garbage
    // collection, corresponding to the allocation of stepsize Kbytes" (manual, lua_gc).
    lua_gc(L, LUA_GCSTEP, (int)(*(size_t *)lua_touserdata(L, 1) / 1024));
    return 0;
}

static int collect_all(lua_State *L) {
    lua_gc(L, LUA_GCCOLLECT);
    return 0;
}

static bool has_room(const glua_state *g, size_t bytes) {
    return bytes <= g->limits.memory && g->memory <= g->limits.memory - bytes;
}

int32_t glua_hold(glua_state *g, size_t bytes) {
    if (g->running && g->aborted != GLUA_OK) return g->aborted;
    g->unpaced = bytes < SIZE_MAX - g->unpaced ? g->unpaced + bytes : SIZE_MAX;
    if (g->unpaced >= GLUA_PACE_BYTES && has_room(g, bytes)) {
        size_t portion = g->unpaced < (1u << 30) ? g->unpaced : 1u << 30;
        g->unpaced = 0;
        (void)glua_protect(g, collect_some, &portion);
    }
    if (!has_room(g, bytes) && !glua_over_time(g)) {
        // An emergency collection by Lua would run no finalizers, and finalizers are what frees the host's memory.
        (void)glua_protect(g, collect_all, NULL);
        for (void *object; (object = glua_take_dead(g)) != NULL;) g->host.release(g->host.context, object);
    }
    if (g->running && g->aborted != GLUA_OK) return g->aborted;
    if (!has_room(g, bytes)) {
        glua_begin(g, NULL);
        glua_abort(g, g->L, GLUA_MEMORY);
        glua_set_message(g, "", 0);
        glua_end(g);
        return GLUA_MEMORY;
    }
    g->memory += bytes;
    if (g->memory > g->peak_memory) g->peak_memory = g->memory;
    return GLUA_OK;
}

void glua_give_back(glua_state *g, size_t bytes) { g->memory -= bytes; }

int32_t glua_count_output(glua_state *g, size_t bytes) {
    if (g->running && g->aborted != GLUA_OK) return g->aborted;
    if (bytes > g->limits.output || g->output > g->limits.output - bytes) {
        glua_begin(g, NULL);
        glua_abort(g, g->L, GLUA_OUTPUT);
        glua_set_message(g, "", 0);
        glua_end(g);
        return GLUA_OUTPUT;
    }
    g->output += bytes;
    return GLUA_OK;
}

static int panic(lua_State *L) {
    (void)L;
    // Unreachable: every call into Lua is protected. All that is left is to print a message and abort.
    fputs("LuaBridge: Lua raised outside a protected call. This is a bug in CLuaShims.\n", stderr);
    abort();
}

static void warn(void *context, const char *message, int continues) {
    glua_state *g = context;
    (void)continues;
    g->host.warn(g->host.context, message, strlen(message));
}

glua_state *glua_open(const glua_host *host, int32_t profile, const glua_limits *limits) {
    glua_state *g = glua_reallocate(host->fault, NULL, sizeof *g);
    if (g == NULL) return NULL;
    memset(g, 0, sizeof *g);
    g->host = *host;
    g->tape.fault = host->fault;
    g->profile = profile;
    g->limits = *limits;
    if (g->limits.tape_depth > 250) g->limits.tape_depth = 250; // the size of `ancestors` and `path`
    g->default_limits = g->limits;
    g->period = GLUA_HOOK_PERIOD;
    g->main = lua_newstate(allocate, g);
    if (g->main == NULL) {
        free(g);
        return NULL;
    }
    if (!glua_tape_reserve(&g->tape, 256)) {
        lua_close(g->main);
        free(g);
        return NULL;
    }
    g->L = g->main;
    *(glua_state **)lua_getextraspace(g->main) = g;
    lua_atpanic(g->main, panic);
    if (host->warn != NULL) lua_setwarnf(g->main, warn, g);
    return g;
}

void glua_close(glua_state *g) {
    g->running = false;
    g->aborted = GLUA_OK;
    // Only finalizers of these C files run here, and they need no memory.
    g->limits.memory = SIZE_MAX / 2;
    lua_sethook(g->main, NULL, 0, 0);
    lua_close(g->main);
    g->main = g->L = NULL;
}

void glua_free(glua_state *g) {
    free(g->tape.bytes);
    free(g->entries);
    free(g->ranks);
    free(g->free_slots);
    free(g->fresh);
    free(g->message);
    free(g);
}

void glua_begin(glua_state *g, const glua_limits *limits) {
    if (g->evaluations++ != 0) return;
    if (limits != NULL || g->own_limits) {
        g->limits = limits != NULL ? *limits : g->default_limits;
        if (g->limits.tape_depth > 250) g->limits.tape_depth = 250; // the size of `ancestors` and `path`
        g->own_limits = limits != NULL;
    }
    g->aborted = GLUA_OK;
    g->starved = false;
    g->clock_started = false;
    g->cpu_used = 0;
    g->instructions = 0;
    g->work = 0;
    g->output = 0;
    g->allocated = 0;
    g->peak_memory = g->memory;
    g->last.line = 0;
    g->running = true;
    if (g->period == 1) g->period = g->large ? GLUA_FINE_PERIOD : GLUA_HOOK_PERIOD;
    if (lua_gethookcount(g->L) != g->period) glua_arm(g, g->L);
    // An explicit evaluation measures its time from the beginning. For a single call, the first check starts the clock,
    // which is at most one hook period late and saves a short call two system calls.
    if (limits != NULL) start_clock(g);
}

int32_t glua_end(glua_state *g) {
    if (--g->evaluations != 0) return g->aborted;
    if (g->clock_started) g->cpu_used = cpu_now() - g->cpu_start;
    g->running = false;
    return g->aborted;
}

void glua_begin_part(glua_state *g, uint64_t cpu_ns, uint64_t wall_ns, size_t output, glua_part *part) {
    if (!g->clock_started) start_clock(g);
    part->limits = g->limits;
    part->cpu_start = g->cpu_start;
    part->wall_start = g->wall_start;
    part->cpu_began = cpu_now();
    part->wall_began = wall_now();
    g->cpu_start = part->cpu_began;
    g->wall_start = part->wall_began;
    g->limits.cpu_ns = cpu_ns;
    g->limits.wall_ns = wall_ns;
    size_t left = g->output < g->limits.output ? g->limits.output - g->output : 0;
    g->limits.output = g->output + (output < left ? output : left);
}

void glua_end_part(glua_state *g, const glua_part *part) {
    g->limits = part->limits;
    // Moved by the time of the part, including the time that was counted for it elsewhere: only differences are used.
    g->cpu_start = part->cpu_start + (cpu_now() - part->cpu_began);
    g->wall_start = part->wall_start + (wall_now() - part->wall_began);
    if (g->aborted == GLUA_OK || g->aborted == GLUA_INSTRUCTIONS) return;
    int32_t status = g->aborted;
    g->aborted = GLUA_OK;
    g->starved = false;
    g->work = 0;
    g->period = g->large ? GLUA_FINE_PERIOD : GLUA_HOOK_PERIOD;
    glua_arm(g, g->L);
    if (status != GLUA_MEMORY) return;
    // The memory that the part filled is garbage now, unless the part kept it.
    (void)glua_protect(g, collect_all, NULL);
    for (void *object; (object = glua_take_dead(g)) != NULL;) g->host.release(g->host.context, object);
}

void glua_get_usage(const glua_state *g, glua_usage *usage) {
    usage->cpu_ns = g->running && g->clock_started ? cpu_now() - g->cpu_start : g->cpu_used;
    usage->instructions = g->instructions;
    usage->memory = g->memory;
    usage->peak_memory = g->peak_memory;
    usage->output = g->output;
}

const glua_limits *glua_get_limits(const glua_state *g) { return &g->limits; }

const glua_limits *glua_get_call_limits(const glua_state *g) {
    return g->evaluations == 0 ? &g->default_limits : &g->limits;
}

bool glua_get_remaining_wall(glua_state *g, uint64_t *ns) {
    if (!g->running || g->limits.wall_ns == 0) return false;
    if (!g->clock_started) start_clock(g);
    uint64_t used = wall_now() - g->wall_start;
    *ns = g->aborted != GLUA_OK || used >= g->limits.wall_ns ? 0 : g->limits.wall_ns - used;
    return true;
}

bool glua_get_remaining_time(glua_state *g, uint64_t *ns) {
    if (!g->running) return false;
    if (!g->clock_started) start_clock(g);
    uint64_t used = cpu_now() - g->cpu_start;
    uint64_t left = g->aborted != GLUA_OK || used >= g->limits.cpu_ns ? 0 : g->limits.cpu_ns - used;
    uint64_t wall;
    *ns = glua_get_remaining_wall(g, &wall) && wall < left ? wall : left;
    return true;
}

int32_t glua_check_time(glua_state *g) {
    if (!g->running) return GLUA_OK;
    if (g->aborted != GLUA_OK) return g->aborted;
    int32_t status = exceeded_time(g);
    if (status == GLUA_OK) return GLUA_OK;
    glua_begin(g, NULL);
    glua_abort(g, g->L, status);
    glua_set_message(g, "", 0);
    glua_end(g);
    return status;
}

void glua_count_time(glua_state *g, uint64_t ns) {
    if (!g->running) return;
    if (!g->clock_started) start_clock(g);
    g->cpu_start -= ns; // of which only differences are used, so it may wrap
}

typedef struct thread_start {
    void (*body)(void *);
    void *context;
} thread_start;

static void *thread_main(void *argument) {
    thread_start start = *(thread_start *)argument;
    free(argument);
    start.body(start.context);
    return NULL;
}

int32_t glua_thread_start(size_t stack_size, void (*body)(void *), void *context) {
    thread_start *start = malloc(sizeof *start);
    if (start == NULL) return 12; // ENOMEM
    start->body = body;
    start->context = context;
    pthread_attr_t attributes;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);
    if (error == 0) {
        error = pthread_attr_setstacksize(&attributes, stack_size);
        if (error == 0) error = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        if (error == 0) error = pthread_create(&thread, &attributes, thread_main, start);
        pthread_attr_destroy(&attributes);
    }
    if (error != 0) free(start);
    return error;
}

uintptr_t glua_thread_current(void) { return (uintptr_t)pthread_self(); }

// "$LuaVersion: Lua 5.4.4  Copyright ..."; every release since 5.1 has it, none declares it in a header.
extern const char lua_ident[];

int32_t glua_lua_release(void) {
    int major, minor, release;
    if (sscanf(lua_ident, "$LuaVersion: Lua %d.%d.%d", &major, &minor, &release) == 3) {
        return major * 10000 + minor * 100 + release;
    }
    return LUA_VERSION_RELEASE_NUM;
}
