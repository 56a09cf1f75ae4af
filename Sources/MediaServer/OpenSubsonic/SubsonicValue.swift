/// A value of an answer: one tree, which is written as JSON or as XML.
///
/// In XML, single values of an object are attributes, objects and lists are elements, and a value called `value` is the
/// text of its element, as the protocol has it for genres and lines of lyrics.
enum SubsonicValue: Sendable, Equatable {
  case text(String)
  case integer(Int64)
  /// Finite.
  case number(Double)
  case bool(Bool)
  case object(SubsonicObject)
  case list([SubsonicValue])
}

/// The named values of an answer, in order; what is not known is left out.
struct SubsonicObject: Sendable, Equatable {
  struct Member: Sendable, Equatable {
    let name: String
    let value: SubsonicValue
  }

  private(set) var members: [Member] = []

  init() {}

  /// The same object in two answers can have more in one of them.
  init(_ members: SubsonicObject...) { self.members = members.flatMap(\.members) }

  mutating func reserve(_ count: Int) { members.reserveCapacity(count) }

  subscript(name: String) -> SubsonicValue? { members.first { $0.name == name }?.value }

  mutating func add(_ name: String, _ text: String?) {
    if let text { members.append(Member(name: name, value: .text(text))) }
  }

  mutating func add(_ name: String, _ number: Int64?) {
    if let number { members.append(Member(name: name, value: .integer(number))) }
  }

  mutating func add(_ name: String, _ number: Int?) { add(name, number.map(Int64.init)) }

  mutating func add(_ name: String, _ number: Double?) {
    if let number, number.isFinite { members.append(Member(name: name, value: .number(number))) }
  }

  mutating func add(_ name: String, _ flag: Bool?) {
    if let flag { members.append(Member(name: name, value: .bool(flag))) }
  }

  mutating func add(_ name: String, _ object: SubsonicObject?) {
    if let object { members.append(Member(name: name, value: .object(object))) }
  }

  mutating func add(_ name: String, _ objects: [SubsonicObject]) {
    members.append(Member(name: name, value: .list(objects.map { .object($0) })))
  }

  mutating func add(_ name: String, texts: [String]) {
    members.append(Member(name: name, value: .list(texts.map { .text($0) })))
  }

  mutating func add(_ name: String, numbers: [Int64]) {
    members.append(Member(name: name, value: .list(numbers.map { .integer($0) })))
  }

  /// An object with one member.
  static func holding(_ name: String, _ object: SubsonicObject) -> SubsonicObject {
    var holder = SubsonicObject()
    holder.add(name, object)
    return holder
  }

  /// An object with a list in it: `{"albumList2": {"album": […]}}`.
  static func holding(_ name: String, _ item: String, _ objects: [SubsonicObject]) -> SubsonicObject {
    var inner = SubsonicObject()
    inner.add(item, objects)
    return .holding(name, inner)
  }
}
