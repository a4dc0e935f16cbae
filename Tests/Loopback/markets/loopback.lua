-- A market whose servers are all on this machine: scripts/live and scripts/soak run it with loopback-server.
-- The script creates its folder: the shipped markets, this file, and shared/loopback_port.lua.

---@type glass.Market
local port = include "shared/loopback_port.lua"
local base = "http://127.0.0.1:" .. port

return {
  id = "loopback",
  name = "Loopback",
  extends = "us",
  deepLinking = { schemes = { "loopback" } },
  platform = {
    userDefaultsRegistration = { suite = "group.com.example.loopback" },
    aniviaSuperAttributes = { tenant = "loopback" },
    environment = {
      environments = {
        production = {
          services = {
            orchestra = base .. "/orchestra",
            identity = base .. "/identity",
            media = base .. "/media",
            quimby = base .. "/quimby",
          },
        },
        staging = {
          services = {
            orchestra = base .. "/staging/orchestra",
            identity = base .. "/staging/identity",
            media = base .. "/staging/media",
            quimby = base .. "/staging/quimby",
          },
        },
      },
    },
    urlSession = { requestTimeoutSeconds = 10, resourceTimeoutSeconds = 30 },
    networking = { retry = { maxRetries = 4, initialDelaySeconds = 0.05, maximumDelaySeconds = 0.5 } },
    reflector = { cookie = "x_backend" },
    quimby = { refreshSeconds = 1, customerHeader = "X-Customer", cartHeader = "X-Cart" },
    analytics = {
      collector = { intervalSeconds = 0.2, writeKeyHeader = "X-Anivia-Key", batchKeyHeader = "X-Batch" },
    },
    cookieStorage = { cookies = { { name = "assortmentStoreId", value = "100", domain = "127.0.0.1", secure = false } } },
  },
  routables = {
    probe = {
      paths = { "probe/:number(int)" },
      waitForPreconditions = false,
      handle = function(link, state)
        state:show("probe", { number = link.parameters.number })
        return true
      end,
    },
  },
}
