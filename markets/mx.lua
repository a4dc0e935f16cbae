-- Mexico: the US app in Spanish, with Mexican paths.

local host = "walmart.com.mx"

---@type glass.Market
return {
  id = "mx",
  name = "México",
  extends = "us",
  locales = { "es-MX" },
  currency = "MXN",

  deepLinking = {
    schemes = { "walmart.mx" },
    universalLinks = { "www." .. host },
    allowedDomains = {
      { name = host, allowSubdomains = true },
      { name = "cashi.com.mx", allowSubdomains = true },
    },
    queryParameters = {
      { value = "correo", eventName = "emailOpened", qualifiesTracking = true },
      { value = "whatsapp", eventName = "whatsAppOpened", qualifiesTracking = true },
    },
  },

  platform = {
    userDefaultsRegistration = {
      suite = "group.com.walmart.mexico",
      defaults = {
        unitSystem = "metric", searchRadiusMiles = unset, searchRadiusKilometres = 15.0, showsCashPayments = true,
      },
    },
    aniviaSuperAttributes = {
      tenant = "walmart-mx",
      attributes = { country = "MX", businessUnit = "WALMART_MX" },
      writeKey = secret "GLASS_MX_ANIVIA_WRITE_KEY",
    },
    environment = {
      environments = {
        production = {
          services = {
            orchestra = "https://www.walmart.com.mx/orchestra",
            identity = "https://identity.walmart.com.mx",
            media = "https://i5.walmartimages.com.mx",
            quimby = "https://quimby.mobile.walmart.com.mx",
          },
        },
        staging = {
          services = {
            orchestra = "https://www-stage.walmart.com.mx/orchestra",
            identity = "https://identity-stage.walmart.com.mx",
            media = "https://i5-stage.walmartimages.com.mx",
            quimby = "https://quimby-stage.mobile.walmart.com.mx",
          },
        },
      },
    },
    urlSession = { requestTimeoutSeconds = 45, headers = { ["Accept-Language"] = "es-MX" } },
    networking = {
      headers = { ["WM-Market"] = "mx" },
      retry = { maxRetries = 5, maximumDelaySeconds = 40 },
      media = { diskCacheMegabytes = 128, maximumConcurrentDownloads = 3 },
      consumerKey = secret "GLASS_MX_CONSUMER_KEY",
    },
    appInfo = {
      name = "Walmart México",
      bundleIdentifier = "com.walmart.mexico",
      version = "23.9.0",
      build = 2390,
      teamIdentifier = "MX7W4LMART",
      appStoreIdentifier = "1190117200",
      android = {
        package = "com.walmart.mg",
        certificateDigests = {
          "3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A:2B",
        },
      },
    },
    preferences = {
      suite = "group.com.walmart.mexico",
      keys = { storeID = { default = 2345 }, language = { default = "es" }, prefersPickup = { default = true } },
    },
    cookieStorage = {
      cookies = { { name = "assortmentStoreId", value = "2345", domain = ".walmart.com.mx", lifetimeSeconds = 2592000 } },
      sharedGroup = "group.com.walmart.mexico",
    },
    address = {
      country = "MX",
      fieldOrder = { "recipient", "street", "unit", "neighborhood", "postalCode", "city", "region", "phone" },
      requiredFields = { "recipient", "street", "neighborhood", "city", "region", "postalCode", "phone" },
      lines = { "{recipient}", "{street}, {unit}", "Col. {neighborhood}", "{postalCode} {city}, {regionName}" },
      postalCodePattern = "(0[1-9]|[1-9][0-9])[0-9]{3}",
      postalCodeExample = "11520",
      regions = include "shared/mx_regions.lua",
    },
    permissions = { locationLevel = "always", allowsBackgroundLocationUpdates = true },
  },

  routables = {
    home = { paths = { "inicio" } },
    account = { paths = { "mi-cuenta" } },
    cart = { paths = { "carrito" } },
    search = { paths = { "buscar", "buscar?q", "buscar/:q" } },
    help = { paths = { "ayuda", "ayuda/*topic" } },
    orders = { paths = { "pedidos" } },
    pharmacy = { paths = { "farmacia" } },
    registry = false,
    membership = false,

    -- Cash payment through the market's own wallet.
    cashi = {
      paths = { "cashi/:action(recargar|pagar)" },
      waitForPreconditions = { "appStarted", "signedIn" },
      -- The amount travels as text; the screen asks for it where a link has none, and checks that it is a number.
      show = { screen = "cashi", parameters = { action = "{action}", amount = "{?monto}" } },
    },
  },

  -- El Buen Fin is a sale, from midnight wherever the customer is.
  conditions = {
    buenFin = { localDate = ">= 2029-11-16 < 2029-11-20" },
  },
  overlays = {
    { name = "buenFin", when = "buenFin", routables = { deals = { customPaths = { "buen-fin" } } } },
    { name = "oldSystem", platform = { urlSession = { requestTimeoutSeconds = 60 } } },
  },

  -- Old apps cannot pay with the wallet on one page.
  flags = {
    newCheckout = { rules = prepend { { name = "oldApps", when = { appVersion = "< 24.2" }, value = false } } },
  },
}
