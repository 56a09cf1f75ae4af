internal import Base
internal import Glibc
internal import LibraryScanning
internal import MediaModel

/// A file as a scan would find it, with realistic names, tags and measures, and no audio.
struct SyntheticTrack {
  let record: FileRecord

  init(
    _ number: Int, on disc: Int, index: Int, of album: SyntheticAlbum, rootID: Int64, _ vocabulary: Vocabulary,
    _ landmarks: SyntheticLandmarks?, _ random: inout BenchRandom
  ) {
    let title = vocabulary.phrase(1...5, album.script, &random)
    let artist = album.isCompilation ? vocabulary.phrase(1...3, album.script, &random) : album.artist
    let seconds = max(8, exp(random.normal(log(230), 0.45)))
    let frames = Int64(seconds * Double(album.codec.sampleRateInHz))
    var extraction = Extraction(state: .ok)
    // One recording in a hundred is in two files.
    let recording = index.isMultiple(of: 100) && index > 0 ? index - 1 : index
    let streamByteCount = Int64(seconds * Double(album.codec.bitRate) / 8)
    extraction.stream = StreamIdentity(
      hash: ContentHash(high: 0xBE7C_0000, low: UInt64(recording)), byteCount: streamByteCount)
    // Lossless recordings are known by their samples.
    extraction.decoded = DecodedStream(
      sampleHash: album.codec.codec.isLossless ? ContentHash(high: 0xBE7C_0001, low: UInt64(recording)) : nil)
    extraction.format = MediaFormat(
      container: album.codec.container, codec: album.codec.codec, sampleRateInHz: album.codec.sampleRateInHz,
      channelCount: random.isTrue(0.03) ? 1 : 2, bitsPerSample: album.codec.bits,
      bitRateInBitsPerSecond: album.codec.bitRate + random.number(0...40_000), declaredFrameCount: frames,
      decodedFrameCount: frames)
    extraction.tags = Self.tags(title, artist, number, disc, album, &random)
    extraction.measures = Self.measures(album, &random)
    let sound = landmarks?.next(durationInSeconds: seconds, &random)
    extraction.products = Self.products(album, landmarks: sound, &random)
    if random.isTrue(0.004) {
      extraction.state = .damaged
      extraction.problem = Problem(
        code: "truncated", reason: "\(frames / 2) of \(frames) frames", positionInSeconds: seconds / 2)
    }
    let padded = String(number + 100).dropFirst()
    let folder = "\(Self.name(album.artist))/\(album.year) - \(Self.name(album.title))"
    let path = "\(folder)/\(padded) - \(Self.name(title)).\(album.codec.ending)"
    // A collection grows for twelve years, an album at a time.
    let added = Int64(1_380_000_000 + index / 12 * 380)
    let status = FileStatus(
      byteCount: streamByteCount + 48_000, modificationTimeInNanoseconds: added * 1_000_000_000,
      changeTimeInNanoseconds: added * 1_000_000_000, inode: UInt64(index) + 1_000, device: 1)
    record = FileRecord(
      rootID: rootID, path: BytePath(path), status: status, extraction: extraction, extractorVersion: 1)
  }

  private static func name(_ text: String) -> String { text.replacing("/", with: "_") }

  private static func tags(
    _ title: String, _ artist: String, _ number: Int, _ disc: Int, _ album: SyntheticAlbum, _ random: inout BenchRandom
  ) -> Tags {
    var tags: [String: [String]] = [
      "TITLE": [title], "ARTIST": [artist], "ALBUM": [album.title], "GENRE": album.genres,
      "DATE": [String(album.year)], "TRACKNUMBER": ["\(number)/\(album.trackCount)"], "LABEL": [album.label],
    ]
    if album.isCompilation || random.isTrue(0.6) {
      tags["ALBUMARTIST"] = [album.isCompilation ? "Various Artists" : album.artist]
    }
    if disc > 1 { tags["DISCNUMBER"] = [String(disc)] }
    if let composer = album.composer { tags["COMPOSER"] = [composer] }
    if random.isTrue(0.4) { tags["BPM"] = [String(random.number(60...180))] }
    if random.isTrue(0.1) { tags["COMMENT"] = ["Ripped with care"] }
    if album.hasIDs {
      for name in ["MUSICBRAINZ_TRACKID", "MUSICBRAINZ_ALBUMID"] {
        tags[name] = [String(random.next(), radix: 16) + "-" + String(random.next(), radix: 16)]
      }
    }
    return Tags(tags.map { Tags.Property(name: $0.key, values: $0.value) })
  }

  private static func measures(_ album: SyntheticAlbum, _ random: inout BenchRandom) -> Measures {
    let loudness = max(-50, min(-3, random.normal(album.loudness, 1.2)))
    let peak = min(0.8, random.normal(-0.4, 0.6))
    let rms = random.normal(loudness - 1, 0.5)
    let highest = Double(album.codec.sampleRateInHz) / 2
    return Measures(
      samplePeakInDBFS: min(0, peak), rmsInDBFS: rms, crestInDB: min(0, peak) - rms,
      dcOffset: abs(random.normal(0, 0.02)) / 100,
      clippedSampleCount: peak > 0 ? random.number(0...5_000) : 0,
      leadingSilenceInSeconds: max(0, random.normal(0.2, 0.2)), trailingSilenceInSeconds: max(0, random.normal(1.5, 2)),
      nonFiniteSampleCount: 0, integratedLoudnessInLUFS: loudness,
      loudnessRangeInLU: max(0.5, random.normal(7, 3)), momentaryMaximumInLUFS: loudness + 4,
      shortTermMaximumInLUFS: loudness + 2.5, truePeakInDBTP: peak + 0.2,
      spectralCentroidInHz: max(80, random.normal(1_900, 700)), rolloff85InHz: max(200, random.normal(4_300, 1_500)),
      rolloff95InHz: max(400, random.normal(8_900, 2_200)), spectralFlatness: abs(random.normal(0.04, 0.02)),
      cutoffInHz: min(highest, random.normal(album.codec.cutoffInHz ?? min(highest, 21_500), 250)),
      cutoffConfidence: album.codec.cutoffInHz == nil ? 0.1 : 1)
  }

  /// A spectrum with plausible bands, statistics about which nothing is plausible, the shortest fingerprint, and a few
  /// bytes of every other product.
  private static func products(
    _ album: SyntheticAlbum, landmarks: Landmarks?, _ random: inout BenchRandom
  ) -> [Product] {
    let tilt = random.normal(-0.35, 0.1)
    let bands = (0..<SpectrumBands.standard.count).map { Float(album.loudness - 12 + tilt * Double($0)) }
    let spectrum = SpectrumSummary(
      sampleRateInHz: album.codec.sampleRateInHz,
      mix: SpectrumSummary.Levels(meanInDB: bands, maximumInDB: bands.map { $0 + 15 }), channels: [],
      bins: SpectrumSummary.Levels(meanInDB: [], maximumInDB: []))
    return ProductRecipe.current.filter { $0.kind != .measures }.map { recipe in
      let bytes: [UInt8] =
        switch recipe.kind {
        case .spectrum: spectrum.blob
        case .landmarks: landmarks?.blob ?? Landmarks(columnCount: 0, peaks: []).blob
        // Algorithm 1, one word without set bits.
        case .fingerprint: [1, 0, 0, 1, 0]
        case .similarity: SimilarityStatistics((0..<SimilarityStatistics.count).map { _ in Float(random.unit()) }).blob
        default: [0, 1, 2, 3, 4, 5, 6, 7]
        }
      return Product(kind: recipe.kind, version: recipe.version, parameters: recipe.parameters, bytes: bytes)
    }
  }
}

/// What the tracks of one album share.
struct SyntheticAlbum {
  static let genres = [
    "Rock", "Pop", "Jazz", "Electronic", "Classical", "Hip Hop", "Folk", "Ambient", "Metal", "Soul", "Techno", "House",
    "Reggae", "Blues", "Latin", "Soundtrack", "Drum & Bass", "Country", "Punk", "Opera", "Spoken Word",
  ]

  var artist: String
  var title: String
  var year: Int
  var genres: [String]
  var label: String
  var composer: String?
  var codec: SyntheticCodec
  var script: Vocabulary.Script
  var trackCount: Int
  /// How loud music of that year was mastered, in LUFS.
  var loudness: Double
  var isCompilation: Bool
  var hasIDs: Bool

  init(by artist: String, _ script: Vocabulary.Script, _ vocabulary: Vocabulary, _ random: inout BenchRandom) {
    self.artist = artist
    self.script = script
    title = vocabulary.phrase(1...4, script, &random)
    year = 2024 - min(75, Int(abs(random.normal(0, 20))))
    genres = [Self.genres[random.rank(below: Self.genres.count)]]
    if random.isTrue(0.25) { genres.append(random.pick(Self.genres)) }
    label = vocabulary.phrase(1...2, .latin, &random) + " Records"
    composer = random.isTrue(0.3) ? vocabulary.phrase(2...2, script, &random) : nil
    codec = SyntheticCodec(&random)
    trackCount = random.number(6...18)
    loudness = random.normal(year > 1994 ? -9.5 : -14.5, 2)
    isCompilation = random.isTrue(0.04)
    hasIDs = random.isTrue(0.4)
  }
}

/// A codec with its usual container, extension, sample rate and bit rate.
struct SyntheticCodec {
  var codec: Codec
  var container: Container
  var ending: String
  var sampleRateInHz: Int
  var bits: Int?
  var bitRate: Int
  /// The encoder removes everything above; nil for lossless codecs.
  var cutoffInHz: Double?

  init(_ random: inout BenchRandom) {
    let unit = random.unit()
    if unit < 0.45 {
      let rate = random.pick([128, 160, 192, 256, 320, 320])
      self.init(.mp3, .mpeg, "mp3", 44_100, nil, rate * 1_000, [128: 16_000, 160: 17_500, 192: 18_600][rate] ?? 20_000)
    } else if unit < 0.8 {
      let isHigh = random.isTrue(0.15)
      self.init(.flac, .flac, "flac", isHigh ? 96_000 : 44_100, isHigh ? 24 : 16, isHigh ? 2_900_000 : 930_000, nil)
    } else if unit < 0.9 {
      self.init(.vorbis, .ogg, "ogg", 44_100, nil, 192_000, 19_000)
    } else if unit < 0.97 {
      self.init(.opus, .ogg, "opus", 48_000, nil, 128_000, 20_000)
    } else {
      self.init(.pcmS16, .wav, "wav", 44_100, 16, 1_411_200, nil)
    }
  }

  private init(
    _ codec: Codec, _ container: Container, _ ending: String, _ rate: Int, _ bits: Int?, _ bitRate: Int,
    _ cutoff: Double?
  ) {
    self.codec = codec
    self.container = container
    self.ending = ending
    sampleRateInHz = rate
    self.bits = bits
    self.bitRate = bitRate
    cutoffInHz = cutoff
  }
}
