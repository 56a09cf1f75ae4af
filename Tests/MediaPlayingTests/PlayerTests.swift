import AudioEncoding
import Base
import DecodingService
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaPlaying
import MediaRendering
import MediaStore
import TestSupport
import Testing

/// What reaches the sink, whatever is asked of the player meanwhile.
struct PlayerTests {
  private let library: NoiseLibrary

  init() throws { library = try NoiseLibrary() }

  private func player(
    _ sink: CapturingSink, _ order: [Int], _ style: TransitionStyle? = .smart,
    repetition: PlayQueue.Repetition = .off
  ) -> Player {
    let options = PlayerOptions(
      levelling: .off, transitions: style.map { PlayerTransitions($0, from: library.store) })
    return Player(
      PlayQueue(order.map { PlayItem(library.ids[$0]) }, repetition: repetition), into: sink, options: options,
      load: library.load)
  }

  /// What is played without being disturbed.
  private func undisturbed(_ order: [Int], _ style: TransitionStyle? = .smart) -> [Float] {
    let sink = CapturingSink()
    let player = player(sink, order, style)
    player.start()
    player.waitUntilFinished()
    return sink.samples
  }

  /// What is played if something is asked for as soon as a frame was written.
  ///
  /// - Returns: Also how many frames had been written when it was heard of.
  private func played(
    _ order: [Int], askingAt frame: Int, _ ask: @escaping (Player) -> Void
  ) -> (samples: [Float], discardedAt: Int?) {
    let sink = CapturingSink()
    let player = player(sink, order)
    sink.onWrite = { written in
      guard written >= frame else { return }
      sink.onWrite = nil
      ask(player)
    }
    player.start()
    player.waitUntilFinished()
    #expect(player.state.failure == nil)
    return (sink.samples, sink.discardedAt)
  }

  private let count = NoiseLibrary.frameCount
  private let overlap = NoiseLibrary.overlap

  @Test func `tracks overlap as planned, and are themselves elsewhere`() {
    let found = undisturbed([0, 1, 2])
    #expect(found.count == 3 * count - 2 * overlap)
    #expect(found[..<(count - overlap)].elementsEqual(library.samples[0][..<(count - overlap)]))
    #expect(found[count..<(2 * count - 2 * overlap)].elementsEqual(library.samples[1][overlap..<(count - overlap)]))
    #expect(found[(2 * count - overlap)...].elementsEqual(library.samples[2][overlap...]))
    // In the middle of a fade both have the factor √½.
    let middle = count - overlap / 2
    let sum = Double(library.samples[0][middle] + library.samples[1][overlap / 2]) * 0.5.squareRoot()
    #expect(abs(Double(found[middle]) - sum) < 1e-3)
  }

  @Test func `without transitions each track is whole`() {
    #expect(undisturbed([0, 1, 2], nil) == library.samples[0] + library.samples[1] + library.samples[2])
    #expect(undisturbed([0, 1], .gapless) == library.samples[0] + library.samples[1])
  }

  @Test(arguments: [10_000, 290_000, 305_000])
  func `a pause changes nothing, before, just before and inside a transition`(frame: Int) {
    let (found, _) = played([0, 1], askingAt: frame) { player in
      player.pause(true)
      player.pause(false)
    }
    #expect(found == undisturbed([0, 1]))
  }

  @Test func `the next track begins at its start, alone, before and inside a transition`() throws {
    for frame in [10_000, 286_000] {
      let (found, place) = played([0, 1], askingAt: frame) { $0.step(by: 1) }
      let cut = try #require(place)
      #expect(found[cut...].elementsEqual(library.samples[1]), "\(frame)")
    }
    // The second one is heard from the first frame of the transition on, so the third one is next.
    let (found, place) = played([0, 1, 2], askingAt: 300_000) { $0.step(by: 1) }
    #expect(found[try #require(place)...].elementsEqual(library.samples[2]))
  }

  @Test func `inside a transition the track before begins anew, and leads on as before`() throws {
    let (found, place) = played([0, 1], askingAt: 300_000) { $0.step(by: -1) }
    #expect(found[try #require(place)...].elementsEqual(undisturbed([0, 1])))
  }

  @Test func `a seek to a place before the end has what is left of the transition`() throws {
    let target = count - overlap / 2
    let (found, place) = played([0, 1], askingAt: 10_000) { $0.seek(toFrame: Int64(target)) }
    let rest = found[try #require(place)...]
    #expect(rest.count == count)
    #expect(rest.dropFirst(overlap / 2).elementsEqual(library.samples[1][(overlap / 2)...]))
    // It begins as loud as it was, and with nothing of the other.
    #expect(abs(try #require(rest.first) - library.samples[0][target]) < 1e-3)
  }

  @Test func `a seek inside a transition goes on in the next track, without the one before`() throws {
    let (found, place) = played([0, 1], askingAt: 300_000) { $0.seek(toFrame: 1000) }
    #expect(found[try #require(place)...].elementsEqual(library.samples[1][1000...]))
  }

  @Test func `what follows may change until it is heard`() throws {
    let (found, _) = played([0, 1], askingAt: 280_000) { [library] player in
      player.setItems(after: 0, to: [PlayItem(library.ids[2])])
    }
    #expect(found.count == 2 * count - overlap)
    #expect(found[count...].elementsEqual(library.samples[2][overlap...]))
    let (other, _) = played([0, 1, 2], askingAt: 280_000) { player in
      player.changeQueue { $0.replace(after: 0, with: [$0.items[2]]) }
    }
    #expect(other[count...].elementsEqual(library.samples[2][overlap...]))
  }

  @Test func `a passage that is repeated inside the ending does not lead to the next track`() {
    let passage = count - overlap - 8_000..<count - overlap / 2
    let sink = CapturingSink()
    let player = player(sink, [0, 1])
    sink.onWrite = { [weak sink] written in
      guard written >= 10_000 else { return }
      player.repeatFrames(Int64(passage.lowerBound)..<Int64(passage.upperBound))
      sink?.onWrite = { if $0 >= passage.upperBound + 2 * passage.count { player.stop() } }
    }
    player.start()
    player.waitUntilFinished()
    let first = library.samples[0]
    let expected = first[..<passage.upperBound] + first[passage] + first[passage]
    #expect(sink.samples.prefix(expected.count).elementsEqual(expected))
  }

  @Test func `a long silence at the start of the next track is left out while the one before is heard`() {
    let found = undisturbed([0, NoiseLibrary.silentStart, 1])
    let silence = NoiseLibrary.silenceFrameCount
    let later = library.samples[NoiseLibrary.silentStart]
    #expect(found.count == 2 * count + later.count - silence - 2 * overlap)
    #expect(found[..<(count - overlap)].elementsEqual(library.samples[0][..<(count - overlap)]))
    #expect(
      found[count..<(count + later.count - silence - 2 * overlap)].elementsEqual(
        later[(silence + overlap)..<(later.count - overlap)]))
  }
}

/// Three tracks of noise of 40 s, the last eight of them quiet, so that each leads to the next in a fade of four seconds;
/// and a fourth one with silence before it.
private final class NoiseLibrary: @unchecked Sendable {
  static let rate = 8_000
  static let frameCount = 40 * rate
  static let overlap = 4 * rate
  private static let framesPerPoint = 400
  /// The track that begins with silence, for longer than a track is read before it is heard.
  static let silentStart = 3
  static let silenceFrameCount = 45 * rate

  let samples: [[Float]]
  private(set) var ids: [Int64] = []
  let store: MediaStore
  private let folder: TemporaryFolder
  private let cache = SegmentCache()

  init() throws {
    let sounds = (0..<4).map { number in
      Signal.whiteNoise(frameCount: Self.frameCount, rms: 0.1, seed: UInt64(7 + number)).enumerated().map {
        $0.offset < 32 * Self.rate ? $0.element : $0.element / 10
      }
    }
    samples = sounds.enumerated().map { number, sound in
      number == Self.silentStart ? [Float](repeating: 0, count: Self.silenceFrameCount) + sound : sound
    }
    folder = try TemporaryFolder()
    store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
    let root = try store.roots.add(BytePath("/music"), volume: "v1")
    for number in samples.indices {
      let silence = samples[number].count - Self.frameCount
      let points = (0..<samples[number].count / Self.framesPerPoint).map { point in
        let frame = point * Self.framesPerPoint - silence
        let level = frame < 0 ? 0 : DecibelStep.encode(frame < 32 * Self.rate ? -20 : -40)
        return WaveformEnergy.Point(rms: level, low: level, mid: level, high: level)
      }
      let energy = WaveformEnergy(sampleRateInHz: Self.rate, framesPerPoint: Self.framesPerPoint, points: points)
      let format = MediaFormat(
        container: .wav, codec: .pcmF32, sampleRateInHz: Self.rate, channelCount: 1, bitsPerSample: 32,
        declaredFrameCount: Int64(samples[number].count), decodedFrameCount: Int64(samples[number].count))
      let hash = ContentHash(high: 0xFEED, low: UInt64(number + 1))
      let extraction = Extraction(
        state: .ok, format: format, stream: StreamIdentity(hash: hash, byteCount: 12_345), decoded: DecodedStream(),
        products: [Product(kind: .waveformEnergy, version: 1, parameters: "", bytes: energy.blob)])
      let status = FileStatus(
        byteCount: 1_000, modificationTimeInNanoseconds: 1, changeTimeInNanoseconds: 2, inode: UInt64(number + 3),
        device: 4)
      try store.scans.apply([
        .extracted(
          FileRecord(
            rootID: root.id, path: BytePath("\(number).wav"), status: status, extraction: extraction,
            extractorVersion: 1))
      ])
      ids.append(try store.tracks.resolve(BytePath("/music/\(number).wav")).recordingID)
    }
  }

  deinit { try? store.close() }

  var load: @Sendable (PlayItem) throws -> PlayedTrack {
    { [self] item in
      let track = try store.tracks.resolve("\(item.recordingID)")
      let samples = samples[ids.firstIndex(of: item.recordingID) ?? 0]
      let source = RecordingSource(track, cache: cache) { _, _ in
        MemorySource(samples, hash: track.hash, sampleRateInHz: Self.rate)
      }
      return try PlayedTrack(source, in: store)
    }
  }
}

/// One channel in memory.
private final class MemorySource: SegmentSource {
  let audio: SegmentedAudio
  private let samples: [Float]

  init(_ samples: [Float], hash: ContentHash, sampleRateInHz: Int) {
    audio = SegmentedAudio(hash: hash, format: AudioFormat(sampleRateInHz: sampleRateInHz, channelCount: 1))
    self.samples = samples
  }

  func decode(_ frames: Range<Int64>) -> [Float] {
    Array(samples[(Int(frames.lowerBound)..<Int(frames.upperBound)).clamped(to: samples.indices)])
  }
}

/// Keeps what is written, and hears it at once.
private final class CapturingSink: SoundSink, @unchecked Sendable {
  private(set) var format: AudioFormat?
  let form = SampleForm.float32
  private(set) var samples: [Float] = []
  /// How many frames had been written when the rest was to be dropped.
  private(set) var discardedAt: Int?
  /// Called with the number of frames so far.
  var onWrite: ((Int) -> Void)?

  func open(_ wanted: AudioFormat) { format = wanted }
  func continues(with wanted: AudioFormat) -> Bool { format?.sampleRateInHz == wanted.sampleRateInHz }
  func write(_ samples: Span<Float>) {
    samples.withUnsafeBufferPointer { self.samples.append(contentsOf: $0) }
    onWrite?(self.samples.count)
  }
  var delayFrameCount: Int64 { 0 }
  func pause() -> Bool { true }
  func resume() {}
  func discard() { discardedAt = samples.count }
  func finish() {}
}
