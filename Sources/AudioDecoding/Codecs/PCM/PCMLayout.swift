internal import CSndFile
import MediaModel

/// Where a file of PCM (or of a codec that libsndfile decodes) has its samples, and what its header says about them.
struct PCMLayout {
  /// The whole container, for formats that libsndfile parses itself.
  var whole: Range<Int64>
  /// The audio data, as far as the file has it.
  var data: Range<Int64>
  /// What version 1 of the stream's hash takes for the data, if that is more: in a file whose header leaves the length
  /// open it includes what taggers have appended.
  var longerData: Range<Int64>?
  /// What the data is, if it is no samples but frames or packets of a codec: MPEG audio, DTS and AC-3 in WAV, AAC and
  /// ALAC in CAF. Known when the file was opened.
  var stream: Packed?
  /// Whether earlier versions took the stream for samples.
  var isCodedLate = false
  /// Why nothing decodes the packets; nil if there is no more to say than that there is no decoder.
  var obstacle: DecodingError?
  /// What a decoder of ALAC must know besides rate and channels.
  var alacConfiguration: [UInt8]?
  /// nil for codecs without a name in ``Codec``; `codecName` says what it is.
  var codec: Codec?
  var codecName: String
  var sampleRateInHz: Int
  var channelCount: Int
  /// dwChannelMask, if the header has one.
  var channelMask: UInt32?
  var bitsPerSample: Int?
  /// Bytes of one frame of all channels; 0 for compressed formats.
  var bytesPerFrame = 0
  /// Frames of one block of formats that are compressed block by block; 0 for others.
  var framesPerBlock = 0
  /// Bytes of such a block; 0 if they are not known.
  var bytesPerBlock = 0
  /// libsndfile's number for headerless samples of this kind; nil if the library must parse the container.
  var rawFormat: Int32?
  /// nil if the header leaves the length open.
  var declaredFrameCount: Int64?
  /// A contradiction in the header, in spite of which the audio is decoded.
  var problem: Problem?
  var notes: [String] = []

  /// A stream in the data, and its bytes.
  struct Packed {
    let layout: any StreamLayout
    let byteCount: Int64
  }

  /// How the bytes of the data are read, in any container: the same bytes are another recording in another format.
  ///
  /// The loudspeakers are part of it unless they are the usual ones.
  var reading: String {
    let mask = AudioFormat(
      sampleRateInHz: max(sampleRateInHz, 1), channelCount: max(channelCount, 1), channelMask: channelMask
    ).unusualMask
    return "\(codec?.rawValue ?? codecName) \(sampleRateInHz) \(channelCount) \(bytesPerFrame) \(framesPerBlock) "
      + "\(rawFormat ?? 0)" + (mask.map { " \($0)" } ?? "")
  }

  init(whole: Range<Int64>, data: Range<Int64>, sampleRateInHz: Int, channelCount: Int) {
    self.whole = whole
    self.data = data
    self.sampleRateInHz = sampleRateInHz
    self.channelCount = channelCount
    codecName = "unknown"
  }

  /// What version 1 of the stream's hash has of the data.
  var formerData: Range<Int64> { longerData ?? data }

  var isMPEG: Bool { rawFormat == nil && (codec == .mp2 || codec == .mp3) }

  /// Whether there is a decoder.
  var isDecodable: Bool {
    if rawFormat != nil || stream != nil { return true }
    return switch codec {
    case .imaADPCM, .msADPCM, .gsm610, .alac: true
    default: false
    }
  }

  /// What the header contradicts: itself, or the length of the data.
  var ownProblem: Problem? {
    if let problem { return problem }
    guard bytesPerFrame > 0, let declaredFrameCount else { return nil }
    let count = (data.upperBound - data.lowerBound) / Int64(bytesPerFrame)
    guard count < declaredFrameCount else { return nil }
    return .truncated(frameCount: count, declaredFrameCount: declaredFrameCount, sampleRateInHz: sampleRateInHz)
  }

  /// The frames of formats that are compressed block by block, if the header cuts the last blocks; nil if it does not.
  var cutFrameCount: Int64? {
    guard framesPerBlock > 0, bytesPerBlock > 0, let declaredFrameCount else { return nil }
    let byteCount = data.upperBound - data.lowerBound
    let whole = (byteCount + Int64(bytesPerBlock) - 1) / Int64(bytesPerBlock) * Int64(framesPerBlock)
    return isCut(declaredFrameCount, whole: whole) ? declaredFrameCount : nil
  }

  /// Whether the encoder had to pad its last block, or added one that is all padding.
  func isCut(_ declaredFrameCount: Int64, whole: Int64) -> Bool {
    (1..<2 * Int64(max(1, framesPerBlock))).contains(whole - declaredFrameCount)
  }

  /// The data, cut to whole frames.
  var alignedData: Range<Int64> {
    guard bytesPerFrame > 0 else { return data }
    let count = (data.upperBound - data.lowerBound) / Int64(bytesPerFrame) * Int64(bytesPerFrame)
    return data.lowerBound..<data.lowerBound + count
  }

  /// Whether the samples are integers, or become integers when libsndfile decodes them.
  var isInteger: Bool {
    switch codec {
    case .pcmU8, .pcmS8, .pcmS16, .pcmS24, .pcmS32: true
    case .aLaw, .muLaw, .imaADPCM, .msADPCM, .gsm610, .alac: true
    default: false
    }
  }

  /// Sets the codec to PCM with a sample width of whole bytes.
  mutating func setPCM(bitsPerSample bits: Int, isFloat: Bool, isUnsigned8: Bool, isBigEndian: Bool)
    throws(DecodingError)
  {
    let width = (bits + 7) / 8
    let kind: (Codec, Int)
    switch (isFloat, width) {
    case (false, 1): kind = isUnsigned8 ? (.pcmU8, SF_FORMAT_PCM_U8) : (.pcmS8, SF_FORMAT_PCM_S8)
    case (false, 2): kind = (.pcmS16, SF_FORMAT_PCM_16)
    case (false, 3): kind = (.pcmS24, SF_FORMAT_PCM_24)
    case (false, 4): kind = (.pcmS32, SF_FORMAT_PCM_32)
    case (true, 4): kind = (.pcmF32, SF_FORMAT_FLOAT)
    case (true, 8): kind = (.pcmF64, SF_FORMAT_DOUBLE)
    default: throw .impossibleHeader("the header gives \(bits) bits per sample")
    }
    codec = kind.0
    bitsPerSample = bits
    setRaw(kind.1, bytesPerSample: width, isBigEndian: isBigEndian)
  }

  /// Sets the codec to A-law or µ-law.
  mutating func setLaw(_ law: Codec) {
    codec = law
    bitsPerSample = 8
    setRaw(law == .aLaw ? SF_FORMAT_ALAW : SF_FORMAT_ULAW, bytesPerSample: 1, isBigEndian: false)
  }

  private mutating func setRaw(_ subtype: Int, bytesPerSample: Int, isBigEndian: Bool) {
    bytesPerFrame = bytesPerSample * channelCount
    rawFormat = Int32(SF_FORMAT_RAW | subtype | (isBigEndian ? SF_ENDIAN_BIG : SF_ENDIAN_LITTLE))
  }

  /// A sample rate that the header gives as a floating-point number.
  static func integerRate(_ rate: Double) throws(DecodingError) -> Int {
    guard rate.isFinite, rate >= 0.5, rate < 1e12 else {
      throw .impossibleHeader("the header gives a sample rate of \(rate) Hz")
    }
    return Int(rate.rounded())
  }

  /// Throws if the sample rate or the channel count is impossible; the error names the field.
  func checkShape() throws(DecodingError) {
    _ = try AudioFormat.checked(
      sampleRateInHz: sampleRateInHz, channelCount: channelCount, sampleEncoding: .integer)
  }

  func mediaFormat(container: Container, format: AudioFormat, declaredFrameCount: Int64?) -> MediaFormat {
    var bitRate: Int?
    if bytesPerFrame > 0 {
      bitRate = bytesPerFrame * 8 * format.sampleRateInHz
    } else if let declaredFrameCount, declaredFrameCount > 0 {
      let bits = Double(data.upperBound - data.lowerBound) * 8
      bitRate = Int((bits * Double(format.sampleRateInHz) / Double(declaredFrameCount)).rounded())
    }
    return MediaFormat(
      container: container, codec: codec, sampleRateInHz: format.sampleRateInHz, channelCount: format.channelCount,
      bitsPerSample: bitsPerSample, bitRateInBitsPerSecond: bitRate, declaredFrameCount: declaredFrameCount)
  }
}
