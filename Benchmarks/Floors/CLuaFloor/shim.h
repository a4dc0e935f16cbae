// The system library, for the floors only: what LuaBridge is measured against is plain C over the same library.
#ifndef CLUA_SHIM_H
#define CLUA_SHIM_H

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#if LUA_VERSION_NUM != 504
#error "Lua 5.4 is required: install liblua5.4-dev (apt) or lua@5.4 (brew)."
#endif

#endif
