internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaStore

/// The rows of a list in an answer of the API, which are made a few at a time, when they are about to be sent.
struct JSONRows: Sendable {
  /// Takes the place of a row; false if it is the last one that is wanted now.
  typealias Take = (_ place: Int, _ row: JSONValue) -> Bool

  /// At most so many: what is gone when its turn comes is left out.
  let count: Int
  let make: @Sendable (_ range: Range<Int>, _ take: Take) throws -> Void

  init(count: Int, _ make: @escaping @Sendable (_ range: Range<Int>, _ take: Take) throws -> Void) {
    self.count = count
    self.make = make
  }

  /// Rows that are made without the library.
  init<Element: Sendable>(_ elements: [Element], _ row: @escaping @Sendable (Element) -> JSONValue) {
    self.init(count: elements.count) { range, take in
      for place in range {
        guard take(place, row(elements[place])) else { return }
      }
    }
  }

  fileprivate var items: DocumentItems {
    DocumentItems(count: count, separator: [UInt8(ascii: ",")]) { [make] range, take in
      try make(range) { take($0, $1.parts) }
    }
  }
}

extension LibraryAccess {
  /// Rows that are made through connections of their own.
  func rows(
    _ count: Int,
    _ make: @escaping @Sendable (MediaStore, _ range: Range<Int>, _ take: JSONRows.Take) throws -> Void
  ) -> JSONRows {
    JSONRows(count: count) { [self, listener = LibraryAccess.listener] range, take in
      try LibraryAccess.$listener.withValue(listener) { try reading { try make($0, range, take) } }
    }
  }
}

extension Reply {
  /// - Parameter isTagged: Whether a tag, and how long it holds, is added later.
  init(status: Int = 200, _ document: JSONValue, isTagged: Bool = false) {
    self.init(Array(document.preceded(by: [.init("schema", .integer(1))]).text.utf8), .json, status: status)
    if !isTagged { headers.append(("Cache-Control", "no-store")) }
  }

  /// A document whose last member is a list.
  init(_ members: KeyValuePairs<String, JSONValue>, _ name: String, _ rows: JSONRows, status: Int = 200) throws {
    try self.init(members.map { JSONValue.Member($0, $1) }, name, rows, status: status)
  }

  init(_ members: [JSONValue.Member], _ name: String, _ rows: JSONRows, status: Int = 200) throws {
    var document = DocumentDraft()
    document.append("{\"schema\":1,")
    for member in members { document.append("\(JSONValue.string(member.key).text):\(member.value.text),") }
    document.append("\(JSONValue.string(name).text):[")
    document.append(rows.items)
    document.append("]}")
    try self.init(DocumentStream(document.parts), type: MediaType.json.rawValue, status: status)
    headers.append(("Cache-Control", "no-store"))
  }
}

extension JSONValue {
  /// The value as what a document is made of: its text, of which what is long is written while it is sent.
  var parts: [DocumentPart] {
    var document = DocumentDraft()
    write(to: &document)
    return document.parts
  }

  /// About how many bytes the text has, without escapes.
  private var textByteCount: Int {
    switch self {
    case .null, .bool, .integer, .number: 8
    case .string(let text): text.utf8.count + 3
    case .array(let values): values.reduce(2) { $0 + $1.textByteCount }
    case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.textByteCount }
    }
  }

  private func write(to document: inout DocumentDraft) {
    let isLong = textByteCount > DocumentStream.pieceByteCount
    switch self {
    case .array(let values) where isLong:
      document.append("[")
      document.append(Self.items(values) { $0.write(to: &$1) })
      document.append("]")
    case .object(let members) where isLong:
      document.append("{")
      document.append(
        Self.items(members) { member, document in
          document.append(JSONValue.string(member.key).text + ":")
          member.value.write(to: &document)
        })
      document.append("}")
    default: document.append(text)
    }
  }

  private static func items<Element: Sendable>(
    _ elements: [Element], _ write: @escaping @Sendable (Element, inout DocumentDraft) -> Void
  ) -> DocumentItems {
    DocumentItems(count: elements.count, separator: [UInt8(ascii: ",")]) { range, take in
      for place in range {
        var item = DocumentDraft()
        write(elements[place], &item)
        guard take(place, item.parts) else { return }
      }
    }
  }
}

/// Texts in the rows of lists, which files can make as long as they like. What is cut off has "…" in its place; the document of
/// the track has all of it.
enum RowText {
  static let largestByteCount = Song.largestTextByteCount
  static let largestPathByteCount = Song.largestPathByteCount

  static func cut(_ text: String) -> String { text.cut(toByteCount: largestByteCount) }

  static func value(_ text: String?) -> JSONValue { .string(text.map(cut)) }

  static func path(_ path: BytePath) -> JSONValue {
    .string(path.displayString.cut(toByteCount: largestPathByteCount))
  }

  /// A value of a row of the library.
  static func cut(_ value: FieldValue) -> FieldValue {
    switch value {
    case .text(let text): .text(cut(text))
    case .path(let path) where path.bytes.count > largestPathByteCount:
      .text(path.displayString.cut(toByteCount: largestPathByteCount))
    case .none, .integer, .real, .path, .instant: value
    }
  }
}
