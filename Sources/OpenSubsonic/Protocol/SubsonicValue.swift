/// A value of an answer: one tree, which is written as JSON or as XML.
///
/// In XML, single values of an object are attributes, objects and lists are elements, and a value called `value` is the
/// text of its element, as the protocol has it for genres and lines of lyrics.
enum SubsonicValue: Sendable {
  case text(String)
  case integer(Int64)
  /// Finite.
  case number(Double)
  case bool(Bool)
  case object(SubsonicObject)
  case list([SubsonicValue])
  /// A list of objects that can be long.
  case items(SubsonicItems)
}

/// The objects of a list that can be long: they are made a few at a time, when they are about to be sent.
struct SubsonicItems: Sendable {
  /// Takes the place of an object; false if it is the last one that is wanted now.
  typealias Take = (_ place: Int, _ object: SubsonicObject) -> Bool

  /// At most so many: what is gone when its turn comes is left out.
  let count: Int
  /// Makes the objects of a range in order, until `take` is false.
  let make: @Sendable (_ range: Range<Int>, _ take: Take) throws -> Void

  init(count: Int, _ make: @escaping @Sendable (_ range: Range<Int>, _ take: Take) throws -> Void) {
    self.count = count
    self.make = make
  }

  /// Objects that are made without the library.
  init<Element: Sendable>(_ elements: [Element], _ object: @escaping @Sendable (Element) -> SubsonicObject) {
    self.init(count: elements.count) { range, take in
      for place in range {
        guard take(place, object(elements[place])) else { return }
      }
    }
  }
}

/// The named values of an answer, in order; what is not known is left out.
struct SubsonicObject: Sendable {
  struct Member: Sendable {
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

  mutating func add(_ name: String, _ items: SubsonicItems) {
    members.append(Member(name: name, value: .items(items)))
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

  /// The same with a list that can be long.
  static func holding(_ name: String, _ item: String, _ items: SubsonicItems) -> SubsonicObject {
    var inner = SubsonicObject()
    inner.add(item, items)
    return .holding(name, inner)
  }
}
