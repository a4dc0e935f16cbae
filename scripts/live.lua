-- Every live service, against real servers on loopback. scripts/live starts the servers and runs this:
--     glass-host run --services live --permissions allow --collector market \
--       --markets FOLDER scripts/live.lua http://127.0.0.1:PORT

local test, expect = glass.test, glass.expect
local server = arg[1] or error("usage: glass-host run scripts/live.lua SERVER")
local market = glass.market("loopback")
local used = {}
local function get(name)
  used[name] = true
  return market.container:get(name)
end
local networking, media, analytics = get("Networking"), get("MediaNetworking"), get("Analytics")

test("every service is the live one and can be made", function()
  local services = market.container:services()
  expect(#services > 30):toBe(true)
  for _, service in ipairs(services) do expect(market.container:has(service)):toBe(true) end
end)

-- Network ------------------------------------------------------------------------------------------------------------

test("a request reaches the market's service with the app's headers", function()
  local echo = networking:json("v2/items")
  expect(echo.method):toBe("GET")
  expect(echo.path):toBe("/orchestra/v2/items")
  expect(echo.headers["wm-market"]):toBe("us")
  expect(echo.headers["user-agent"]):toBe(get("UserAgentProviding"):userAgent())
  expect(echo.headers["accept-language"]):toBe("en-US")
  expect(echo.headers.cookie):toContain("assortmentStoreId=100")
end)

test("another service has another base URL", function()
  expect(networking:json("token", "identity").path):toBe("/identity/token")
end)

test("a body arrives as it was sent", function()
  local answer = networking:send("POST", "cart", "{\"sku\":\"44391605\"}", { ["X-Trace"] = "1" })
  expect(answer.status):toBe(200)
  expect(answer.body):toContain("44391605")
  expect(answer.body):toContain("\"x-trace\":\"1\"")
end)

test("what fails for a while is repeated", function()
  local answer = networking:get(server .. "/orchestra/items?fail=503&times=2")
  expect(answer.status):toBe(200)
  expect(answer.attempts):toBe(3)
end)

test("a connection that breaks in the middle of the answer is repeated", function()
  local answer = networking:get(server .. "/orchestra/items?drop=1&times=1")
  expect(answer.status):toBe(200)
  expect(answer.attempts):toBe(2)
end)

test("an answer that is late is waited for", function()
  local answer = networking:get(server .. "/orchestra/items?delay=300")
  expect(answer.status):toBe(200)
  expect(answer.attempts):toBe(1)
end)

test("a POST is not repeated unless it may be", function()
  local answer = networking:send("POST", server .. "/orchestra/pay?fail=500&times=1", "once")
  expect(answer.status):toBe(500)
  expect(answer.attempts):toBe(1)
end)

test("what fails for good is the server's answer after the market's repetitions", function()
  local answer = networking:get(server .. "/orchestra/items?fail=500")
  expect(answer.status):toBe(500)
  expect(answer.attempts):toBe(market.config.platform.networking.retry.maxRetries + 1)
  expect(function() networking:json(server .. "/orchestra/items?fail=404") end):toRaise("404")
end)

test("a picture is downloaded once, kept, and asked for again when it is old", function()
  local fresh, stale = server .. "/media/a.png", server .. "/media/b.png?age=0"
  expect(media:load(fresh)):toEqual({ bytes = 70, type = "image/png", source = "network" })
  expect(media:load(fresh).source):toBe("memory")
  expect(media:load(stale).source):toBe("network")
  expect(media:load(stale).source):toBe("revalidated")
  media:removeAll()
  expect(media:load(fresh).source):toBe("network")
end)

test("remote configuration overrides the market's policy", function()
  local factory = get("RetryNotifyingFactory")
  local remote = get("RemoteConfigurationAPI")
  expect(remote:refresh()["retry.default.maxRetries"]):toBe("5")
  expect(remote:problem()):toBeNil()
  expect(factory:policy("cart").maxRetries):toBe(5)
  expect(factory:policy("checkout").maxRetries):toBe(1)
  expect(factory:remoteProblem()):toBeNil()
end)

test("remote configuration changes requests, and what does not fit changes nothing", function()
  local remote = get("RemoteConfigurationAPI")
  local function say(json) networking:send("POST", server .. "/remote", json) end
  say('{"platform":{"networking":{"retry":{"maxRetries":1,"initialDelaySeconds":0.01},"tracking":false}}}')
  expect(remote:refresh()["platform.networking.retry.maxRetries"]):toBe("1")
  expect(networking:get(server .. "/orchestra/items?fail=500").attempts):toBe(2)
  local tracked = analytics:counts().tracked
  networking:get(server .. "/orchestra/items")
  expect(analytics:counts().tracked):toBe(tracked)
  say('{"platform":{"environment":{"default":"staging"}}}')
  expect(function() remote:refresh() end):toRaise("platform.environment.default: remote configuration cannot change this key")
  expect(remote:problem()):toContain("platform.environment.default")
  expect(networking:get(server .. "/orchestra/items?fail=500").attempts):toBe(2)
  say('{"retry":{"default":{"maxRetries":5},"checkout":{"maxRetries":1}}}')
  remote:refresh()
  expect(networking:get(server .. "/orchestra/items?fail=500").attempts):toBe(5)
end)

test("requests are pointed at a backend by a cookie", function()
  local reflector = get("ReflectorManager")
  local before = networking:json("v2/items").headers.cookie
  reflector:point("stage7")
  expect(networking:json("v2/items").headers.cookie):toContain("x_backend=stage7")
  reflector:clear()
  expect(networking:json("v2/items").headers.cookie):toBe(before)
end)

test("remote configuration is asked for with who asks and with which cart", function()
  local auth, cart = get("QuimbyAuthProviding"), get("QuimbyCartProviding")
  auth:signIn("token-1", "c-1")
  cart:setCartID("cart-1")
  expect(auth:isSignedIn()):toBe(true)
  expect(auth:customerID()):toBe("c-1")
  expect(cart:cartID()):toBe("cart-1")
  -- Under the market's names, not under ours.
  expect(auth:headerNames()):toEqual({ "Authorization", "X-Customer" })
  get("RemoteConfigurationAPI"):refresh()
  local asked = networking:json(server .. "/remote/asked")
  expect(asked["x-customer"]):toBe("c-1")
  expect(asked["x-cart"]):toBe("cart-1")
  expect(asked.authorization):toBe("Bearer token-1")
  expect(asked["wm-customer-id"]):toBeNil()
  auth:signOut()
  expect(auth:isSignedIn()):toBe(false)
end)

test("switching the environment moves the requests", function()
  local environment = get("EnvironmentAPI")
  environment:switchTo("staging")
  expect(networking:json("v2/items").path):toBe("/staging/orchestra/v2/items")
  environment:switchTo("production")
  expect(networking:json("v2/items").path):toBe("/orchestra/v2/items")
end)

test("the network is what the kernel says", function()
  local names = {}
  for _, interface in ipairs(get("NetworkInformationProvider"):interfaces()) do names[#names + 1] = interface.name end
  expect(#names > 0):toBe(true)
end)

-- Storage ------------------------------------------------------------------------------------------------------------

test("what is stored is read", function()
  local storage, preferences = get("StorageAPI"), get("PreferencesStorage")
  storage:set("live", "name", "value")
  expect(storage:get("live", "name")):toBe("value")
  expect(storage:keys("live")):toEqual({ "name" })
  storage:removeAll("live")
  expect(storage:get("live", "name")):toBeNil()
  preferences:set("storeID", 1003)
  expect(preferences:get("storeID")):toBe(1003)
  preferences:set("storeID", nil)
  expect(preferences:get("storeID")):toBe(100)
  local startup = get("StartupPreferenceAPI")
  startup:setMarket("loopback")
  expect(startup:market()):toBe("loopback")
end)

-- Telemetry ----------------------------------------------------------------------------------------------------------

test("every event is kept, delivered or accounted for", function()
  local before = analytics:counts()
  get("AnalyticsStoreIDProviding"):setStoreID("3520")
  for number = 1, 20 do get("AnalyticsTracking"):track("live", { number = number }) end
  local told = get("ErrorCoordinatorProducing"):report("live", "a test's error")
  expect(told).never:toBeNil()
  local counts = analytics:counts()
  expect(counts.tracked):toBe(before.tracked + 21)
  expect(counts.balanced):toBe(true)
  analytics:flush()
end)

test("the collector has every event once and in order", function()
  analytics:flush()
  local counts = analytics:counts()
  expect(counts.kept):toBe(0)
  expect(counts.sentBySink.collector):toBe(counts.tracked)
  local report = networking:json(server .. "/collector/report")
  expect(report.events):toBe(counts.tracked)
  expect(report.duplicates):toBe(0)
  expect(report.outOfOrder):toBe(0)
end)

test("the first event tells of the market and the app", function()
  local first = networking:get(server .. "/collector/names").body:match("[^\n]+")
  expect(first):toBe("aniviaIntent")
end)

test("events carry what the features told", function()
  get("AnalyticsMembershipProviding"):setMembership("plus", true)
  get("AnalyticsCustomerInfoProviding"):setCustomer("c-1", true)
  get("AnalyticsLocationInfoProviding"):setLocation("US", "AR", "72716")
  expect(get("AnalyticsStoreIDProviding"):storeID()):toBe("3520")
  expect(get("AnalyticsMembershipProviding"):membership().tier):toBe("plus")
  expect(get("AnalyticsCustomerInfoProviding"):customer().customerID):toBe("c-1")
  expect(get("AnalyticsLocationInfoProviding"):location().region):toBe("AR")
  expect(get("AnalyticsSessionProvider"):session().id).never:toBeNil()
end)

-- The device and the market ------------------------------------------------------------------------------------------

test("a permission that is allowed is granted", function()
  expect(get("LocationPermissionProvider"):request()):toBe("granted")
  expect(get("NotificationPermissionProvider"):request()):toBe("granted")
  expect(get("VideoPermissionProvider"):request()):toBe("granted")
  expect(get("LocationUpdatesProvider"):allowsBackgroundLocationUpdates()):toBe(false)
  expect(get("LocationUpdatesProvider"):latest()):toBeNil()
end)

test("links leave the app only for the market's domains", function()
  local handler = get("ApplicationURLHandler")
  expect(handler:canOpen("https://www.walmart.com/help")):toBe(true)
  expect(handler:canOpen("https://www.example.com/")):toBe(false)
end)

test("links of other programs leave the app, and none that acts by itself", function()
  local handler = get("ApplicationURLHandler")
  for _, link in ipairs { "tel:+1-800-925-6278", "mailto:help@walmart.com", "sms:+18009256278", "maps://?q=Walmart",
    "itms-apps://apps.apple.com/app/id338137227", "app-settings:" } do
    expect(handler:canOpen(link)):toBe(true)
    handler:open(link)
  end
  expect(handler:canOpen("tel:*21*5551234%23")):toBe(false)
  expect(function() handler:open("whatsapp://send") end):toRaise("deepLinking.outboundSchemes")
end)

test("the app, its process and its settings are the market's", function()
  expect(get("AppInfoAPI"):name()):toBe("Walmart")
  expect(get("AppProcessInfo"):processName()):toContain("glass-host")
  expect(get("URLSessionConfigurationAPI"):settings().requestTimeoutSeconds):toBe(10)
  expect(get("CookieStorageAPI"):value(server .. "/", "assortmentStoreId")):toBe("100")
  expect(get("UserDefaultsRegistrationAPI"):value("unitSystem")):toBe("imperial")
  expect(get("AddressConfigurationAPI"):isPostalCode("72716")):toBe(true)
end)

-- Links --------------------------------------------------------------------------------------------------------------

test("links are opened by standard routables and by one in Lua", function()
  expect(market:open("loopback://ip/12345").routable):toBe("item")
  local probe = market:open("loopback://probe/7")
  local screens = probe.navigation.screens
  expect(screens[#screens]):toEqual({ name = "probe", parameters = { number = "7" } })
end)

test("a tracked link is an event", function()
  local before = analytics:counts().tracked
  market:open("loopback://ip/12345?utm_medium=email")
  expect(analytics:counts().tracked):toBe(before + 1)
end)

test("a link that was opened by a script went through the market's deep linker", function()
  expect(get("DeepLinker")).never:toBeNil()
  expect(market:canRoute("loopback://ip/1")):toBe(true)
  expect(market:canRoute("walmart://ip/1")):toBe(false)
end)

test("a flag that no market has gives the script's default", function()
  local flags = get("FeatureFlags")
  expect(flags:value("noSuchFlag", 7)):toBe(7)
  expect(flags:peek("noSuchFlag").error.code):toBe("FLAG_NOT_FOUND")
end)

test("what was received last is kept for the next start", function()
  networking:send("POST", server .. "/remote", '{"platform":{"networking":{"retry":{"maxRetries":2}}}}')
  expect(get("RemoteConfigurationAPI"):refresh()):toEqual({ ["platform.networking.retry.maxRetries"] = "2" })
end)

test("this script used every service", function()
  local unused = {}
  for _, name in ipairs(market.container:services()) do
    if not used[name] then unused[#unused + 1] = name end
  end
  expect(unused):toEqual({})
end)
