internal import MediaModel
internal import MediaStore

extension FieldValue {
  /// Of fields whose values are small.
  private static let places = ["dc": 5, "flatness": 4]

  /// As people read it; empty where there is no value.
  func readable(_ field: QueryField) -> String {
    switch (self, field.kind) {
    case (.integer(let bytes), .size): NumberText.size(bytes)
    case (.real(let seconds), .duration): DurationText.clock(seconds)
    case (.real(let number), _): NumberText.decimal(number, Self.places[field.name] ?? 2)
    case (.instant(let seconds), _): NumberText.moment(seconds)
    default: plain
    }
  }

  /// As programs read it: plain numbers, seconds, UTC.
  var plain: String {
    switch self {
    case .none: ""
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): NumberText.short(number)
    case .path(let path): path.displayString
    case .instant(let seconds): Timestamp(secondsSince1970: seconds).description
    }
  }

  /// The members of a JSON object: one, or two for a path that is not UTF-8.
  func members(key: String) -> [JSONValue.Member] {
    switch self {
    case .none: [.init(key, .null)]
    case .text(let text): [.init(key, .string(text))]
    case .integer(let number): [.init(key, .integer(number))]
    case .real(let number): [.init(key, .number(number))]
    case .path(let path): JSONValue.path(path, key: key)
    case .instant: [.init(key, .string(plain))]
    }
  }
}
