// The same work in plain C over the system's library: what LuaBridge is measured against.
#ifndef CFLOOR_H
#define CFLOOR_H

#include <stdint.h>

typedef struct floor_state floor_state;

// With a count hook of period 1,000, as any guarded host needs one, or without.
floor_state *floor_open(int hooked);
void floor_close(floor_state *state);
// Each does its work `count` times and answers something that depends on it.
int64_t floor_call_lua(floor_state *state, int64_t count);
int64_t floor_call_host(floor_state *state, int64_t count);
int64_t floor_walk_table(floor_state *state, int64_t count);
int64_t floor_market(const char *source, int64_t length, int64_t count, int hooked);
// Defines the global `config`.
void floor_define(floor_state *state, const char *source);

#endif
