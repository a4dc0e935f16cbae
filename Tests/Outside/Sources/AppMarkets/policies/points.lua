glass.policy("points stay affordable", { severity = "breaking" }, function(market, deny)
  if market.config.points.perUnit > 10 then deny("points.perUnit", "at most 10 points") end
end)
