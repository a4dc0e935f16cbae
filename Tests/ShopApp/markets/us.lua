-- The United States: the base market of Canada.

---@type glass.Market
return {
  id = "us",
  name = "United States",
  locales = { "en-US" },
  currency = "USD",
  deepLinking = { schemes = { "shop" }, universalLinks = { "www.shop.example" } },

  platform = include "shared/platform.lua",
  searching = { index = "products" },
  loyalty = { partnerKey = secret "LOYALTY_US_KEY" },
  stores = { mapsKey = secret "SHOP_MAPS_KEY" },

  routables = {
    home = {},
    account = {},
    cart = {},
    deals = {},
    checkout = { waitForPreconditions = { "appStarted", "signedIn" } },
    item = {},
    help = { waitForPreconditions = false },
    points = {},
    suggest = { waitForPreconditions = { "indexReady" } },
    flyers = {},
    coupons = {},
    recipes = {},
    track = {},
    wine = { waitForPreconditions = { "ageVerified" } },
    grocery = {},
    groceryItem = {},
    toys = {},
    toysItem = {},
  },
}
