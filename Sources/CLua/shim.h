// The system's Lua 5.4. Only CLuaShims includes this: nearly half of these functions can raise, and Lua raises
// with longjmp, which Swift frames do not survive.
#ifndef CLUA_SHIM_H
#define CLUA_SHIM_H

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#if LUA_VERSION_NUM != 504
#error "Lua 5.4 is required: install liblua5.4-dev (apt) or lua@5.4 (brew)."
#endif

#endif
