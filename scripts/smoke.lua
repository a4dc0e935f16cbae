-- The main job, end to end: the three real markets, their services and their links.
-- Run it with: scripts/glass-host run scripts/smoke.lua

local test, expect = glass.test, glass.expect
local us, ca, mx = glass.market("us"), glass.market("ca"), glass.market("mx")

test("there are three markets", function()
  expect(glass.markets()):toEqual({ "ca", "mx", "us" })
  expect(us.id):toBe("us")
  expect(ca.name):toBe("Canada")
  expect(mx.name):toBe("México")
end)

-- Configuration ------------------------------------------------------------------------------------------------------

test("each market has its currency and locales", function()
  expect(us.config.currency):toBe("USD")
  expect(ca.config.currency):toBe("CAD")
  expect(mx.config.currency):toBe("MXN")
  expect(ca.config.locales):toEqual({ "en-CA", "fr-CA" })
end)

test("a map merges key by key: Canada changes the retries and inherits the rest", function()
  local retry = ca.config.platform.networking.retry
  expect(retry.maxRetries):toBe(4)
  expect(retry.jitter):toBe(us.config.platform.networking.retry.jitter)
  expect(retry.maximumDelaySeconds):toBe(20)
end)

test("append keeps the base's list: Canada retries 520 too", function()
  expect(us.config.platform.networking.retry.statuses).never:toContain(520)
  expect(ca.config.platform.networking.retry.statuses):toContain(520)
  expect(ca.config.platform.networking.retry.statuses):toContain(503)
end)

test("remove takes away: Canada shows no badge", function()
  expect(us.config.platform.permissions.notificationOptions):toEqual({ "alert", "sound", "badge" })
  expect(ca.config.platform.permissions.notificationOptions):toEqual({ "alert", "sound" })
end)

test("unset drops an inherited key: Canada measures in kilometres", function()
  expect(us.config.platform.userDefaultsRegistration.defaults.searchRadiusMiles):toBe(25)
  expect(ca.config.platform.userDefaultsRegistration.defaults.searchRadiusMiles):toBeNil()
  expect(ca.config.platform.userDefaultsRegistration.defaults.searchRadiusKilometres):toBe(40)
end)

test("a secret shows its name and never its value", function()
  expect(us.config.platform.networking.consumerKey):toBe("<secret GLASS_US_CONSUMER_KEY>")
end)

test("include reads shared lists", function()
  expect(#us.config.platform.address.regions):toBe(52)
  expect(#ca.config.platform.address.regions):toBe(13)
  expect(#mx.config.platform.address.regions):toBe(32)
end)

-- Services -----------------------------------------------------------------------------------------------------------

test("every market has every service of this version", function()
  local services = us.container:services()
  expect(#services > 0):toBe(true)
  for _, id in ipairs(glass.markets()) do
    local container = glass.market(id).container
    expect(container:has("AppInfoAPI")):toBe(true)
    expect(container:services()):toEqual(services)
  end
  expect(us.container:has("DeepLinker")):toBe(true)
  expect(us.container:has("Teleporter")):toBe(false)
end)

test("the app's identity differs by market", function()
  expect(us.container:get("AppInfoAPI"):bundleIdentifier()):toBe("com.walmart.electronics")
  expect(ca.container:get("AppInfoAPI"):applicationIdentifier()):toBe("CA7W4LMART.com.walmart.canada")
  expect(mx.container:get("AppInfoAPI"):build()):toBe(2390)
end)

test("the environment knows a base URL per service", function()
  expect(us.container:get("EnvironmentAPI"):current()):toBe("production")
  expect(ca.container:get("EnvironmentAPI"):baseURL("orchestra")):toBe("https://www.walmart.ca/orchestra")
  expect(mx.container:get("EnvironmentAPI"):services()):toEqual({ "identity", "media", "orchestra", "quimby" })
end)

test("the user agent is made of the app's identity", function()
  expect(ca.container:get("UserAgentProviding"):userAgent()):toMatch("^WalmartCanada/24%.2%.1 %(.+; .+; com%.walmart%.canada")
end)

test("URL sessions start from the market's settings", function()
  local settings = mx.container:get("URLSessionConfigurationAPI"):settings()
  expect(settings.requestTimeoutSeconds):toBe(45)
  expect(settings.headers["Accept-Language"]):toBe("es-MX")
  expect(settings.headers["User-Agent"]):toContain("com.walmart.mexico")
end)

test("the cookie storage starts with the market's cookies", function()
  local cookies = ca.container:get("CookieStorageAPI")
  expect(cookies:value("https://www.walmart.ca/ip/1", "assortmentStoreId")):toBe("1003")
  expect(cookies:names("https://www.walmart.com/")):toEqual({})
end)

test("user defaults hold what the market registers", function()
  expect(us.container:get("UserDefaultsRegistrationAPI"):value("unitSystem")):toBe("imperial")
  expect(mx.container:get("UserDefaultsRegistrationAPI"):value("showsCashPayments")):toBe(true)
  expect(mx.container:get("UserDefaultsRegistrationAPI"):value("nothing")):toBeNil()
end)

test("addresses are checked by the market's rules", function()
  local canadian = ca.container:get("AddressConfigurationAPI")
  expect(canadian:isPostalCode("L5N 1P9")):toBe(true)
  expect(canadian:isPostalCode("72716")):toBe(false)
  expect(us.container:get("AddressConfigurationAPI"):isPostalCode("72716-0001")):toBe(true)
  expect(mx.container:get("AddressConfigurationAPI"):problems({
    recipient = "Ana", street = "Av. Nextengo 78", neighborhood = "Santa Cruz Acayucan", city = "Azcapotzalco",
    region = "CMX", postalCode = "02770", phone = "+52 55 5283 0100",
  })):toEqual({})
end)

test("an address is written as its country does", function()
  expect(us.container:get("AddressConfigurationAPI"):lines({
    recipient = "Ada Lovelace", street = "702 SW 8th St", city = "Bentonville", region = "AR", postalCode = "72716",
  })):toEqual({ "Ada Lovelace", "702 SW 8th St", "Bentonville, AR 72716" })
  expect(ca.container:get("AddressConfigurationAPI"):lines({
    recipient = "Ada Lovelace", street = "1940 Argentia Rd", city = "Mississauga", region = "ON", postalCode = "L5N 1P9",
  })):toEqual({ "Ada Lovelace", "1940 Argentia Rd", "Mississauga ON  L5N 1P9" })
end)

test("another environment has other base URLs", function()
  local environment = us.container:get("EnvironmentAPI")
  environment:switchTo("staging")
  expect(environment:baseURL("identity")):toBe("https://identity-stage.walmart.com")
  environment:switchTo("production")
  expect(environment:startProblem()):toBeNil()
  expect(function() environment:switchTo("stagin") end):toRaise("staging")
end)

test("a storage keeps values apart by namespace", function()
  local storage = us.container:get("StorageAPI")
  storage:set("smoke", "list", { 1, 2, 3 })
  expect(storage:get("smoke", "list")):toEqual({ 1, 2, 3 })
  expect(storage:keys("smoke")):toEqual({ "list" })
  expect(storage:get("other", "list")):toBeNil()
  expect(ca.container:get("StorageAPI"):get("smoke", "list")):toBeNil()
  storage:removeAll("smoke")
  expect(storage:keys("smoke")):toEqual({})
  expect(storage:issues()):toEqual({})
end)

test("preferences are typed, declared and start with the market's defaults", function()
  local preferences = us.container:get("PreferencesStorage")
  expect(preferences:get("storeID")):toBe(100)
  preferences:set("storeID", 1003)
  expect(preferences:get("storeID")):toBe(1003)
  expect(preferences:isSet("storeID")):toBe(true)
  preferences:set("storeID", nil)
  expect(preferences:get("storeID")):toBe(100)
  expect(function() preferences:set("storeID", "x") end):toRaise()
  expect(function() preferences:get("storeId") end):toRaise("storeID")
end)

test("a first launch is one until it was recorded", function()
  local startup = mx.container:get("StartupPreferenceAPI")
  expect(startup:isFirstLaunch()):toBe(true)
  startup:recordLaunch("24.3.0")
  startup:setMarket("mx")
  expect(startup:market()):toBe("mx")
end)

test("events are kept until they are sent, and tracking is a part of analytics", function()
  local analytics = us.container:get("Analytics")
  local before = analytics:counts().tracked
  us.container:get("AnalyticsTracking"):track("smoke", { step = "1" })
  expect(analytics:counts().tracked):toBe(before + 1)
  expect(analytics:superAttributes().country):toBe("US")
end)

test("a link with a tracked query item is an event", function()
  local analytics = us.container:get("Analytics")
  local before = analytics:counts().tracked
  us:open("walmart://cart?campaign=email")
  expect(analytics:counts().tracked):toBe(before + 1)
  us:open("walmart://cart?campaign=organic")
  expect(analytics:counts().tracked):toBe(before + 1)
end)

test("events belong to a session, a store, a membership, a customer and a place", function()
  local session = us.container:get("AnalyticsSessionProvider")
  expect(session:startNewSession().id).never:toBe(session:startNewSession().id)
  us.container:get("AnalyticsStoreIDProviding"):setStoreID("1003")
  expect(us.container:get("AnalyticsStoreIDProviding"):storeID()):toBe("1003")
  us.container:get("AnalyticsMembershipProviding"):setMembership("plus", true)
  expect(us.container:get("AnalyticsMembershipProviding"):membership().tier):toBe("plus")
  us.container:get("AnalyticsCustomerInfoProviding"):setCustomer("c-1", true)
  expect(us.container:get("AnalyticsCustomerInfoProviding"):customer().isSignedIn):toBe(true)
  us.container:get("AnalyticsLocationInfoProviding"):setLocation("US", "AR", "72716")
  expect(us.container:get("AnalyticsLocationInfoProviding"):location().region):toBe("AR")
end)

test("an error has a text for the user", function()
  local errors = us.container:get("ErrorCoordinatorProducing")
  expect(#errors:kinds() > 3):toBe(true)
  for _, kind in ipairs(errors:kinds()) do expect(errors:text(kind)).never:toBeNil() end
end)

test("requests and downloads are mocks unless --services live", function()
  expect(us.container:has("Networking")):toBe(true)
  expect(us.container:has("MediaNetworking")):toBe(true)
end)

test("the network is known without asking it", function()
  expect(#us.container:get("NetworkInformationProvider"):interfaces() > 0):toBe(true)
end)

test("retries follow the market's policy", function()
  expect(ca.container:get("RetryNotifyingFactory"):policy("cart").maxRetries):toBe(4)
end)

test("a reflector points requests at a backend and back", function()
  local reflector = us.container:get("ReflectorManager")
  reflector:point("canary-7")
  expect(next(reflector:backends())).never:toBeNil()
  reflector:clear()
  expect(reflector:backends()):toEqual({})
end)

test("remote configuration requests carry the customer and the cart", function()
  local auth, cart = us.container:get("QuimbyAuthProviding"), us.container:get("QuimbyCartProviding")
  expect(auth:isSignedIn()):toBe(false)
  auth:signIn("token", "7")
  expect(auth:isSignedIn()):toBe(true)
  expect(auth:customerID()):toBe("7")
  cart:setCartID("cart-9")
  expect(cart:cartID()):toBe("cart-9")
  auth:signOut()
  expect(auth:isSignedIn()):toBe(false)
end)

test("a permission is what the command line says", function()
  for _, name in ipairs({ "NotificationPermissionProvider", "LocationPermissionProvider", "VideoPermissionProvider" }) do
    local permission = us.container:get(name)
    expect(permission:request()):toMatch("^[gd]")
    expect(permission:status()):toMatch("^[gd]")
  end
end)

test("there is no place without a source", function()
  expect(us.container:get("LocationUpdatesProvider"):latest()):toBeNil()
end)

test("only the market's links may leave the app", function()
  local handler = us.container:get("ApplicationURLHandler")
  expect(handler:canOpen("https://photos.walmart.com/albums")):toBe(true)
  expect(handler:canOpen("https://example.com/")):toBe(false)
  expect(handler:canOpen("javascript:alert(1)")):toBe(false)
  expect(function() handler:open("https://example.com/") end):toRaise("allowedDomains")
end)

test("the process is a real one", function()
  expect(us.container:get("AppProcessInfo"):activeProcessorCount() > 0):toBe(true)
end)

-- Links --------------------------------------------------------------------------------------------------------------

test("the same feature has another link in each market", function()
  expect(us:open("walmart://account").routable):toBe("account")
  expect(ca:open("walmart.ca://myaccount").routable):toBe("account")
  expect(mx:open("walmart.mx://mi-cuenta").routable):toBe("account")
end)

test("a link of another path or market is unroutable, with the reason", function()
  local old = ca:open("walmart.ca://account")
  expect(old.outcome):toBe("unroutable")
  expect(old.reason):toBe("noRoute")
  expect(us:open("walmart.ca://myaccount").reason):toBe("unknownScheme")
end)

test("a link carries its parameters to the screen", function()
  local item = us:open("walmart://ip/some-lamp/12345?utm_source=mail")
  expect(item.outcome):toBe("routed")
  expect(item.parameters.itemID):toBe("12345")
  expect(item.query.utm_source):toBe("mail")
  local screens = item.navigation.screens
  expect(screens[#screens].parameters.itemID):toBe("12345")
end)

test("a universal link goes through the same routes", function()
  expect(us:open("https://www.walmart.com/cart").routable):toBe("cart")
  expect(mx:open("https://www.walmart.com.mx/carrito").routable):toBe("cart")
  expect(us:open("https://WWW.WALMART.COM/Cart/").routable):toBe("cart")
end)

test("a market's own paths add to the standard ones", function()
  expect(ca:open("walmart.ca://en/ip/toque/777").parameters.slug):toBe("toque")
  expect(ca:open("walmart.ca://ip/777").routable):toBe("item")
end)

test("a routable that a market switches off is not there", function()
  expect(us:canRoute("walmart://pharmacy")):toBe(true)
  expect(ca:canRoute("walmart.ca://pharmacy")):toBe(false)
end)

test("a routable written in Lua handles its links", function()
  local flyers = ca:open("walmart.ca://flyers/34")
  expect(flyers.outcome):toBe("routed")
  expect(flyers.routable):toBe("flyers")
  local screens = flyers.navigation.screens
  expect(screens[#screens]):toEqual({ name = "flyers", parameters = { week = "34" } })
end)

test("a Lua routable reads the query too", function()
  local paid = mx:open("walmart.mx://cashi/pagar?monto=250")
  local screens = paid.navigation.screens
  expect(screens[#screens].parameters):toEqual({ action = "pagar", amount = "250" })
end)

test("a typed parameter refuses what is not of its type", function()
  expect(ca:canRoute("walmart.ca://flyers/34")):toBe(true)
  expect(ca:canRoute("walmart.ca://flyers/next")):toBe(false)
  expect(mx:canRoute("walmart.mx://cashi/recargar")):toBe(true)
  expect(mx:canRoute("walmart.mx://cashi/retirar")):toBe(false)
end)

test("a link waits for its preconditions", function()
  us.preconditions:reset("signedIn")
  expect(us.preconditions:unmet()):toEqual({ "signedIn" })
  local orders = us:open("walmart://orders")
  expect(orders.outcome):toBe("waiting")
  expect(orders.reason):toBe("signedIn")
end)

test("a link that needs nothing does not wait", function()
  expect(us:open("walmart://help").outcome):toBe("routed")
end)

test("a waiting link runs when its precondition holds", function()
  local before = us:open("walmart://help").navigation.tab
  us.preconditions:satisfy("signedIn")
  expect(us.preconditions:unmet()):toEqual({})
  expect(us:open("walmart://help").navigation.screens).never:toBeNil()
  expect(before).never:toBeNil()
  expect(us:open("walmart://orders").outcome):toBe("routed")
end)

test("a market's own preconditions hold one by one", function()
  mx.preconditions:reset("appStarted")
  mx.preconditions:reset("signedIn")
  expect(mx:open("walmart.mx://cashi/recargar").reason):toBe("appStarted, signedIn")
  mx.preconditions:satisfy("appStarted")
  expect(mx.preconditions:unmet()):toEqual({ "signedIn" })
  mx.preconditions:satisfy("signedIn")
end)

test("what a link lacks is left out of what it shows", function()
  local screens = mx:open("walmart.mx://cashi/recargar").navigation.screens
  expect(screens[#screens]):toEqual({ name = "cashi", parameters = { action = "recargar" } })
  screens = mx:open("walmart.mx://cashi/pagar?monto=mucho").navigation.screens
  expect(screens[#screens].parameters):toEqual({ action = "pagar", amount = "mucho" })
end)

test("an allowed domain without a route goes outside", function()
  expect(us:open("https://help.walmart.com/article").outcome):toBe("external")
  expect(mx:open("https://cashi.com.mx/promo").outcome):toBe("external")
end)

test("a foreign domain goes nowhere", function()
  expect(us:open("https://www.example.com/").outcome):toBe("unroutable")
  expect(us:open("https://evilwalmart.com/account").reason):toBe("unknownHost")
end)

test("hostile links are refused with the rule", function()
  for link, rule in pairs({
    ["https://www.walmart.com@evil.com/account"] = "userinfo",
    ["https://evil.com\\@www.walmart.com/account"] = "backslash",
    ["https://evil.com%2F.walmart.com/account"] = "hostEscape",
    ["http://www.walmart.com/account"] = "cleartext",
    ["https://www.walmart.com:8443/account"] = "port",
    ["walmart://ip/../account"] = "dotSegment",
    ["walmart://ip//123"] = "emptySegment",
    ["walmart://ip/%C0%AE%C0%AE"] = "invalidUTF8",
  }) do
    local refused = us:open(link)
    expect(refused.outcome):toBe("refused")
    expect(refused.reason):toBe(rule)
  end
end)

test("what is no link at all is refused", function()
  expect(us:open("").outcome):toBe("refused")
  expect(us:open("account").outcome):toBe("refused")
  expect(us:open("://").outcome):toBe("refused")
end)

test("a query item never shadows a path parameter", function()
  expect(us:open("walmart://ip/42?itemID=13").parameters.itemID):toBe("42")
end)

test("a search needs no words, and keeps them when there are some", function()
  expect(us:open("walmart://search").routable):toBe("search")
  expect(us:open("walmart://search?q=red+lamp").query.q):toBe("red lamp")
  expect(mx:open("walmart.mx://buscar/l%C3%A1mpara").parameters.q):toBe("lámpara")
end)

test("asking whether a link routes changes nothing", function()
  local before = us:open("walmart://help").navigation
  us:canRoute("walmart://cart")
  expect(us:open("walmart://help").navigation):toEqual(before)
end)

test("links are built, and round-trip", function()
  expect(ca:link("account")):toBe("walmart.ca://myaccount")
  local link = us:link("item", { itemID = 42, slug = "lamp" })
  expect(us:open(link).parameters):toEqual({ itemID = "42", slug = "lamp" })
  expect(function() ca:link("pharmacy") end):toRaise("no route leads to")
end)

test("a miss is explained", function()
  local why = us:explain("walmart://acount")
  expect(why.outcome):toBe("unroutable")
  expect(why.nearMisses[1].suggestion):toBe("account")
  expect(us:explain("walmart://ip/42").candidates[1].wins):toBe(true)
end)

test("a link inside of a link passes the same gate", function()
  expect(us:open("walmart://search?q=a&url=javascript%3Aalert(1)").outcome):toBe("refused")
  expect(us:open("walmart://search?q=a&url=https%3A%2F%2Fwww.walmart.com%2Fcart").outcome):toBe("routed")
end)

test("routes can be listed", function()
  local found = false
  for _, route in ipairs(ca.routes) do
    if route.pattern == "myaccount" and route.routable == "account" then found = true end
  end
  expect(found):toBe(true)
end)

-- Errors -------------------------------------------------------------------------------------------------------------

test("an error can be caught, and says what to do", function()
  ---@diagnostic disable: param-type-mismatch  -- these names are wrong on purpose
  expect(function() glass.market("cq") end):toRaise("did you mean")
  expect(function() us.container:get("AppInfoApi") end):toRaise("AppInfoAPI")
  expect(function() us.preconditions:satisfy("signedin") end):toRaise("did you mean \"signedIn\"?")
  expect(function() ca.container:get("EnvironmentAPI"):baseURL("orchestar") end):toRaise("orchestra")
  local ok, message = pcall(error, "raised on purpose")
  expect(ok):toBe(false)
  expect(message):toContain("raised on purpose")
end)

-- Situations ---------------------------------------------------------------------------------------------------------

test("debug builds use staging, and Canada continues their overlay", function()
  local debug = { build = "debug" }
  expect(us.config.platform.environment.default):toBe("production")
  expect(us:with(debug).config.platform.environment.default):toBe("staging")
  expect(ca:with(debug).config.platform.environment.default):toBe("staging")
  expect(ca:with(debug).config.platform.networking.headers["WM-Debug"]):toBe("1")
  expect(ca.config.platform.networking.headers["WM-Debug"]):toBe(nil)
end)

test("an old system does not wait for a network, except in Canada", function()
  local old = { platform = "iOS", osVersion = "17.6" }
  expect(us:with(old).config.platform.urlSession.waitsForConnectivity):toBe(false)
  expect(ca:with(old).config.platform.urlSession.waitsForConnectivity):toBe(true)
  expect(mx:with(old).config.platform.urlSession.waitsForConnectivity):toBe(false)
  expect(mx:with(old).config.platform.urlSession.requestTimeoutSeconds):toBe(60)
  expect(mx:with({ platform = "iOS", osVersion = "18" }).config.platform.urlSession.requestTimeoutSeconds):toBe(45)
end)

test("El Buen Fin has a link on its days only", function()
  local function outcome(date) return mx:with({ localDate = date }):open("walmart.mx://buen-fin").outcome end
  expect(outcome("2029-11-15T23:59:59")):toBe("unroutable")
  expect(outcome("2029-11-16")):toBe("routed")
  expect(outcome("2029-11-19T23:59:59")):toBe("routed")
  expect(outcome("2029-11-20")):toBe("unroutable")
end)

test("Canada has a language for each locale, and its links open in both", function()
  for locale, language in pairs({ ["en-CA"] = "en", ["fr-CA"] = "fr" }) do
    local market = ca:with({ locale = locale })
    expect(market.config.platform.preferences.keys.language.default):toBe(language)
    expect(market:open("walmart.ca://fr/ip/lampe/42").outcome):toBe("routed")
  end
end)
