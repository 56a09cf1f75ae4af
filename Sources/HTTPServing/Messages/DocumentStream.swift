internal import Base
internal import Synchronization

/// What a document is made of, in order.
package enum DocumentPart: Sendable {
  case bytes([UInt8])
  /// A list whose items are made while the document is sent.
  case items(DocumentItems)
}

/// The items of a list in a document, which are made a few at a time, when they are about to be sent.
package struct DocumentItems: Sendable {
  /// Takes the place of an item and what it is made of; false if it is the last one that is wanted now.
  package typealias Take = (_ place: Int, _ parts: [DocumentPart]) -> Bool

  /// At most so many: what is gone when its turn comes is left out.
  package let count: Int
  /// What is between two items.
  package let separator: [UInt8]
  /// Makes the items of a range in order. It must not keep anything open behind its return: a client can be slow.
  package let make: @Sendable (_ range: Range<Int>, _ take: Take) throws -> Void

  package init(
    count: Int, separator: [UInt8], _ make: @escaping @Sendable (_ range: Range<Int>, _ take: Take) throws -> Void
  ) {
    self.count = count
    self.separator = separator
    self.make = make
  }
}

/// A document that is being written: bytes, and between them lists that are written later.
package struct DocumentDraft {
  private var earlier: [DocumentPart] = []
  /// Behind the last list.
  package var bytes: [UInt8] = []

  package init() {}

  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  package mutating func append(_ items: DocumentItems) {
    earlier += [.bytes(bytes), .items(items)]
    bytes = []
  }

  package var parts: [DocumentPart] { earlier + [.bytes(bytes)] }
}

/// Changes a document while it is sent.
package protocol DocumentFilter: Sendable {
  /// What is sent of the next bytes; what is incomplete may wait for more.
  mutating func passed(_ bytes: [UInt8]) -> [UInt8]
}

/// A document on its way to one client. It is written piece by piece, each when the one before was sent, so that memory and
/// connections to the library are needed for one piece, however long the document is and however slowly it is taken.
package final class DocumentStream: Sendable {
  /// A piece has at least so many bytes, unless it is the last, and at most one item more.
  package static let pieceByteCount = 1 << 16
  /// So many items are asked for at once at most.
  private static let batchCount = 512
  /// Of zlib's window and tables.
  private static let compressorByteCount = 1 << 18

  /// A place in the document from which it goes on; the innermost is the last.
  private enum Place {
    case parts(ArraySlice<DocumentPart>)
    case items(DocumentItems, next: Int, isFirst: Bool)
  }

  private struct State {
    var places: [Place]
    var filter: (any DocumentFilter)?
    var compressor: GzipWriter?
    /// Set while a piece is made, so that a document of which an item failed is never taken for a whole one.
    var isIncomplete = false
  }

  /// Of what is sent, if that is known.
  let byteCount: Int64?
  /// What it keeps in memory as long as it is sent, about.
  let heldByteCount: Int
  private let state: Mutex<State>

  /// - Parameters:
  ///   - byteCount: Of the whole document, if that is known.
  ///   - heldByteCount: What the parts keep in memory.
  package init(_ parts: [DocumentPart], byteCount: Int64? = nil, heldByteCount: Int = 0) {
    self.byteCount = byteCount
    self.heldByteCount = heldByteCount + 4 * Self.pieceByteCount
    state = Mutex(State(places: [.parts(parts[...])]))
  }

  /// The rest of another document as a file of gzip.
  private init?(compressing other: DocumentStream) {
    guard let compressor = GzipWriter() else { return nil }
    byteCount = nil
    heldByteCount = other.heldByteCount + Self.compressorByteCount
    let (places, filter) = other.state.withLock { ($0.places, $0.filter) }
    state = Mutex(State(places: places, filter: filter, compressor: compressor))
  }

  private init(_ other: DocumentStream, filteredBy filter: any DocumentFilter) {
    byteCount = nil
    heldByteCount = other.heldByteCount
    state = Mutex(State(places: other.state.withLock { $0.places }, filter: filter))
  }

  /// The rest of it as a file of gzip; nil if there is no memory for that.
  func compressed() -> DocumentStream? { DocumentStream(compressing: self) }

  /// The rest of it as a filter leaves it.
  func filtered(by filter: any DocumentFilter) -> DocumentStream { DocumentStream(self, filteredBy: filter) }

  /// Makes bytes that were taken the next ones again.
  func putBack(_ bytes: [UInt8]) { state.withLock { $0.places.append(.parts([.bytes(bytes)])) } }

  /// Whether ``next()`` would be nil.
  var isAtEnd: Bool { state.withLock { $0.places.isEmpty && $0.compressor == nil } }

  /// The next piece; nil at the end. Call it on a thread that may block.
  ///
  /// - Throws: What making an item throws. The end of the document must not be sent then.
  package func next() throws -> [UInt8]? {
    try state.withLock { state in
      guard !state.isIncomplete else { throw CancellationError() }
      state.isIncomplete = true
      var piece = try Self.piece(&state.places)
      if state.filter != nil {
        piece = state.filter?.passed(piece) ?? []
        while piece.isEmpty, !state.places.isEmpty { piece = state.filter?.passed(try Self.piece(&state.places)) ?? [] }
      }
      state.isIncomplete = false
      guard let compressor = state.compressor else { return piece.isEmpty ? nil : piece }
      if state.places.isEmpty { state.compressor = nil }
      return compressor.compressed(piece, isLast: state.places.isEmpty)
    }
  }

  private static func piece(_ places: inout [Place]) throws -> [UInt8] {
    var piece: [UInt8] = []
    piece.reserveCapacity(pieceByteCount + pieceByteCount / 4)
    while piece.count < pieceByteCount, let place = places.popLast() {
      switch place {
      case .parts(var parts):
        guard let part = parts.popFirst() else { continue }
        places.append(.parts(parts))
        switch part {
        case .bytes(let bytes): piece += bytes
        case .items(let items): places.append(.items(items, next: 0, isFirst: true))
        }
      case .items(let items, let next, let isFirst):
        try append(items, from: next, isFirst: isFirst, to: &piece, &places)
      }
    }
    while case .parts(let parts)? = places.last, parts.isEmpty { places.removeLast() }
    return piece
  }

  /// Appends items until the piece is long enough or one of them has a list itself, which comes next then.
  private static func append(
    _ items: DocumentItems, from first: Int, isFirst: Bool, to piece: inout [UInt8], _ places: inout [Place]
  ) throws {
    let range = first..<min(first + batchCount, items.count)
    guard !range.isEmpty else { return }
    var (next, isFirst, inner) = (range.upperBound, isFirst, ArraySlice<DocumentPart>())
    try items.make(range) { place, parts in
      if !isFirst { piece += items.separator }
      isFirst = false
      var rest = parts[...]
      while case .bytes(let bytes)? = rest.first {
        piece += bytes
        rest.removeFirst()
      }
      guard rest.isEmpty, piece.count < pieceByteCount else {
        (next, inner) = (place + 1, rest)
        return false
      }
      return true
    }
    if next < items.count { places.append(.items(items, next: next, isFirst: isFirst)) }
    if !inner.isEmpty { places.append(.parts(inner)) }
  }
}

extension Reply {
  /// Documents up to so many bytes are replies of bytes, with their length.
  private static let wholeByteCount = 1 << 18

  /// A document, of which the first pieces are made here.
  ///
  /// - Throws: What making its items throws.
  package init(_ document: DocumentStream, type: String, status: Int = 200) throws {
    self.init(status: status, headers: [("Content-Type", type)])
    var bytes: [UInt8] = []
    while bytes.count < Self.wholeByteCount, let piece = try document.next() { bytes += piece }
    guard !document.isAtEnd else {
      body = .bytes(bytes)
      return
    }
    document.putBack(bytes)
    body = .document(document)
  }
}

extension Reply {
  /// The reply with its document, or the data of its events, as a filter leaves it; of another media type the reply itself.
  ///
  /// - Parameter filter: Before the first byte of a document.
  package func filtered(by filter: some DocumentFilter) -> Reply {
    let type = headers.first { $0.0 == "Content-Type" }?.1
    guard [MediaType.json, .problem, .events].contains(where: { $0.rawValue == type }) else { return self }
    var reply = self
    switch body {
    case .bytes(let bytes):
      var filter = filter
      reply.body = .bytes(filter.passed(bytes))
    case .document(let document): reply.body = .document(document.filtered(by: filter))
    case .events(let subscription): reply.body = .events(subscription.filtered(by: filter))
    case .file, .stream: break
    }
    return reply
  }
}

extension DocumentPart {
  /// Bytes that are kept in memory and sent in pieces.
  package static func pieces(of bytes: [UInt8]) -> DocumentPart {
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

extension Range<Int> {
  /// Shorter ranges that follow each other: of a long list no more is read at once than is soon sent.
  package func parts(ofCount count: Int = 64) -> [Range<Int>] {
    stride(from: lowerBound, to: upperBound, by: count).map { $0..<Swift.min($0 + count, upperBound) }
  }
}
