import Records

extension CoercionMatrixTests {
  /// A value of JSON, a type, and what it becomes: nil if it is unreadable.
  static let table: [(json: String, type: AttributeType, expected: String?)] = [
    // Whole numbers, in every width that holds them.
    ("42", .int64, "42"), ("42", .int8, "42"), ("42", .uint8, "42"), ("-42", .int16, "-42"), ("-42", .uint32, nil),
    ("127", .int8, "127"), ("128", .int8, nil), ("-128", .int8, "-128"), ("-129", .int8, nil), ("255", .uint8, "255"),
    ("256", .uint8, nil), ("32768", .int16, nil), ("2147483648", .int32, nil), ("4294967295", .uint32, "4294967295"),
    ("9007199254740993", .int64, "9007199254740993"), ("9223372036854775807", .int64, "9223372036854775807"),
    ("-9223372036854775808", .int64, "-9223372036854775808"), ("9223372036854775808", .int64, nil),
    ("9223372036854775808", .uint64, "9223372036854775808"),
    ("18446744073709551615", .uint64, "18446744073709551615"),
    ("18446744073709551616", .uint64, nil), ("-0", .int64, "0"),
    // Fractions are cut off, whatever the width; what doesn't fit is unreadable.
    ("42.9", .int64, "42"), ("-42.9", .int64, "-42"), ("42.9", .uint8, "42"), ("5.0", .int32, "5"),
    ("1e3", .int64, "1000"),
    ("1e300", .int64, nil), ("1e400", .int64, nil), ("-1e-5", .uint8, "0"),
    ("9007199254740993.7", .int64, "9007199254740993"),
    ("true", .int64, "1"), ("false", .uint8, "0"),
    // Text has to be a sign and digits.
    (#""42""#, .int64, "42"), (#""+42""#, .int64, "42"), (#""-42""#, .int8, "-42"), (#""42""#, .uint16, "42"),
    (#""42.9""#, .int64, nil), (#"" 42""#, .int64, nil), (#""""#, .int64, nil), (#""-""#, .int64, nil),
    (#""0x10""#, .int64, nil), (#""99999999999999999999""#, .int64, nil),
    // Floating point.
    ("7", .double, "7.0"), ("4.25", .double, "4.25"), ("-0.1", .double, "-0.1"), ("1e-7", .double, "1e-07"),
    ("123456789012345678", .double, "1.2345678901234568e+17"),
    ("0.30000000000000004", .double, "0.30000000000000004"),
    ("1e400", .double, nil), ("true", .double, "1.0"), (#""3.14""#, .double, "3.14"), (#""1e3""#, .double, "1000.0"),
    (#""0x10""#, .double, "16.0"), (#"" 3.14""#, .double, nil), (#""nan""#, .double, nil), (#""inf""#, .double, nil),
    (#""""#, .double, nil), ("0.1", .float, "0.1"), ("1e300", .float, nil), (#""2.5""#, .float, "2.5"),
    ("7", .float, "7.0"),
    // Decimals keep their digits.
    ("12.50", .decimal, "12.5"), ("9", .decimal, "9"), ("0.1", .decimal, "0.1"),
    ("12345678901234567890.123456789", .decimal, "12345678901234567890.123456789"), ("1e3", .decimal, "1000"),
    ("true", .decimal, "1"), (#""12.50""#, .decimal, "12.5"), (#"" 42""#, .decimal, "42"),
    (#""-.5""#, .decimal, "-0.5"),
    (#""abc""#, .decimal, nil), (#""""#, .decimal, nil), (#"".""#, .decimal, nil), ("1e400", .decimal, nil),
    // Truth values.
    ("true", .bool, "true"), ("1", .bool, "true"), ("0", .bool, "false"), ("2", .bool, nil), ("-1", .bool, nil),
    ("0.5", .bool, "false"), ("1.9", .bool, "true"), (#""true""#, .bool, "true"), (#"" YES ""#, .bool, "true"),
    (#""1""#, .bool, "true"), (#""False""#, .bool, "false"), (#""no""#, .bool, "false"), (#""0""#, .bool, "false"),
    (#""on""#, .bool, nil), (#""""#, .bool, nil),
    // Text.
    (#""x""#, .string, "x"), ("42", .string, "42"), ("9007199254740993", .string, "9007199254740993"),
    ("42.9", .string, "42.9"), ("5.0", .string, "5"), ("1e3", .string, "1000"), ("true", .string, "1"),
    ("false", .string, "0"), ("[]", .string, nil), ("{}", .string, nil),
    // UUIDs, URLs, data.
    (#""6f1c2b3a-0d4e-4F5a-8b6c-7d8e9f0a1b2c""#, .uuid, "6F1C2B3A-0D4E-4F5A-8B6C-7D8E9F0A1B2C"),
    (#""6f1c2b3a0d4e4f5a8b6c7d8e9f0a1b2c""#, .uuid, nil), (#""6f1c2b3a-0d4e-4f5a-8b6c-7d8e9f0a1b2g""#, .uuid, nil),
    (#""jf1c2b3a-0d4e-4f5a-8b6c-7d8e9f0a1b2c""#, .uuid, nil),
    (#""@f1c2b3a-0d4e-4f5a-8b6c-7d8e9f0a1b2c""#, .uuid, nil),
    (#""6f1c2b3a-0d4e-4f5a-8b6c_7d8e9f0a1b2c""#, .uuid, nil), ("1", .uuid, nil),
    (#""https://a.example/b?c=d#e""#, .url, "https://a.example/b?c=d#e"), (#""/a b""#, .url, "/a%20b"),
    (#""""#, .url, nil), ("5", .url, nil),
    (#""aGk=""#, .data, "hi"), (#""""#, .data, ""), (#""aGk""#, .data, nil), (#""!!""#, .data, nil),
    ("5", .data, nil),
    // Anything is a composite, in one canonical form.
    (#"{"b": [1, 2.50], "a": "x", "b": null}"#, .composite, #"{"a":"x","b":null}"#),
    (#"["a", {"z":1,"y":true}]"#, .composite, #"["a",{"y":true,"z":1}]"#), (#""todo""#, .composite, #""todo""#),
    ("3", .composite, "3"),
    // Kinds that have nothing to do with each other.
    ("[]", .int64, nil), ("{}", .int64, nil), ("[1]", .double, nil), ("{}", .bool, nil), ("[]", .date, nil),
    ("[]", .uuid, nil), ("{}", .url, nil), ("[]", .data, nil), ("[]", .decimal, nil), ("{}", .float, nil),
  ]
}
