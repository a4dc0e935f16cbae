-- The platform keys that every market must set.
return {
  address = {
    country = "US",
    fieldOrder = { "street", "city", "postalCode" },
    requiredFields = { "street" },
    regions = { { code = "AR", name = "Arkansas" } },
    postalCodePattern = "[0-9]{5}",
    postalCodeExample = "72716",
  },
  analytics = { sinks = { "app" } },
  aniviaSuperAttributes = { tenant = "shop" },
  appInfo = {
    name = "Shop",
    bundleIdentifier = "com.example.shop",
    version = "1.0",
    build = 1,
    teamIdentifier = "AB7SHOPAPP",
    appStoreIdentifier = "1",
    android = {
      package = "com.example.shop",
      certificateDigests = {
        "1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09:1A:2B:3C:4D:5E:6F:70:81:92:A3:B4:C5:D6:E7:F8:09",
      },
    },
  },
  environment = {
    default = "production",
    environments = { production = { services = { orchestra = "https://shop.example" } } },
  },
  networking = { defaultService = "orchestra" },
  preferences = { suite = "group.com.example.shop", keys = {} },
  userDefaultsRegistration = { suite = "group.com.example.shop" },
}
