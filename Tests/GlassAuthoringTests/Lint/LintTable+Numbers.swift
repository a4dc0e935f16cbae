extension LintTable {
    static let numbers = #"""
        # seconds that look like milliseconds
        | platform = { urlSession = { requestTimeoutSeconds = 30000 } },
        > markets/xx.lua:2:53: error: platform.urlSession.requestTimeoutSeconds: expected a number from 1.0 to 600.0, got 30000 [outOfRange]
        >   hint: 30000 looks like milliseconds: write 30
        + platform = { urlSession = { requestTimeoutSeconds = 30 } },

        | platform = { quimby = { refreshSeconds = 300000 } },
        > markets/xx.lua:2:42: warning: platform.quimby.refreshSeconds: 300000 seconds is 3 d 11 h, which looks like a value in milliseconds [numbersDisagree]
        >   hint: write 300
        + platform = { quimby = { refreshSeconds = 300 } },

        | platform = { quimby = { refreshSeconds = vary { { when = { build = "debug" }, value = 5000 }, default = 300 } } },
        > markets/xx.lua:2:87: warning: platform.quimby.refreshSeconds: 5000 seconds is 1 h 23 min, which looks like a value in milliseconds [numbersDisagree]
        >   hint: write 5
        + platform = { quimby = { refreshSeconds = vary { { when = { build = "debug" }, value = 5 }, default = 300 } } },

        # a percentage where a share is wanted
        | platform = { networking = { trackingSampleRate = 10 } },
        > markets/xx.lua:2:50: error: platform.networking.trackingSampleRate: expected a number from 0.0 to 1.0, got 10 [outOfRange]
        >   hint: write 0.1 for 10 percent
        + platform = { networking = { trackingSampleRate = 0.1 } },

        | platform = { networking = { retry = { jitter = 25 } } },
        > markets/xx.lua:2:48: error: platform.networking.retry.jitter: expected a number from 0.0 to 1.0, got 25 [outOfRange]
        >   hint: write 0.25 for 25 percent
        + platform = { networking = { retry = { jitter = 0.25 } } },

        | platform = { networking = { trackingSampleRate = 12.5 } },
        > markets/xx.lua:2:50: error: platform.networking.trackingSampleRate: expected a number from 0.0 to 1.0, got 12.5 [outOfRange]
        >   hint: write 0.125 for 12.5 percent
        + platform = { networking = { trackingSampleRate = 0.125 } },

        # a cache that is larger in memory than on disk
        | platform = { urlSession = { memoryCacheMegabytes = 256 } },
        > markets/xx.lua:2:52: warning: platform.urlSession.memoryCacheMegabytes: 256 is more than diskCacheMegabytes, 128 (markets/us.lua:63:28) [numbersDisagree]
        >   hint: write at most 128, or raise diskCacheMegabytes

        | platform = { networking = { media = { memoryCacheMegabytes = 128, diskCacheMegabytes = 64 } } },
        > markets/xx.lua:2:62: warning: platform.networking.media.memoryCacheMegabytes: 128 is more than diskCacheMegabytes, 64 [numbersDisagree]
        >   hint: write at most 64, or raise diskCacheMegabytes

        | overlays = { { name = "small", when = { deviceClass = "phone" }, platform = { urlSession = { diskCacheMegabytes = 8 } } } },
        > markets/xx.lua:2:115: warning: platform.urlSession.memoryCacheMegabytes: 16 is more than diskCacheMegabytes, 8 [numbersDisagree]
        >   hint: write at most 8, or raise diskCacheMegabytes

        # pauses that are longer than a transfer may take
        | platform = { networking = { retry = { maximumDelaySeconds = 120 } }, urlSession = { resourceTimeoutSeconds = 60 } },
        > markets/xx.lua:2:61: warning: platform.networking.retry.maximumDelaySeconds: 120 is more than urlSession.resourceTimeoutSeconds, 60: a pause may be longer than a whole transfer [numbersDisagree]
        >   hint: write at most 60, or raise urlSession.resourceTimeoutSeconds

        | platform = { networking = { retry = { maxRetries = 10, initialDelaySeconds = 10 } }, urlSession = { resourceTimeoutSeconds = 60 } },
        > markets/xx.lua:2:52: warning: platform.networking.retry.maxRetries: the pauses before 10 retries take 190 seconds, more than urlSession.resourceTimeoutSeconds, 60 [numbersDisagree]
        >   hint: write fewer retries or shorter delays, or raise urlSession.resourceTimeoutSeconds

        | platform = { urlSession = { requestTimeoutSeconds = 10, resourceTimeoutSeconds = vary { { when = { platform = "watchOS" }, value = 15 }, default = 3600 } } },
        > markets/xx.lua:2:132: warning: platform.networking.retry.maximumDelaySeconds: 20 is more than urlSession.resourceTimeoutSeconds, 15: a pause may be longer than a whole transfer [numbersDisagree]
        >   when: --context platform=watchOS
        >   hint: write at most 15, or raise urlSession.resourceTimeoutSeconds

        # a timeout that another one never lets pass
        | platform = { urlSession = { requestTimeoutSeconds = 120, resourceTimeoutSeconds = 90 } },
        > markets/xx.lua:2:53: warning: platform.urlSession.requestTimeoutSeconds: 120 exceeds resourceTimeoutSeconds (90), so every transfer ends after 90 seconds [numbersDisagree]
        >   hint: write at most 90, or raise resourceTimeoutSeconds

        | platform = { urlSession = { resourceTimeoutSeconds = 20 } },
        > markets/xx.lua:2:54: warning: platform.urlSession.requestTimeoutSeconds: 30 exceeds resourceTimeoutSeconds (20), so every transfer ends after 20 seconds [numbersDisagree]
        >   hint: write at most 20, or raise resourceTimeoutSeconds

        | platform = { quimby = { refreshSeconds = 5, timeoutSeconds = 30 } },
        > markets/xx.lua:2:42: warning: platform.quimby.refreshSeconds: 5 is less than timeoutSeconds, 30: values are requested again before the previous request times out [numbersDisagree]
        >   hint: write a longer time, such as 300

        # no time between two events
        | platform = { analytics = { collector = { intervalSeconds = 0 } } },
        > markets/xx.lua:2:60: warning: platform.analytics.collector.intervalSeconds: an interval of 0 seconds leaves no pause between requests [numbersDisagree]
        >   hint: write a value above 0, such as 10

        | platform = { networking = { retry = { initialDelaySeconds = 0 } } },
        > markets/xx.lua:2:61: warning: platform.networking.retry.initialDelaySeconds: 3 retries follow each other without a pause [numbersDisagree]
        >   hint: write a delay, such as 0.5, or maxRetries = 0

        | platform = { networking = { retry = { initialDelaySeconds = vary { { when = { build = "debug" }, value = 0 }, default = 0.5 } } } },
        > markets/xx.lua:2:106: warning: platform.networking.retry.initialDelaySeconds: 3 retries follow each other without a pause [numbersDisagree]
        >   when: --context build=debug
        >   hint: write a delay, such as 0.5, or maxRetries = 0

        # a cookie that is gone at once
        | platform = { cookieStorage = { cookies = append { { name = "pref", value = "1", domain = ".walmart.com", lifetimeSeconds = 30 } } } },
        > markets/xx.lua:2:124: warning: platform.cookieStorage.cookies[3].lifetimeSeconds: a lifetime of 30 seconds looks like 30 days [numbersDisagree]
        >   hint: write 2592000, or remove it for a session cookie

        | platform = { cookieStorage = { cookies = { { name = "pref", value = "1", domain = ".walmart.com", lifetimeSeconds = 365 } } } },
        > markets/xx.lua:2:117: warning: platform.cookieStorage.cookies[1].lifetimeSeconds: a lifetime of 365 seconds looks like 365 days [numbersDisagree]
        >   hint: write 31536000, or remove it for a session cookie

        | platform = { cookieStorage = { cookies = { { name = "pref", value = "1", domain = ".walmart.com", lifetimeSeconds = 1 } } } },
        > markets/xx.lua:2:117: warning: platform.cookieStorage.cookies[1].lifetimeSeconds: a lifetime of 1 second looks like 1 day [numbersDisagree]
        >   hint: write 86400, or remove it for a session cookie
        """#
}
