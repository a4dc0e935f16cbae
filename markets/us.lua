-- The United States: the market that the others extend. Every key is written out, also where the default would do,
-- so that this file shows what a market can say.

---@type glass.Market
return {
  id = "us",
  name = "United States",
  locales = { "en-US", "es-US" },
  currency = "USD",

  deepLinking = {
    schemes = { "walmart" },
    universalLinks = { "www.walmart.com" },
    allowedDomains = {
      { name = "walmart.com", allowSubdomains = true }, { name = "walmartlabs.com", allowSubdomains = false },
    },
    outboundSchemes = { "tel", "mailto", "sms", "maps", "itms-apps", "app-settings" },
    queryParameters = {
      { value = "email", eventName = "emailOpened", qualifiesTracking = true },
      { value = "sms", eventName = "textMessageOpened", qualifiesTracking = true },
      { value = "organic", eventName = "organicVisit", qualifiesTracking = false },
    },
    linkParameters = { "url", "returnTo" },
  },

  platform = {
    userDefaultsRegistration = {
      suite = "group.com.walmart.electronics",
      defaults = { onboardingVersion = 4, showsPriceAlerts = true, unitSystem = "imperial", searchRadiusMiles = 25.0 },
    },
    aniviaSuperAttributes = {
      tenant = "walmart-us",
      channel = "app",
      attributes = { country = "US", businessUnit = "WALMART_US", schemaVersion = 7 },
      writeKey = secret "GLASS_US_ANIVIA_WRITE_KEY",
    },
    environment = {
      default = "production",
      environments = {
        production = {
          services = {
            orchestra = "https://www.walmart.com/orchestra",
            identity = "https://identity.walmart.com",
            media = "https://i5.walmartimages.com",
            quimby = "https://quimby.mobile.walmart.com",
          },
        },
        staging = {
          services = {
            orchestra = "https://www-stage.walmart.com/orchestra",
            identity = "https://identity-stage.walmart.com",
            media = "https://i5-stage.walmartimages.com",
            quimby = "https://quimby-stage.mobile.walmart.com",
          },
        },
      },
    },
    urlSession = {
      requestTimeoutSeconds = 30,
      resourceTimeoutSeconds = 3600,
      maximumConnectionsPerHost = 6,
      memoryCacheMegabytes = 16,
      diskCacheMegabytes = 128,
      cachePolicy = "useProtocolCachePolicy",
      cookieAcceptPolicy = "onlyFromMainDocumentDomain",
      setsCookies = true,
      headers = { ["Accept-Language"] = "en-US" },
      allowsCellularAccess = true,
      allowsExpensiveNetworkAccess = true,
      allowsConstrainedNetworkAccess = true,
      waitsForConnectivity = true,
    },
    networking = {
      defaultService = "orchestra",
      headers = { ["WM-Tenant"] = "WM_GLASS", ["WM-Market"] = "us" },
      retry = {
        maxRetries = 3,
        initialDelaySeconds = 0.5,
        maximumDelaySeconds = 20,
        multiplier = 2,
        jitter = 0.25,
        statuses = { 408, 429, 500, 502, 503, 504 },
        retriesNonIdempotent = false,
      },
      tracking = true, trackingSampleRate = 1,
      media = { memoryCacheMegabytes = 64, diskCacheMegabytes = 256, maximumConcurrentDownloads = 6 },
      consumerKey = secret "GLASS_US_CONSUMER_KEY",
      consumerKeyHeader = "WM-Consumer-Key",
    },
    appInfo = {
      name = "Walmart",
      bundleIdentifier = "com.walmart.electronics",
      version = "24.3.0",
      build = 2403,
      teamIdentifier = "US7W4LMART",
      appStoreIdentifier = "338137227",
      android = {
        package = "com.walmart.android",
        certificateDigests = {
          "1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09",
        },
      },
    },
    preferences = {
      suite = "group.com.walmart.electronics",
      keys = {
        storeID = { type = "integer", default = 100 },
        prefersPickup = { type = "boolean", default = false },
        language = { type = "string", default = "en" },
        textScale = { type = "number", default = 1.0 },
        lastSearch = { type = "string" },
      },
    },
    cookieStorage = {
      acceptPolicy = "onlyFromMainDocumentDomain",
      cookies = {
        { name = "assortmentStoreId", value = "100", domain = ".walmart.com", path = "/", secure = true, lifetimeSeconds = 2592000 },
        { name = "hasLocData", value = "0", domain = ".walmart.com" },
      },
      sharedGroup = "group.com.walmart.electronics",
    },
    address = {
      country = "US",
      fieldOrder = { "recipient", "street", "unit", "city", "region", "postalCode", "phone" },
      requiredFields = { "recipient", "street", "city", "region", "postalCode" },
      lines = { "{recipient}", "{street} {unit}", "{city}, {region} {postalCode}" },
      postalCodePattern = "[0-9]{5}(-[0-9]{4})?",
      postalCodeExample = "72716",
      regions = include "shared/us_regions.lua",
    },
    permissions = {
      notificationOptions = { "alert", "sound", "badge" },
      locationLevel = "whenInUse",
      allowsBackgroundLocationUpdates = false,
    },
    analytics = {
      sinks = { "collector", "app" },
      collector = {
        service = "orchestra",
        path = "anivia/v1/events",
        batchEvents = 50,
        intervalSeconds = 10,
        writeKeyHeader = "X-Write-Key",
        batchKeyHeader = "Idempotency-Key",
      },
    },
    reflector = { cookie = "wm_reflector" }, errors = include "shared/us_errors.lua",
    quimby = {
      service = "quimby",
      path = "ccm/v1",
      refreshSeconds = 300,
      timeoutSeconds = 3,
      customerHeader = "WM-Customer-ID",
      cartHeader = "WM-Cart-ID",
    },
  },

  routables = {
    home = {},
    account = {},
    cart = {},
    checkout = { waitForPreconditions = { "appStarted", "signedIn" } },
    item = {},
    search = {},
    browse = {},
    orders = { waitForPreconditions = { "appStarted", "signedIn" } },
    orderDetail = { waitForPreconditions = { "appStarted", "signedIn" } },
    reorder = { waitForPreconditions = { "appStarted", "signedIn" } },
    lists = {},
    registry = {},
    storeFinder = {},
    storeDetail = {},
    pharmacy = {},
    scan = { waitForPreconditions = { "appStarted", "storeSelected" } },
    membership = {},
    deals = {},
    help = { waitForPreconditions = false },
    notifications = {},
    returns = { waitForPreconditions = { "appStarted", "signedIn" } },
    giftCards = {},
  },

  -- Preconditions of the market's own, which its links can wait for beside those of the app.
  preconditions = {},

  -- Overlays change keys while their condition holds. If two set the same key, the first one wins.
  conditions = {
    debug = { build = "debug" },
    oldSystem = { platform = "iOS", osVersion = "< 18" },
  },
  overlays = {
    { name = "debugBuild", when = "debug", platform = { environment = { default = "staging" } } },
    { name = "oldSystem", when = "oldSystem", platform = { urlSession = { waitsForConnectivity = false } } },
  },

  -- A release on its way to everybody, and an experiment with the ranking of search results.
  layers = { search = { by = "installID" } },
  flags = {
    newCheckout = {
      kind = "release", owner = "checkout", expires = "2029-03-31", doc = "One-page checkout.",
      default = false,
      rules = {
        { name = "associates", when = { audience = "associates" }, value = true },
        { name = "ramp", rollout = { percent = 10, by = "installID" }, value = true },
      },
    },
    searchRanker = {
      kind = "experiment", owner = "search", expires = "2029-01-31", doc = "Which ranker orders the results.",
      variants = { control = "bm25", neural = "neural-2" }, default = "control",
      layer = "search", slots = { 0, 40 },
      rules = {
        {
          name = "trial", when = { locale = "en" },
          split = { by = "installID", weights = { { "control", 50 }, { "neural", 50 } } },
        },
      },
    },
  },
}
