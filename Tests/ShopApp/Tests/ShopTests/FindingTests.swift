import GlassSchema
import Testing

/// Findings about an app's own keys are like the platform's: position, message and hint.
@Suite(.timeLimit(.minutes(2)))
struct FindingTests {
    @Test(arguments: [
        (
            "routables = { flyers = { weeksBack = \"8\" } },",
            """
            xx.lua:2:38: error: routables.flyers.weeksBack: expected an integer from 0 to 52, got "8" [wrongType]
              hint: remove the quotes: 8
            """
        ),
        (
            "routables = { flyers = { weeksBak = 8 } },",
            """
            xx.lua:2:26: error: routables.flyers.weeksBak: unknown key [unknownKey]
              hint: did you mean "weeksBack"?
            """
        ),
        (
            "routables = { grocery = { sorting = \"prise\" } },",
            """
            xx.lua:2:37: error: routables.grocery.sorting: expected one of "best", "price", "newest", got "prise" [notAChoice]
              hint: did you mean "price"?
            """
        ),
        (
            "routables = { flyers = { printerKey = \"abc\" } },",
            """
            xx.lua:2:39: error: routables.flyers.printerKey: expected a secret, written as secret "NAME", not a literal string [secretMisplaced]
              hint: do not put secrets in market files: refer to them by name, and set them in the host's environment
            """
        ),
        (
            "loyalty = { partnerKey = secret \"PARTNER_KEY\" },",
            """
            xx.lua:2:26: error: loyalty.partnerKey: a market cannot use the secret PARTNER_KEY: names must begin with GLASS_ or LOYALTY_ or SHOP_ [secretForeign]
              hint: rename it here and in the host's environment, for example to GLASS_PARTNER_KEY
            """
        ),
        (
            "loyalty = { tiers = { { name = \"gold\", points = 10 }, { name = \"silver\", points = 5 } } },",
            """
            xx.lua:2:83: error: loyalty.tiers[2].points: "silver" begins no higher than "gold" [inconsistent]
              hint: list the lowest tier first
            """
        ),
        (
            "searching = unset,",
            """
            xx.lua:2:13: error: searching.index: missing: expected a name of letters and digits that starts with a letter [missingKey]
              hint: write in searching: index = "example",  -- The index that is searched.
            """
        ),
        (
            "stores = { flagships = { { hours = { monday = { \"8:00\" } } } } },",
            """
            xx.lua:2:26: error: stores.flagships[1].number: missing: expected an integer from 1 to 99999 [missingKey]
              hint: write number = 1,  -- The store's number.
            xx.lua:2:47: error: stores.flagships[1].hours.monday: expected at least 2 elements, got 1 [outOfRange]
            """
        ),
        (
            "routables = { badge = { paths = { \"badge\" }, handler = \"openBage\" } },",
            """
            xx.lua:2:56: error: routables.badge.handler: the app has no handler "openBage" [unknownHandler]
              hint: did you mean "openBadge"?
            """
        ),
        (
            "routables = { wine = { waitForPreconditions = { \"ageVerifed\" } } },",
            """
            xx.lua:2:49: error: routables.wine.waitForPreconditions[1]: the app has no precondition "ageVerifed", so these links would never open [unknownPrecondition]
              hint: did you mean "ageVerified"?
            """
        ),
        (
            "routables = { map = { paths = { \"map/:store\" }, show = { screen = \"map\", parameters = { id = \"{stroe}\" } } } },",
            """
            xx.lua:2:94: error: routables.map.show.parameters.id: no pattern of this routable has a parameter "stroe" [inconsistent]
              hint: did you mean {store}?
            """
        ),
        (
            "routables = { grocry = {} },",
            """
            xx.lua:2:15: error: routables.grocry: unknown routable: the app does not define it, and the market defines no show or handler for it [unknownRoutable]
              hint: did you mean "grocery"?
            """
        ),
        (
            "loyality = {},",
            """
            xx.lua:2:1: error: loyality: unknown key [unknownKey]
              hint: did you mean "loyalty"?
            """
        ),
    ])
    func mistakeIsReportedWithPositionAndHint(addition: String, text: String) throws {
        #expect(try Markets.texts(of: addition).joined(separator: "\n") == text)
    }
}
