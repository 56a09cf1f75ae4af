import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// WAV files whose chunks come twice, too late or not at all.
struct ChunkOrderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let format = ChunkBytes.chunk("fmt ", ChunkBytes.format())
  private static let otherFormat = ChunkBytes.chunk("fmt ", ChunkBytes.format(channelCount: 2, sampleRateInHz: 48_000))
  private static let data = ChunkBytes.chunk("data", (0..<1000).flatMap { littleEndian(Int16($0 * 30)) })

  struct Order: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    /// nil where all is well.
    let reason: String?
  }

  private static let orders = [
    Order(testDescription: "as it should be", bytes: ChunkBytes.riff(format, data), reason: nil),
    Order(
      testDescription: "fmt twice, the same", bytes: ChunkBytes.riff(format, format, data),
      reason: "2 fmt chunks in WAV"
    ),
    Order(
      testDescription: "fmt twice, another one", bytes: ChunkBytes.riff(format, otherFormat, data),
      reason: "2 fmt chunks in WAV"),
    Order(
      testDescription: "fmt twice, on both sides", bytes: ChunkBytes.riff(format, data, otherFormat, otherFormat),
      reason: "3 fmt chunks in WAV"),
    Order(
      testDescription: "fmt behind data", bytes: ChunkBytes.riff(data, format),
      reason: "the fmt chunk stands behind the data in WAV"),
    Order(
      testDescription: "data twice", bytes: ChunkBytes.riff(format, data, data),
      reason: "of 2 data chunks only the first is decoded in WAV"),
    Order(
      testDescription: "other chunks in between",
      bytes: ChunkBytes.riff(
        ChunkBytes.chunk("junk", [1, 2, 3]), format, ChunkBytes.chunk("fact", [0, 0, 0, 0]), data),
      reason: nil),
  ]

  @Test(arguments: orders)
  func `the first format and the first data count, and what is odd is damage`(_ order: Order) throws {
    try folder.write(order.bytes, to: "a.wav")
    let decoded = try DecodedFile(folder.appending("a.wav"))
    #expect(decoded.format.sampleRateInHz == 8000)
    #expect(decoded.samples == (0..<1000).map { Float($0 * 30) / 32_768 })
    #expect(decoded.outcome.problem?.reason == order.reason)
    #expect(decoded.outcome.state == (order.reason == nil ? .ok : .damaged))
  }

  @Test(arguments: [("fmt ", "no data chunk in WAV"), ("data", "no fmt chunk in WAV")])
  func `a file without one of the two is damaged, with its name`(_ name: String, _ reason: String) throws {
    try folder.write(ChunkBytes.riff(name == "data" ? Self.data : Self.format), to: "a.wav")
    let error = #expect(throws: DecodingError.self) { try DecodedFile(folder.appending("a.wav")) }
    #expect(error?.state == .damaged)
    #expect(error?.problem.reason == reason)
  }
}
