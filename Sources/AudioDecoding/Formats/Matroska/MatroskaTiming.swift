import MediaModel

extension MatroskaPackets {
  /// Frames before and behind the recording.
  fileprivate func ends(sampleRateInHz rate: Int) -> (start: Int64, end: Int64) {
    (
      MatroskaTrack.frameCount(nanoseconds: track.codecDelay, sampleRateInHz: rate),
      MatroskaTrack.frameCount(nanoseconds: discardPadding, sampleRateInHz: rate)
    )
  }

  /// Of frames of MPEG audio; nil if the file does not say it.
  func trimming(sampleRateInHz rate: Int, frameCountPerPacket: Int) -> Trimming? {
    let (start, end) = ends(sampleRateInHz: rate)
    return start == 0 && end == 0 ? nil : Trimming(skippedFrameCount: start, droppedFrameCount: end)
  }
}

extension PacketTrack {
  /// Of a Matroska file.
  init(_ packets: MatroskaPackets, form: PacketForm, notes: [String], bytes: BufferedBytes) throws(DecodingError) {
    try self.init(packets, container: .matroska, codec: form.codec, bytes: bytes)
    self.notes = notes
    outputGain = form.outputGain
    let rate = sampleRateInHz
    let (start, padding) = packets.ends(sampleRateInHz: rate)
    // The codec knows better than a time.
    let delay = form.delayFrameCount.map { Int64($0) } ?? start
    if delay > 0 || form.delayFrameCount != nil { delayFrameCount = Int(delay) }
    skippedFrameCount = min(delay, frameCount)
    frameCount = max(0, frameCount - skippedFrameCount - padding)
    if padding > 0, !packets.isCutAtEnd { declaredFrameCount = frameCount }
    let frameCountPerPacket = frameCountPerPacket
    ownProblem = packets.problem { place in
      let frame = packets.places == nil ? place.packetNumber * frameCountPerPacket : place.firstFrame
      return Double(max(0, frame - delay)) / Double(max(1, rate))
    }
  }
}
