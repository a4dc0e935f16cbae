-- The links of each market that its neighbours do not share: `glass-host test` runs this.

glass.test("each market opens its own account link", {
  us = { url = "walmart://account", tab = "account" },
  ca = { url = "walmart.ca://myaccount", tab = "account" },
  mx = { url = "walmart.mx://mi-cuenta", tab = "account" },
}, function(case)
  local id = case.url:match("walmart%.(%a+):") or "us"
  local result = glass.market(id):open(case.url)
  glass.expect(result.outcome):toBe("routed")
  glass.expect(result.navigation.tab):toBe(case.tab)
end)

glass.test("a link of another market is not taken", {
  { market = "us", url = "walmart.ca://myaccount" },
  { market = "ca", url = "walmart://account" },
}, function(case)
  glass.expect(glass.market(case.market):canRoute(case.url)):toBe(false)
end)

local us = glass.market("us")

glass.test("a precondition holds a link back", function()
  us.preconditions:reset("signedIn")
  glass.expect(us:open("walmart://orders").outcome):toBe("waiting")
end)

glass.test("each test has markets of its own", function()
  glass.expect(us.preconditions:unmet()):toEqual({})
  glass.expect(us:open("walmart://orders").outcome):toBe("routed")
end)
