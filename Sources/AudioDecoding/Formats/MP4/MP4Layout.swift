internal import MediaModel

/// What an MP4 file says about its audio track, and where its media data is (ISO 14496-12).
struct MP4Layout {
  private static let maximumFragmentCount = 2_000_000

  /// The contents of the media data boxes, in the order of the file.
  private(set) var mediaData: [Range<Int64>] = []
  /// Fragments of the movie, in the order of the file.
  private(set) var fragments: [MP4Box] = []
  private(set) var content: SniffedContent = .audio(.mp4, nil, name: "no audio track")
  /// The first enabled audio track, or else the first one; nil if there is none.
  private(set) var track: MP4Track?
  private(set) var hasVideo = false

  init(_ bytes: BufferedBytes, start: Int64 = 0) throws(DecodingError) {
    var movie: Range<Int64>?
    // A movie may have a fragment for each packet.
    try MP4Box.forEachInFile(bytes, from: start) { box in
      if box.isType("mdat") { mediaData.append(box.body) }
      if box.isType("moof") { fragments.append(box) }
      if box.isType("moov"), movie == nil { movie = box.body }
      return fragments.count < Self.maximumFragmentCount && mediaData.count < Self.maximumFragmentCount
    }
    guard let movie else {
      content = .audio(.mp4, nil, name: "no movie box")
      return
    }
    for box in try MP4Box.boxes(bytes, in: movie) where box.isType("trak") {
      if try MP4Track.isVideo(bytes, body: box.body) { hasVideo = true }
      guard track?.isEnabled != true, let found = try MP4Track(bytes, body: box.body, movie: movie) else { continue }
      if track == nil || found.isEnabled { track = found }
    }
    if let track { content = Self.describe(track.description) }
  }

  /// `video` if the file has more than sound.
  var notes: [String] { hasVideo ? ["video"] : [] }

  private static func describe(_ description: MP4SampleDescription) -> SniffedContent {
    switch description.type {
    case "drms", "enca": return .audio(.mp4, .aac, name: "protected AAC", isProtected: true)
    case "": return .audio(.mp4, nil, name: "no sample description")
    default: return .audio(.mp4, description.codec, name: description.displayName)
    }
  }
}

/// How the samples of a track are encoded: the first entry of its sample description box.
struct MP4SampleDescription {
  private static let maximumByteCount = 17 << 20
  /// The boxes behind the fields that every audio entry has.
  private static let headByteCount = 36

  /// Four characters; empty if there is no description.
  let type: String
  /// The object type of the stream (ISO 14496-1 section 7.2.6.6), and the configuration of its decoder.
  let streamObjectType: UInt8?
  let decoderConfiguration: [UInt8]
  private let entry: [UInt8]

  /// As the description says; of version 2 in fields of its own (QuickTime File Format).
  var sampleRateInHz: Int {
    if version == 2 {
      let rate = entry.bigEndian(UInt64.self, at: 40).map { Double(bitPattern: $0) } ?? 0
      return (1...1e7).contains(rate) ? Int(rate) : 0
    }
    return Int(entry.bigEndian(UInt32.self, at: 32) ?? 0) >> 16
  }
  var channelCount: Int {
    version == 2
      ? Int(clamping: entry.bigEndian(UInt32.self, at: 48) ?? 0) : Int(entry.bigEndian(UInt16.self, at: 24) ?? 0)
  }
  var bitsPerSample: Int {
    version == 2
      ? Int(clamping: entry.bigEndian(UInt32.self, at: 56) ?? 0) : Int(entry.bigEndian(UInt16.self, at: 26) ?? 0)
  }
  /// Of linear PCM: 1 for floats, 2 for the highest byte first, 4 for signed integers.
  var linearFlags: UInt32 { version == 2 ? entry.bigEndian(UInt32.self, at: 60) ?? 0 : 4 }
  private var version: UInt16 { entry.bigEndian(UInt16.self, at: 16) ?? 0 }

  init(_ bytes: BufferedBytes, body: Range<Int64>) throws(DecodingError) {
    let count = try bytes.bigEndian(UInt32.self, at: body.lowerBound + 8).map { min(Int($0), Self.maximumByteCount) }
    let available = max(0, body.upperBound - body.lowerBound - 8)
    // FLAC may have its pictures in it.
    entry = try bytes.file.bytes(at: body.lowerBound + 8, count: Int(min(Int64(count ?? 0), available)))
    type = entry.count >= 8 ? String(decoding: entry[4..<8], as: UTF8.self) : ""
    let entry = entry
    let mark = Self.place(of: "esds", in: entry, from: Self.headByteCount)
    // A version and flags come first.
    let stream = mark.flatMap { ElementaryStream(entry.dropFirst($0 + 8)) }
    streamObjectType = stream?.objectType
    decoderConfiguration = stream?.decoderConfiguration ?? []
  }

  /// Of MPEG-4 audio (ISO 14496-3 section 1.5.1.1); nil for other streams.
  var audioObjectType: Int? {
    streamObjectType == 0x40 ? AudioSpecificConfig(decoderConfiguration)?.objectType : nil
  }

  /// The body of a box in the entry, or in a `wave` box in it, as QuickTime has it.
  func box(_ name: StaticString) -> [UInt8]? {
    // QuickTime's `frma` has the same letters, but no length before them.
    var start = Self.headByteCount
    while let mark = Self.place(of: name, in: entry, from: start) {
      start = mark + 1
      guard let size = entry.bigEndian(UInt32.self, at: mark - 4), size >= 8, mark - 4 + Int(size) <= entry.count else {
        continue
      }
      return Array(entry[(mark + 4)..<(mark - 4 + Int(size))])
    }
    return nil
  }

  /// Where a name is that has something behind it.
  private static func place(of name: StaticString, in entry: [UInt8], from start: Int) -> Int? {
    entry.withUnsafeBytes { entry in
      let first = name.utf8Buffer.first
      return (min(start, entry.count)..<max(start, entry.count - 4)).first {
        entry[$0] == first && entry.has(name, at: $0)
      }
    }
  }
}
