internal import Base

/// A parameter of a route: how its text is read, and how the description of the API states it.
struct Parameter<Value: Sendable>: Sendable {
  let description: ParameterDescription
  let fallback: Value
  let parse: @Sendable (String) -> Value?
}

/// What OpenAPI says about a parameter.
struct ParameterDescription: RouteParameter {
  let name: String
  let meaning: String
  /// JSON Schema.
  let schema: JSONValue

  var description: ParameterDescription { self }
}

extension Parameter {
  static func text(
    _ name: String, _ meaning: String, default fallback: String = ""
  ) -> Parameter<String> where Value == String {
    Parameter(
      description: ParameterDescription(
        name: name, meaning: meaning, schema: .object(["type": "string", "default": .string(fallback)])),
      fallback: fallback, parse: { $0.utf8.count <= 10_000 ? $0 : nil })
  }

  static func integer(
    _ name: String, _ meaning: String, _ range: ClosedRange<Int64>, default fallback: Int64
  ) -> Parameter<Int64> where Value == Int64 {
    Parameter(
      description: ParameterDescription(
        name: name, meaning: meaning, schema: integerSchema(range, default: .integer(fallback))),
      fallback: fallback, parse: { text in Int64(text).flatMap { range.contains($0) ? $0 : nil } })
  }

  /// A whole number that may be left out.
  static func optionalInteger(
    _ name: String, _ meaning: String, _ range: ClosedRange<Int64>
  ) -> Parameter<Int64?> where Value == Int64? {
    Parameter(
      description: ParameterDescription(name: name, meaning: meaning, schema: integerSchema(range, default: nil)),
      fallback: nil, parse: { text in Int64(text).flatMap { range.contains($0) ? .some($0) : nil } })
  }

  /// A finite number that may be left out.
  static func number(
    _ name: String, _ meaning: String, _ range: ClosedRange<Double>, default fallback: Double? = nil
  ) -> Parameter<Double?> where Value == Double? {
    Parameter(
      description: ParameterDescription(
        name: name, meaning: meaning,
        schema: .object(["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])),
      fallback: fallback,
      parse: { text in DecimalText.parse(text).flatMap { range.contains($0) ? .some($0) : nil } })
  }

  /// One of a few words; the first is the default.
  static func choice(_ name: String, _ meaning: String) -> Parameter<Value>
  where Value: CaseIterable & RawRepresentable, Value.RawValue == String, Value.AllCases == [Value] {
    Parameter(
      description: ParameterDescription(
        name: name, meaning: meaning,
        schema: .object([
          "type": "string", "enum": .array(Value.allCases.map { .string($0.rawValue) }),
          "default": .string(Value.allCases[0].rawValue),
        ])),
      fallback: Value.allCases[0], parse: { Value(rawValue: $0) })
  }

  /// Ids separated by commas.
  static func ids(_ name: String, _ meaning: String, limit: Int) -> Parameter<[Int64]> where Value == [Int64] {
    Parameter(
      description: ParameterDescription(
        name: name, meaning: meaning, schema: .object(["type": "string", "pattern": "^[0-9]{1,18}(,[0-9]{1,18})*$"])),
      fallback: [],
      parse: { text in
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let ids = words.compactMap { Int64($0) }
        return ids.count == words.count && ids.count <= limit ? ids : nil
      })
  }

  private static func integerSchema(_ range: ClosedRange<Int64>, default fallback: JSONValue?) -> JSONValue {
    let members: [JSONValue.Member] = [
      .init("type", "integer"), .init("minimum", .integer(range.lowerBound)),
      .init("maximum", .integer(range.upperBound)),
    ]
    return .object(members + (fallback.map { [.init("default", $0)] } ?? []))
  }
}

/// What a route lists as its parameters.
protocol RouteParameter: Sendable {
  var description: ParameterDescription { get }
}

extension Parameter: RouteParameter {}

/// A page of rows that a query finds.
enum PageParameters {
  static let query = Parameter<String>.text("q", "a query as `deadwax ls` takes it")
  static let sort = Parameter<String>.text("sort", "the order, such as year-,artist+")
  static let revision = Parameter<String>.text("revision", "that of an earlier page, to keep its result")
  static let from = Parameter<Int64>.integer("from", "the index of the first row", 0...1 << 40, default: 0)
  static let limit = Parameter<Int64>.integer("limit", "how many rows, 1 to 500", 1...500, default: 200)
}

/// How channels are given.
enum ChannelChoice: String, CaseIterable, Sendable {
  case mix, split
}

extension Array {
  /// The elements of a range as far as they exist.
  func part(from first: Int64, limit: Int64) -> ArraySlice<Element> {
    let start = Int(clamping: first)
    guard start < count else { return [] }
    return self[start..<Swift.min(count, start + Int(clamping: limit))]
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  package init(stringLiteral text: String) { self = .string(text) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}
