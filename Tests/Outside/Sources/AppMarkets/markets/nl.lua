-- The only market of a corner shop.

---@type glass.Market
return {
  id = "nl",
  name = "Nederland",
  locales = { "nl-NL" },
  currency = "EUR",
  points = { perUnit = 3 },
  deepLinking = { schemes = { "corner.nl" } },
  routables = {},
}
