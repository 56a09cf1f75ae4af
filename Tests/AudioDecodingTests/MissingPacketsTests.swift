import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Whole fragments, clusters and frames that are missing or come twice: times and numbers in what is left show it.
@Suite(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
struct MissingPacketsTests {
  private let music: EncodedMusic

  init() throws { music = try EncodedMusic() }

  private func encoded(_ arguments: String, as name: String) throws -> (bytes: [UInt8], whole: DecodedFile) {
    let file = try music.ffmpeg("-i @source.wav \(arguments)", to: name)
    return ([UInt8](try Data(contentsOf: file)), try DecodedFile(file))
  }

  /// Where some bytes stand.
  private func places(of mark: [UInt8], in bytes: [UInt8]) -> [Int] {
    bytes.indices.filter { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
  }

  /// What is lost is silence: `whole` and `broken` differ only around it.
  private func expectSilence(_ broken: DecodedFile, insteadOf frames: Range<Int>, of whole: DecodedFile) {
    #expect(broken.frameCount == whole.frameCount)
    #expect(broken.samples[..<(2 * (frames.lowerBound - 2048))] == whole.samples[..<(2 * (frames.lowerBound - 2048))])
    let inner = broken.samples[2 * (frames.lowerBound + 2048)..<2 * (frames.upperBound - 2048)]
    #expect(inner.allSatisfy { $0 == 0 })
    #expect(broken.samples[(2 * (frames.upperBound + 4096))...] == whole.samples[(2 * (frames.upperBound + 4096))...])
  }

  // MARK: Fragments

  /// Fragments of 20 packets, without the noise that a decoder makes up.
  private static let fragmented =
    "-c:a aac -aac_pns 0 -movflags frag_keyframe+empty_moov+default_base_moof -frag_duration 450000"
  private static let packetFrameCount = 1024

  /// Where fragments begin: before the size of their first box.
  private func fragments(_ bytes: [UInt8]) -> [Int] { places(of: Array("moof".utf8), in: bytes).map { $0 - 4 } }

  /// The times at which fragments begin, in frames, and where these numbers stand.
  private func times(_ bytes: [UInt8]) -> [(place: Int, time: Int)] {
    places(of: Array("tfdt".utf8), in: bytes).map { mark in
      let size = bytes[mark + 4] == 1 ? 8 : 4
      return (mark + 8, bytes[mark + 8..<mark + 8 + size].reduce(0) { $0 << 8 | Int($1) })
    }
  }

  @Test(arguments: ["removed", "overwritten", "of another size"])
  func `a fragment of MP4 that is lost is silence, and the rest stays in its place`(_ way: String) throws {
    var (bytes, whole) = try encoded(Self.fragmented, as: "a.m4a")
    let (starts, times) = (fragments(bytes), times(bytes))
    try #require(starts.count > 10 && times.count == starts.count && whole.outcome.state == .ok)
    switch way {
    case "removed": bytes.removeSubrange(starts[5]..<starts[6])
    case "overwritten": for place in starts[5]..<starts[6] { bytes[place] = 0 }
    // What stands in it is passed over.
    default: bytes.replaceSubrange(starts[5]..<starts[5] + 8, with: [0x7F, 0, 0, 0] + Array("moox".utf8))
    }
    let broken = try music.decoded(bytes, as: "b.m4a")
    let delay = whole.mediaFormat.delayFrameCount ?? 0
    let lost = times[5].time - delay..<times[6].time - delay
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "missing-packets")
    let position = try #require(broken.outcome.problem?.positionInSeconds)
    #expect(abs(position - Double(lost.lowerBound) / 44_100) < 0.001)
    expectSilence(broken, insteadOf: lost, of: whole)
    let file = try OpenFile(music.folder.appending("b.m4a"))
    let decoder = try file.decoder()
    for frame in [250_000, lost.lowerBound + 3000, 1000] {
      try decoder.seek(toFrame: Int64(frame))
      #expect(try decoder.readFrames(500) == Array(broken.samples[2 * frame..<2 * frame + 1000]))
    }
  }

  @Test func `the first fragment that is lost is silence`() throws {
    var (bytes, whole) = try encoded(Self.fragmented, as: "a.m4a")
    let (starts, times) = (fragments(bytes), times(bytes))
    bytes.removeSubrange(starts[0]..<starts[1])
    let broken = try music.decoded(bytes, as: "b.m4a")
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.positionInSeconds == 0)
    #expect(broken.frameCount == whole.frameCount)
    #expect(broken.samples.suffix(200_000) == whole.samples.suffix(200_000))
    #expect(broken.samples[..<(2 * (times[1].time - 4096))].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [5, 0]) func `a fragment that comes twice is heard once`(_ number: Int) throws {
    var (bytes, whole) = try encoded(Self.fragmented, as: "a.m4a")
    let (starts, times) = (fragments(bytes), times(bytes))
    bytes.insert(contentsOf: bytes[starts[number]..<starts[number + 1]], at: starts[number + 1])
    let broken = try music.decoded(bytes, as: "b.m4a")
    #expect(broken.samples == whole.samples)
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "positions")
    let delay = Double(whole.mediaFormat.delayFrameCount ?? 0)
    let position = try #require(broken.outcome.problem?.positionInSeconds)
    #expect(abs(position - (Double(times[number + 1].time) - delay) / 44_100) < 0.001)
  }

  /// A recorder that paused, recordings that were joined, and a program that counts no time: all of it is heard.
  @Test(arguments: ["a pause", "a restart", "no times", "small errors", "a late start"])
  func `fragments whose times are odd are whole if their numbers are`(_ oddity: String) throws {
    var (bytes, whole) = try encoded(Self.fragmented, as: "a.m4a")
    for (index, entry) in times(bytes).enumerated() {
      let isLong = bytes[entry.place - 4] == 1
      let time =
        switch oddity {
        case "a pause": entry.time + (index > 5 ? 100_000 : 0)
        case "a restart": index > 5 ? entry.time - times(bytes)[6].time : entry.time
        case "no times": 0
        case "small errors": entry.time + (index % 2) * 700
        default: entry.time + 5_000_000
        }
      bytes.replaceSubrange(
        entry.place..<entry.place + (isLong ? 8 : 4),
        with: isLong ? bigEndian(UInt64(time)) : bigEndian(UInt32(time)))
    }
    let odd = try music.decoded(bytes, as: "b.m4a")
    #expect(odd.outcome.state == .ok && odd.samples == whole.samples)
  }

  // MARK: Clusters

  /// Live streams have no sizes from which one could see it.
  @Test(arguments: [("aac", "-c:a aac -aac_pns 0"), ("vorbis", "-c:a libvorbis -q:a 4")], ["0", "1"])
  func `a cluster of Matroska that is lost is silence, and the rest stays in its place`(
    _ codec: (String, String), _ isLive: String
  ) throws {
    var (bytes, whole) = try encoded("\(codec.1) -cluster_time_limit 600 -live \(isLive)", as: "a.mka")
    let clusters = places(of: [0x1F, 0x43, 0xB6, 0x75], in: bytes)
    try #require(clusters.count > 8 && whole.outcome.state == .ok)
    // The time is the first element of a cluster.
    func frame(ofCluster number: Int) throws -> Int {
      let mark = try #require((clusters[number]..<clusters[number] + 20).first { bytes[$0] == 0xE7 })
      let count = Int(bytes[mark + 1] & 0x7F)
      let time = bytes[mark + 2..<mark + 2 + count].reduce(0) { $0 << 8 | Int($1) }
      return time * 44_100 / 1000 - (whole.mediaFormat.delayFrameCount ?? 0)
    }
    let lost = try frame(ofCluster: 4)..<frame(ofCluster: 6)
    bytes.removeSubrange(clusters[4]..<clusters[6])
    let broken = try music.decoded(bytes, as: "b.mka")
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "missing-packets")
    let position = try #require(broken.outcome.problem?.positionInSeconds)
    #expect(abs(position - Double(lost.lowerBound) / 44_100) < 0.03)
    if codec.0 == "aac" {
      expectSilence(broken, insteadOf: lost, of: whole)
      let file = try OpenFile(music.folder.appending("b.mka"))
      let decoder = try file.decoder()
      for frame in [250_000, lost.lowerBound + 3000, 1000] {
        try decoder.seek(toFrame: Int64(frame))
        #expect(try decoder.readFrames(500) == Array(broken.samples[2 * frame..<2 * frame + 1000]))
      }
    } else {
      // Packets of Vorbis are as long as their blocks: a millisecond may be missing or too much.
      #expect(abs(broken.frameCount - whole.frameCount) < 90)
      #expect(broken.samples.starts(with: whole.samples[..<(2 * (lost.lowerBound - 4096))]))
      #expect(broken.samples.suffix(100_000) == whole.samples.suffix(100_000))
    }
  }

  @Test(arguments: ["flac", "pcm_s16le"]) func `a loss in a stream that is read as a file has its place`(
    _ codec: String
  ) throws {
    var (bytes, whole) = try encoded("-c:a \(codec) -cluster_time_limit 600 -live 1", as: "a.mka")
    let clusters = places(of: [0x1F, 0x43, 0xB6, 0x75], in: bytes)
    try #require(clusters.count > 8 && whole.outcome.state == .ok)
    bytes.removeSubrange(clusters[4]..<clusters[6])
    let broken = try music.decoded(bytes, as: "b.mka")
    #expect(broken.outcome.state == .damaged)
    // Where the sounds differ first.
    let difference = try #require(zip(broken.samples, whole.samples).enumerated().first { $1.0 != $1.1 }?.offset) / 2
    let position = try #require(broken.outcome.problem?.positionInSeconds)
    #expect(abs(position - Double(difference) / 44_100) < 0.12)
  }

  @Test(arguments: [40, -40, 90]) func `blocks that come early or late are no loss`(_ jitter: Int) throws {
    let files = try SyntheticFiles()
    var file = MatroskaBytes()
    file.packets = [[UInt8]](repeating: MP4Bytes.silentPacket, count: 60)
    file.blockTimes = (0..<60).map { $0 * 1024 * 1000 / 44_100 + ($0 % 7 == 3 ? jitter : 0) }
    let decoded = try files.decode(file.bytes)
    #expect(decoded.outcome.state == .ok && decoded.frameCount == 60 * 1024)
  }

  @Test func `a track that begins late, and times that begin again, are no loss`() throws {
    let files = try SyntheticFiles()
    var file = MatroskaBytes()
    file.packets = [[UInt8]](repeating: MP4Bytes.silentPacket, count: 60)
    file.blockTimes = (0..<60).map { 5000 + ($0 % 30) * 1024 * 1000 / 44_100 }
    let decoded = try files.decode(file.bytes)
    #expect(decoded.outcome.state == .ok && decoded.frameCount == 60 * 1024)
  }

  // MARK: Numbers of frames

  @Test(arguments: ["flac", "oga"]) func `frames of FLAC that are missing have their place`(_ kind: String) throws {
    let (bytes, whole) = try encoded("-c:a flac -frame_size 4096", as: "a.flac")
    // By the numbers in the headers, which are one byte here.
    let starts = places(of: [0xFF, 0xF8], in: bytes)
    let frames = (0..<70).compactMap { number in starts.first { bytes[$0 + 4] == number } }
    try #require(frames.count == 70 && frames == frames.sorted())
    let cut = Array(bytes[..<frames[30]] + bytes[frames[33]...])
    var broken = try music.decoded(cut, as: "b.flac")
    if kind == "oga" {
      broken = try DecodedFile(try music.ffmpeg("-i @b.flac -c:a copy", to: "b.oga"))
    }
    #expect(broken.outcome.state == .damaged)
    #expect(broken.outcome.problem?.code == "missing-frames")
    #expect(broken.outcome.problem?.positionInSeconds == Double(30 * 4096) / 44_100)
    #expect(broken.outcome.problem?.reason == "the frames from \(30 * 4096) to \(33 * 4096) are missing")
    #expect(broken.samples[..<(2 * 30 * 4096)] == whole.samples[..<(2 * 30 * 4096)])
  }

  /// Parts of it are as in a decode from the start.
  private func expectSeeks(in url: URL) throws {
    let whole = try DecodedFile(url)
    let channelCount = whole.format.channelCount
    let file = try OpenFile(url)
    let decoder = try file.decoder()
    for eighth in [1, 3, 7, 4, 5, 0, 6, 2] {
      let start = whole.frameCount * eighth / 8 + 17
      try decoder.seek(toFrame: Int64(start))
      let expected = whole.samples[start * channelCount..<(start + 3000) * channelCount]
      #expect(try decoder.readFrames(3000) == Array(expected))
    }
  }

  @Test(arguments: [0, 5])
  func `blocks of WavPack that are missing are silence, and one that comes twice is heard once`(
    _ number: Int
  ) throws {
    let (bytes, whole) = try encoded("-c:a wavpack", as: "a.wv")
    var blocks = [0]
    while let last = blocks.last, last < bytes.count {
      blocks.append(last + 8 + (0..<4).reduce(0) { $0 | Int(bytes[last + 4 + $1]) << (8 * $1) })
    }
    func first(_ block: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[blocks[block] + 16 + $1]) << (8 * $1) } }
    try #require(blocks.count > 8)
    let cut = try music.decoded(Array(bytes[..<blocks[number]] + bytes[blocks[number + 1]...]), as: "b.wv")
    #expect(cut.outcome.state == .damaged && cut.outcome.problem?.code == "missing-packets")
    #expect(cut.outcome.problem?.positionInSeconds == Double(first(number)) / 44_100)
    var expected = whole.samples
    for index in 2 * first(number)..<2 * first(number + 1) { expected[index] = 0 }
    #expect(cut.samples == expected)

    let doubled = try music.decoded(Array(bytes[..<blocks[number + 1]] + bytes[blocks[number]...]), as: "c.wv")
    #expect(doubled.outcome.state == .damaged && doubled.outcome.problem?.code == "positions")
    #expect(doubled.outcome.problem?.positionInSeconds == Double(first(number + 1)) / 44_100)
    #expect(doubled.samples == whole.samples)
  }

  @Test(arguments: [("a.opus", "-c:a libopus -b:a 96k"), ("a.ogg", "-c:a libvorbis -q:a 4")])
  func `packets of Ogg whose pages were numbered again are missing where positions jump`(
    _ name: String, _ arguments: String
  ) throws {
    let (_, whole) = try encoded(arguments, as: name)
    var stream = try OggStream(music.folder.appending(name), headerCount: name == "a.opus" ? 2 : 3)
    let ends = stream.packets.indices.filter { stream.packets[$0].endsPage }
    let middle = ends.count / 2
    stream.packets.removeSubrange(ends[middle] + 1...ends[middle + 1])
    let broken = try music.decoded(stream.bytes(), as: "b-\(name)")
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "missing-packets")
    let delay = name == "a.opus" ? 312 : 0
    let position = try #require(broken.outcome.problem?.positionInSeconds)
    let granule = Double(stream.packets[ends[middle]].granule) - Double(delay)
    #expect(abs(position - granule / Double(whole.format.sampleRateInHz)) < 0.05)
  }

  /// Without some of the pages; the positions of the others stay.
  ///
  /// - Returns: also the positions between which nothing is left.
  private func lacking(
    _ pages: Range<Int>, name: String, _ arguments: String
  ) throws -> (broken: DecodedFile, whole: DecodedFile, gap: Range<Int64>, url: URL) {
    let (bytes, whole) = try encoded(arguments, as: name)
    let all = OggBytes.pages(bytes)
    try #require(all.count > pages.upperBound + 1)
    let url = music.folder.appending("b-\(name)")
    try Data((all[..<pages.lowerBound] + all[pages.upperBound...]).joined()).write(to: url)
    func end(_ page: [UInt8]) -> Int64 { (0..<8).reduce(0) { $0 | Int64(page[6 + $1]) << (8 * $1) } }
    let (lower, upper) = (end(all[pages.lowerBound - 1]), end(all[pages.upperBound - 1]))
    return (try DecodedFile(url), whole, max(0, lower)..<upper, url)
  }

  @Test(
    arguments: [
      ("a.opus", "-c:a libopus -b:a 96k -page_duration 400000", 312),
      ("a.ogg", "-c:a libvorbis -q:a 4 -page_duration 400000", 0),
      ("a.spx", "-ac 1 -ar 16000 -c:a libspeex -page_duration 400000", 0),
    ], [2, 9])
  func `pages of Ogg that are missing are silence by their positions`(
    _ stream: (name: String, arguments: String, delay: Int), _ first: Int
  ) throws {
    // A start of Speex could be a late one.
    let start = first == 2 ? stream.name == "a.ogg" ? 3 : stream.name == "a.spx" ? 4 : 2 : first
    let (broken, whole, gap, url) = try lacking(start..<start + 2, name: stream.name, stream.arguments)
    #expect(broken.outcome.state == .damaged && broken.outcome.problem?.code == "missing-pages")
    #expect(broken.frameCount == whole.frameCount)
    let (lower, upper) = (Int(gap.lowerBound) - stream.delay, Int(gap.upperBound) - stream.delay)
    let channelCount = whole.format.channelCount
    let inner = broken.samples[(max(0, lower) + 2048) * channelCount..<(upper - 4096) * channelCount]
    #expect(inner.allSatisfy { $0 == 0 })
    if lower > 2048 {
      let before = 0..<(lower - 2048) * channelCount
      #expect(broken.samples[before] == whole.samples[before])
    }
    // A decoder needs some packets to find back.
    let behind = (upper + 24_000) * channelCount..<whole.samples.count
    let difference = zip(broken.samples[behind], whole.samples[behind]).map { abs($0 - $1) }.max() ?? 1
    #expect(difference < (stream.name == "a.ogg" ? 1e-6 : 0.05))
    try expectSeeks(in: url)
  }
}
