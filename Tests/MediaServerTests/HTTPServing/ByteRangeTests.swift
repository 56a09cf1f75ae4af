import Testing

@testable import HTTPServing

struct ByteRangeTests {
  // Faults: 124
  /// RFC 9110, sections 14.1.2 and 14.2.
  @Test(arguments: [
    ("bytes=0-499", ByteRange.Answer.part(0..<500)), ("bytes=500-999", .part(500..<1000)),
    ("bytes=-500", .part(500..<1000)), ("bytes=999-", .part(999..<1000)), ("bytes=0-", .part(0..<1000)),
    ("bytes=-5000", .part(0..<1000)), ("bytes=900-99999999999999999999999", .part(900..<1000)),
    ("BYTES=1-1", .part(1..<2)),
    ("bytes=1000-", .unsatisfiable), ("bytes=5000-6000", .unsatisfiable), ("bytes=-0", .unsatisfiable),
    ("bytes=99999999999999999999999-", .unsatisfiable),
    ("bytes=5-4", .whole), ("bytes=0-1,5-6", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes", .whole),
    ("frames=0-4", .whole), ("bytes=a-b", .whole), ("bytes=1-2-3", .whole), ("bytes=--5", .whole),
    ("bytes=+1-2", .whole),
  ])
  func `a header means a part, the whole, or nothing`(header: String, answer: ByteRange.Answer) {
    #expect(ByteRange.answer(to: header, byteCount: 1000) == answer)
  }

  // Faults: 124
  @Test func `no header means the whole, and an empty file has no part`() {
    #expect(ByteRange.answer(to: nil, byteCount: 1000) == .whole)
    #expect(ByteRange.answer(to: "bytes=0-0", byteCount: 0) == .unsatisfiable)
    #expect(ByteRange.answer(to: "bytes=-1", byteCount: 0) == .unsatisfiable)
  }
}
