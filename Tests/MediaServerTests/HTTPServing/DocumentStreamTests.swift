import Base
import Testing

@testable import HTTPServing

struct DocumentStreamTests {
  private struct Failure: Error {}

  private static func numbers(_ count: Int, width: Int = 1) -> DocumentItems {
    DocumentItems(count: count, separator: [UInt8(ascii: ",")]) { range, take in
      for number in range {
        guard take(number, [.bytes(Array(String(repeating: "\(number % 10)", count: width).utf8))]) else { return }
      }
    }
  }

  private static func pieces(_ document: DocumentStream) throws -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    while let piece = try document.next() { pieces.append(piece) }
    return pieces
  }

  @Test(arguments: [0, 1, 511, 512, 513, 5_000])
  func `items come once, in order, with separators between them`(count: Int) throws {
    let document = DocumentStream([.bytes(Array("[".utf8)), .items(Self.numbers(count)), .bytes(Array("]".utf8))])
    let expected = "[" + (0..<count).map { "\($0 % 10)" }.joined(separator: ",") + "]"
    #expect(String(decoding: try document.whole(), as: UTF8.self) == expected)
  }

  @Test func `a piece is at most one item longer than it must be, and asks for no more items than it has`() throws {
    let width = 10_000
    let document = DocumentStream([.items(Self.numbers(1_000, width: width))])
    let pieces = try Self.pieces(document)
    #expect(pieces.dropLast().allSatisfy { $0.count >= DocumentStream.pieceByteCount })
    #expect(pieces.allSatisfy { $0.count < DocumentStream.pieceByteCount + width + 1 })
    #expect(pieces.joined().count == 1_000 * width + 999)
  }

  @Test func `lists can hold lists`() throws {
    let outer = DocumentItems(count: 3, separator: [UInt8(ascii: ";")]) { range, take in
      for number in range {
        let parts: [DocumentPart] = [
          .bytes(Array("\(number)(".utf8)), .items(Self.numbers(number)), .bytes(Array(")".utf8)),
        ]
        guard take(number, parts) else { return }
      }
    }
    #expect(String(decoding: try DocumentStream([.items(outer)]).whole(), as: UTF8.self) == "0();1(0);2(0,1)")
  }

  @Test func `items that are gone leave no separators`() throws {
    let items = DocumentItems(count: 2_000, separator: [UInt8(ascii: ",")]) { range, take in
      for number in range where number % 700 == 699 {
        guard take(number, [.bytes(Array("\(number)".utf8))]) else { return }
      }
    }
    #expect(String(decoding: try DocumentStream([.items(items)]).whole(), as: UTF8.self) == "699,1399")
  }

  @Test func `a document of which an item failed has no end`() throws {
    let items = DocumentItems(count: 10_000, separator: []) { range, take in
      if range.lowerBound > 5_000 { throw Failure() }
      for number in range {
        guard take(number, [.bytes([UInt8](repeating: 1, count: 100))]) else { return }
      }
    }
    let document = DocumentStream([.items(items), .bytes([2])])
    #expect(throws: Failure.self) { try Self.pieces(document) }
    #expect(throws: CancellationError.self) { try document.next() }
  }

  @Test func `short documents have a length, long ones are made while they are sent`() throws {
    let short = try Reply(DocumentStream([.items(Self.numbers(100))]), type: "text/plain")
    #expect(short.byteCount == 199)
    let long = try Reply(DocumentStream([.items(Self.numbers(100, width: 10_000))]), type: "text/plain")
    guard case .document(let document) = long.body else {
      Issue.record("it is not made while it is sent")
      return
    }
    #expect(long.byteCount == nil && long.heldByteCount == document.heldByteCount)
    #expect(try document.whole() == DocumentStream([.items(Self.numbers(100, width: 10_000))]).whole())
  }

  @Test func `a compressed document is one file of gzip`() throws {
    let reply = try Reply(DocumentStream([.items(Self.numbers(200, width: 5_000))]), type: "text/plain")
    let compressed = Compression.applied(to: reply, accepted: "gzip")
    #expect(compressed.headers.contains { $0 == ("Content-Encoding", "gzip") })
    guard case .document(let document) = compressed.body else {
      Issue.record("it is not made while it is sent")
      return
    }
    let bytes = try document.whole()
    let expected = try DocumentStream([.items(Self.numbers(200, width: 5_000))]).whole()
    #expect(bytes.count < expected.count / 10)
    #expect(try Gzip.decompressed(bytes) == expected)
  }
}
