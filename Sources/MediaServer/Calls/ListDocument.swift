internal import Base
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

extension Call {
  /// Rows that are made through connections of their own.
  func rows(
    _ count: Int,
    _ make: @escaping @Sendable (MediaStore, _ range: Range<Int>, _ take: JSONRows.Take) throws -> Void
  ) -> JSONRows {
    let library = service.library
    return JSONRows(count: count) { range, take in try library.reading { try make($0, range, take) } }
  }

  /// The document with a tag made of its bytes. It is written twice, once for the tag, so `parts` must not change.
  ///
  /// - Parameter type: Of the bytes, which are not only those of JSON.
  func tagged(_ parts: [DocumentPart], _ mediaType: MediaType) throws -> Reply {
    let document = DocumentStream(parts)
    var (checksum, byteCount) = (UInt32(0), 0)
    while let piece = try document.next() {
      checksum = CRC32.checksum(checksum, continuedWith: piece)
      byteCount += piece.count
    }
    return try tagged("\(String(checksum, radix: 16))-\(byteCount)") {
      try Reply(
        DocumentStream(parts, byteCount: Int64(byteCount), heldByteCount: byteCount), type: mediaType.rawValue)
    }
  }
}

extension Reply {
  /// A document whose last member is a list.
  init(_ members: KeyValuePairs<String, JSONValue>, _ name: String, _ rows: JSONRows, status: Int = 200) throws {
    var document = DocumentDraft()
    document.append("{\"schema\":1,")
    for (key, value) in members { document.append("\(JSONValue.string(key).text):\(value.text),") }
    document.append("\(JSONValue.string(name).text):[")
    document.append(rows.items)
    document.append("]}")
    try self.init(DocumentStream(document.parts), type: MediaType.json.rawValue, status: status)
    headers.append(("Cache-Control", "no-store"))
  }
}

extension DocumentPart {
  /// Bytes that are kept in memory and sent in pieces.
  static func pieces(of bytes: [UInt8]) -> DocumentPart {
    let step = DocumentStream.pieceByteCount
    return .items(
      DocumentItems(count: (bytes.count + step - 1) / step, separator: []) { range, take in
        for place in range {
          let part = Array(bytes[place * step..<min((place + 1) * step, bytes.count)])
          guard take(place, [.bytes(part)]) else { return }
        }
      })
  }
}

extension JSONValue {
  /// Lists with more values are written while they are sent.
  private static let shortCount = 16

  /// The value as what a document is made of: its text, of which long lists are written later.
  var parts: [DocumentPart] {
    var document = DocumentDraft()
    write(to: &document)
    return document.parts
  }

  private func write(to document: inout DocumentDraft) {
    switch self {
    case .array(let values):
      Self.write("[", values, "]", to: &document) { $0.write(to: &$1) }
    case .object(let members):
      Self.write("{", members, "}", to: &document) { member, document in
        document.append(JSONValue.string(member.key).text + ":")
        member.value.write(to: &document)
      }
    case .null, .bool, .integer, .number, .string: document.append(text)
    }
  }

  private static func write<Element: Sendable>(
    _ start: String, _ elements: [Element], _ end: String, to document: inout DocumentDraft,
    _ write: @escaping @Sendable (Element, inout DocumentDraft) -> Void
  ) {
    document.append(start)
    if elements.count > shortCount {
      document.append(
        DocumentItems(count: elements.count, separator: [UInt8(ascii: ",")]) { range, take in
          for place in range {
            var item = DocumentDraft()
            write(elements[place], &item)
            guard take(place, item.parts) else { return }
          }
        })
    } else {
      for (place, element) in elements.enumerated() {
        if place > 0 { document.append(",") }
        write(element, &document)
      }
    }
    document.append(end)
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
