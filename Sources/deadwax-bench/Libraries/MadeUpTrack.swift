internal import Glibc
internal import MediaModel
internal import MediaStore

/// A file as a scan would find it, without any sound: names, tags and measures as music has them.
struct MadeUpTrack {
  let record: FileRecord

  init(
    _ number: Int, on disc: Int, index: Int, of album: MadeUpAlbum, rootID: Int64, _ vocabulary: Vocabulary,
    _ random: inout BenchRandom
  ) {
    let title = vocabulary.phrase(1...5, album.script, &random)
    let artist = album.isCompilation ? vocabulary.phrase(1...3, album.script, &random) : album.artist
    let seconds = max(8, exp(random.normal(log(230), 0.45)))
    let frames = Int64(seconds * Double(album.codec.sampleRateInHz))
    var extraction = Extraction(state: .ok)
    // One sound in a hundred lies in two files.
    let sound = index.isMultiple(of: 100) && index > 0 ? index - 1 : index
    extraction.payloadHash = ContentHash(high: 0xBE7C_0000, low: UInt64(sound))
    extraction.payloadByteCount = Int64(seconds * Double(album.codec.bitRate) / 8)
    extraction.format = MediaFormat(
      container: album.codec.container, codec: album.codec.codec, sampleRateInHz: album.codec.sampleRateInHz,
      channelCount: random.isTrue(0.03) ? 1 : 2, bitsPerSample: album.codec.bits,
      bitRateInBitsPerSecond: album.codec.bitRate + random.number(0...40_000), declaredFrameCount: frames,
      decodedFrameCount: frames)
    extraction.tags = Self.tags(title, artist, number, disc, album, &random)
    extraction.measures = Self.measures(album, &random)
    extraction.products = Self.products(album, &random)
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
      byteCount: (extraction.payloadByteCount ?? 0) + 48_000, modificationTimeInNanoseconds: added * 1_000_000_000,
      changeTimeInNanoseconds: added * 1_000_000_000, inode: UInt64(index) + 1_000, device: 1)
    record = FileRecord(
      rootID: rootID, path: BytePath(path), status: status, extraction: extraction, extractorVersion: 1)
  }

  private static func name(_ text: String) -> String { text.replacing("/", with: "_") }

  private static func tags(
    _ title: String, _ artist: String, _ number: Int, _ disc: Int, _ album: MadeUpAlbum, _ random: inout BenchRandom
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

  private static func measures(_ album: MadeUpAlbum, _ random: inout BenchRandom) -> Measures {
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

  /// The spectrum's bands as they would be; of everything else a few bytes.
  private static func products(_ album: MadeUpAlbum, _ random: inout BenchRandom) -> [Product] {
    let tilt = random.normal(-0.35, 0.1)
    let bands = (0..<SpectrumBands.standard.count).map { Float(album.loudness - 12 + tilt * Double($0)) }
    let spectrum = SpectrumSummary(
      sampleRateInHz: album.codec.sampleRateInHz,
      mix: SpectrumSummary.Levels(meanInDB: bands, maximumInDB: bands.map { $0 + 15 }), channels: [],
      bins: SpectrumSummary.Levels(meanInDB: [], maximumInDB: []))
    return ProductRecipe.current.filter { $0.kind != .measures }.map { recipe in
      Product(
        kind: recipe.kind, version: recipe.version, parameters: recipe.parameters,
        bytes: recipe.kind == .spectrum ? spectrum.blob : [0, 1, 2, 3, 4, 5, 6, 7])
    }
  }
}
