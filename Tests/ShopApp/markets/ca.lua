-- Canada: the shop with more points, its own flyers and its own pharmacy.

---@type glass.Market
return {
  id = "ca",
  name = "Canada",
  extends = "us",
  locales = { "en-CA", "fr-CA" },
  currency = "CAD",
  deepLinking = { schemes = { "shop.ca" }, universalLinks = { "www.shop.example.ca" } },
  platform = {
    address = {
      country = "CA",
      regions = { { code = "ON", name = "Ontario" }, { code = "QC", name = "Québec" } },
      postalCodePattern = "[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]",
      postalCodeExample = "L5N 1P9",
    },
    appInfo = {
      bundleIdentifier = "com.example.shop.ca",
      android = {
        package = "com.example.shop.ca",
        certificateDigests = {
          "2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A",
        },
      },
    },
    preferences = { suite = "group.com.example.shop.ca" },
    userDefaultsRegistration = { suite = "group.com.example.shop.ca" },
  },

  searching = {
    index = "productsCA",
    boosts = { grocery = 2.5, toys = 0.5 },
    suggestions = { limit = 2, hidden = { "eggs" } },
  },
  loyalty = {
    pointsPerDollar = 3,
    tiers = { { name = "member" }, { name = "gold", points = 5000 } },
    names = { ["en-CA"] = "points", ["fr-CA"] = "pts" },
    partnerKey = secret "LOYALTY_CA_KEY",
  },
  stores = {
    flagships = {
      { number = 1003, hours = { monday = { "8:00", "22:00" }, sunday = { "10:00", "18:00" } } },
      { number = 1042 },
    },
  },

  routables = {
    account = { paths = { "compte" }, opens = { "orders" } },
    flyers = {
      weeksBack = 8,
      printers = { west = "Presse Ouest" },
      printerKey = secret "SHOP_CA_PRINTER_KEY",
      waitForPreconditions = false,
    },
    points = { showsHistory = true },
    grocery = { sorting = "price" },
    wine = false,

    -- Canada's own, without Swift: shows the parameters of the link.
    pharmacyCA = {
      paths = { "pharmacie/:store(int)" },
      waitForPreconditions = { "hasFlagship" },
      show = { tab = "health", screen = "pharmacy", parameters = { store = "{store}", lang = "{?lang|fr}" } },
    },
    -- With functions of the app.
    stores = { paths = { "magasins" }, handler = "openStores" },
    badge = { paths = { "badge" }, handler = "openBadge" },
  },
}
