-- Run by `shop-host test`.

local ca = glass.market("ca")

glass.test("links open what the app and the market say", {
  { url = "shop.ca://flyers/25", routable = "flyers", tab = "deals", screen = "flyer" },
  { url = "shop.ca://compte", routable = "account", tab = "account", screen = "shopAccount" },
  { url = "shop.ca://departments/grocery", routable = "grocery", tab = "shop", screen = "department" },
  { url = "shop.ca://departments/toys/7", routable = "toysItem", tab = "shop", screen = "item" },
  { url = "shop.ca://pharmacie/3", routable = "pharmacyCA", tab = "health", screen = "pharmacy" },
  { url = "shop.ca://magasins", routable = "stores", screen = "stores" },
  { url = "shop.ca://badge", routable = "badge", screen = "badge" },
  { url = "shop.ca://coupons/SPRING", routable = "coupons", tab = "deals", screen = "coupons" },
}, function(case)
  local result = ca:open(case.url)
  glass.expect(result.outcome):toBe("routed")
  glass.expect(result.routable):toBe(case.routable)
  if case.tab then glass.expect(result.navigation.tab):toBe(case.tab) end
  glass.expect(result.navigation.screens[#result.navigation.screens].name):toBe(case.screen)
end)

glass.test("the configuration has the app's own sections and keys", function()
  glass.expect(ca.config.loyalty.pointsPerDollar):toBe(3)
  glass.expect(ca.config.loyalty.tiers[2].name):toBe("gold")
  glass.expect(ca.config.searching.suggestions.hidden[1]):toBe("eggs")
  glass.expect(ca.config.stores.flagships[1].hours.monday[2]):toBe("22:00")
  glass.expect(ca.config.routables.flyers.weeksBack):toBe(8)
end)

glass.test("scripts call the app's own services", function()
  local loyalty = ca.container:get("LoyaltyAPI")
  glass.expect(loyalty:points(1000)):toBe(30)
  glass.expect(loyalty:tier(6000)):toBe("gold")
  glass.expect(loyalty:balance()):toBe(4200)
  glass.expect(ca.container:get("SearchAPI"):suggestions("milk")[1]):toBe("milk (mock)")
  glass.expect(ca.container:get("Storefront<Grocery>"):title()):toBe("grocery CAD productsCA 3")
end)

glass.test("a link waits for what the app declares", function()
  local us = glass.market("us")
  us.preconditions:reset("ageVerified")
  glass.expect(us:open("shop://wine/7").outcome):toBe("waiting")
  us.preconditions:satisfy("ageVerified")
end)

glass.test("an asynchronous routable is running when the call returns", function()
  glass.expect(ca:open("shop.ca://track/7").outcome):toBe("running")
end)
