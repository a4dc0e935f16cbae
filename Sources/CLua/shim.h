// The system's Lua 5.4. Only CLuaShims includes this: nearly half of these functions can raise, and Lua raises
// with longjmp, which Swift frames do not survive.
#ifndef CLUA_SHIM_H
#define CLUA_SHIM_H

// Without pkg-config, the compiler does not find headers that are installed.
#if !__has_include(<lua.h>)
#error "Lua 5.4 was not found: run apt-get install liblua5.4-dev pkg-config (Linux), or brew install lua@5.4 pkgconf."
#endif

#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>

#if LUA_VERSION_NUM != 504
#error "Lua 5.4 is required: install liblua5.4-dev (apt) or lua@5.4 (brew)."
#endif

#endif
