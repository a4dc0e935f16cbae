-- Canada: the US app with other schemes, hosts, paths and rules.

---@type glass.Market
return {
  id = "ca",
  name = "Canada",
  extends = "us",
  locales = { "en-CA", "fr-CA" },
  currency = "CAD",

  deepLinking = {
    schemes = { "walmart.ca" },
    universalLinks = { "www.walmart.ca" },
    allowedDomains = { { name = "walmart.ca", allowSubdomains = true } },
    queryParameters = append { { value = "flyer", eventName = "flyerOpened", qualifiesTracking = true } },
  },

  platform = {
    userDefaultsRegistration = {
      suite = "group.com.walmart.canada",
      defaults = { unitSystem = "metric", searchRadiusMiles = unset, searchRadiusKilometres = 40.0 },
    },
    aniviaSuperAttributes = {
      tenant = "walmart-ca",
      attributes = { country = "CA", businessUnit = "WALMART_CA" },
      writeKey = secret "GLASS_CA_ANIVIA_WRITE_KEY",
    },
    environment = {
      environments = {
        production = {
          services = {
            orchestra = "https://www.walmart.ca/orchestra",
            identity = "https://identity.walmart.ca",
            media = "https://i5.walmartimages.ca",
            quimby = "https://quimby.mobile.walmart.ca",
          },
        },
        staging = {
          services = {
            orchestra = "https://www-stage.walmart.ca/orchestra",
            identity = "https://identity-stage.walmart.ca",
            media = "https://i5-stage.walmartimages.ca",
            quimby = "https://quimby-stage.mobile.walmart.ca",
          },
        },
      },
    },
    urlSession = { headers = { ["Accept-Language"] = "en-CA, fr-CA;q=0.9" } },
    networking = {
      headers = { ["WM-Market"] = "ca" },
      retry = { maxRetries = 4, statuses = append { 520 } },
      consumerKey = secret "GLASS_CA_CONSUMER_KEY",
    },
    appInfo = {
      name = "Walmart Canada",
      bundleIdentifier = "com.walmart.canada",
      version = "24.2.1",
      build = 2421,
      teamIdentifier = "CA7W4LMART",
      appStoreIdentifier = "396000412",
      android = {
        package = "com.walmart.android.ca",
        certificateDigests = {
          "2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A",
        },
      },
    },
    preferences = {
      suite = "group.com.walmart.canada",
      keys = { storeID = { default = 1003 }, language = { default = perLocale { en = "en", fr = "fr" } } },
    },
    cookieStorage = {
      cookies = {
        { name = "assortmentStoreId", value = "1003", domain = ".walmart.ca", lifetimeSeconds = 2592000 },
        { name = "localStoreLanguage", value = "fr", domain = ".walmart.ca" },
      },
      sharedGroup = "group.com.walmart.canada",
    },
    address = {
      country = "CA",
      lines = { "{recipient}", "{unit}-{street}", "{city} {region}  {postalCode}" },
      postalCodePattern = "[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z] ?[0-9][ABCEGHJ-NPRSTV-Z][0-9]",
      postalCodeExample = "L5N 1P9",
      regions = include "shared/ca_regions.lua",
    },
    permissions = { notificationOptions = remove { "badge" } },
  },

  routables = {
    account = { paths = { "myaccount" } },
    item = { customPaths = { "en/ip/:slug/:itemID", "fr/ip/:slug/:itemID" } },
    pharmacy = false,
    membership = false,

    -- A routable of Canada's own, written here.
    flyers = {
      paths = { "flyers", "flyers/:week(int)" },
      waitForPreconditions = false,
      show = { screen = "flyers", parameters = { week = "{week|current}" } },
    },
  },

  -- The first overlay continues that of the United States: its condition stays. The second one turns it off.
  overlays = {
    { name = "debugBuild", platform = { networking = { headers = { ["WM-Debug"] = "1" } } } },
    { name = "oldSystem", when = false },
  },
}
