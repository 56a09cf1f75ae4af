import Foundation
import TestSupport
import Testing

/// The bytes of files and of decoded sound, compared with the commands.
struct SoundRoutesTests {
  private let library: ServedLibrary
  private let deadwax: DeadwaxCommand

  init() async throws {
    library = try await ServedLibrary(of: .fixtures)
    deadwax = try library.command()
  }

  @Test(arguments: ["01 Lead-in.mp3", "01 Marée lente.flac", "01 المد.opus"])
  func `frames are bit for bit those of segment`(name: String) async throws {
    let id = try library.track("filename:=\"\(name)\"")
    let file = deadwax.home.appending("part.raw")
    try await deadwax.must(["segment", "\(id)", "-o", file.path, "--overwrite"])
    let whole = try Data(contentsOf: file)
    for (start, count) in [(0, 50_000), (12_345, 40_000), (32_768, 32_768)] {
      let target = "/api/v1/tracks/\(id)/pcm?start=\(start)&count=\(count)"
      let frames = try await library.ask("\(target)&format=f32")
      let rate = try #require(frames.headers["deadwax-sample-rate"].flatMap { Double($0) })
      let channelCount = try #require(frames.headers["deadwax-channels"].flatMap { Int($0) })
      let size = 4 * channelCount
      #expect(frames.body == whole.dropFirst(start * size).prefix(count * size) && rate > 0)
      #expect(frames.headers["deadwax-start"] == "\(start)" && frames.headers["deadwax-count"] == "\(count)")
      #expect(frames.headers["deadwax-total"] == "\(whole.count / size)")
      let again = try await library.ask(
        "\(target)&format=f32", headers: ["If-None-Match": frames.headers["etag"] ?? ""])
      #expect(again.status == 304 && again.body.isEmpty)
      #expect(try await library.ask("\(target)&format=s16").body.count == frames.body.count / 2)
      #expect(try await library.ask("\(target)&format=flac").body.starts(with: Data("fLaC".utf8)))
    }
    let beyond = try await library.ask("/api/v1/tracks/\(id)/pcm?start=\(1 << 50)")
    #expect(beyond.status == 200 && beyond.body.isEmpty && beyond.headers["deadwax-count"] == "0")
  }

  /// Each answer that is made of the sound, stored or decoded.
  @Test func `answers that are made of a damaged file say so in a header`() async throws {
    let library = try await ServedLibrary(of: .of("damaged/truncated.flac", "damaged/clean.mp3"))
    let targets = [
      "pcm", "sound", "stream", "stream?format=wav", "file", "waveform.dat", "waveform.dat?zoom=64", "waveform.json",
      "bands", "spectrum", "spectrum?bands=20", "spectrogram", "spectrogram?zoom=4096", "loudness",
    ]
    for (name, expected) in [("truncated.flac", "truncated; position=1.152"), ("clean.mp3", nil)] {
      let id = try library.track("filename:=\"\(name)\"")
      for target in targets + targets {
        let answer = try await library.ask("/api/v1/tracks/\(id)/\(target)")
        #expect(answer.status == 200 && answer.headers["deadwax-damage"] == expected, "\(target): \(answer.headers)")
      }
    }
  }

  @Test func `a waveform from beyond the end has no points, stored or decoded`() async throws {
    let id = try library.track("filename:=\"01 Lead-in.mp3\"")
    for query in ["zoom=256", "zoom=64&points=10", "zoom=512&bits=16", "zoom=512&channels=split&points=3"] {
      let answer = try await library.ask("/api/v1/tracks/\(id)/waveform.json?\(query)&start=\(1 << 40)")
      #expect(answer.status == 200 && answer.document["length"] as? Int == 0, "\(query): \(answer)")
    }
  }

  /// The layout is in docs/api.md: a header of 32 bytes, edges, then a byte for each band of each column.
  @Test(arguments: [Int64(2048), 3000, 1 << 15])
  func `the last column of a spectrogram is the rest, and is heard`(zoom: Int64) async throws {
    let id = try library.track("filename:=clean.mp3")
    let target = "/api/v1/tracks/\(id)"
    let pcm = try await library.ask("\(target)/pcm?count=1&format=f32")
    let frameCount = try #require(pcm.headers["deadwax-total"].flatMap { Int64($0) })
    // Tiles that end between two columns, and one that begins in the last column.
    for start in [0, 5000, frameCount - zoom / 2] {
      let columnCount = (frameCount - start + zoom - 1) / zoom
      for asked in [columnCount, columnCount + 1, 1024] {
        let body = try await library.ask(
          "\(target)/spectrogram?zoom=\(zoom)&start=\(start)&columns=\(asked)&bands=8"
        ).body
        let header = body.prefix(16).withUnsafeBytes { $0.bindMemory(to: UInt32.self).map { Int64($0) } }
        #expect(header[1] == 8 && header[2] == columnCount, "\(start), \(asked)")
        #expect(Int64(body.count) == 32 + 4 * 9 + 8 * columnCount)
        #expect(body.suffix(8).contains { $0 > 0 }, "\(start), \(asked): the last column is silent")
      }
    }
  }

  @Test(arguments: ["wav", "flac"])
  func `a part to save is what segment writes`(format: String) async throws {
    let id = try library.track("filename:=\"01 Lead-in.mp3\"")
    let part = try await library.ask("/api/v1/tracks/\(id)/sound?start=0.5&end=1.25&format=\(format)")
    let file = deadwax.home.appending("part.\(format)").path
    try await deadwax.must(["segment", "\(id)", "--start", "0.5", "--end", "1.25", "-o", file])
    let expected = try Data(contentsOf: URL(filePath: file))
    // What is streamed cannot state the sizes of its frames and the sum of its samples at the start.
    let start = format == "flac" ? 42 : 0
    #expect(part.status == 200 && part.body.count == expected.count)
    #expect(part.body.dropFirst(start) == expected.dropFirst(start))
    #expect(part.headers["content-disposition"]?.hasPrefix("attachment; filename*=") == true)
  }

  // Faults: 124
  @Test func `a file comes whole or in parts`() async throws {
    let id = try library.track("filename:=\"01 Lead-in.mp3\"")
    let target = "/api/v1/tracks/\(id)/file"
    let whole = try await library.ask(target)
    let music = try await ScannedMusic.fixtures.music
    let file = music.file("audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3")
    let bytes = try Data(contentsOf: file)
    #expect(whole.status == 200 && whole.headers["accept-ranges"] == "bytes" && whole.body == bytes)
    #expect(whole.headers["content-type"] == "audio/mpeg" && whole.headers["content-disposition"] == nil)
    let count = whole.body.count
    let ranges = [
      ("bytes=0-99", 0..<100), ("bytes=-100", count - 100..<count), ("bytes=\(count - 1)-", count - 1..<count),
    ]
    for (header, range) in ranges {
      let part = try await library.ask(target, headers: ["Range": header])
      #expect(part.status == 206 && part.body == whole.body[range])
      #expect(part.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
      #expect(part.headers["etag"] == whole.headers["etag"])
    }
    let tag = try #require(whole.headers["etag"])
    let same = try await library.ask(target, headers: ["Range": "bytes=0-9", "If-Range": tag])
    #expect(same.status == 206 && same.body.count == 10)
    let stale = try await library.ask(target, headers: ["Range": "bytes=0-9", "If-Range": "\"other\""])
    #expect(stale.status == 200 && stale.body.count == count)
    let beyond = try await library.ask(target, headers: ["Range": "bytes=\(count)-"])
    #expect(beyond.status == 416 && beyond.headers["content-range"] == "bytes */\(count)")
    let head = try await library.ask(target, "HEAD")
    #expect(head.body.isEmpty && head.headers["content-length"] == "\(count)")
    let saved = try await library.ask("\(target)?download=1")
    #expect(saved.headers["content-disposition"] == "attachment; filename*=UTF-8''01%20Lead-in.mp3")
  }
}
