import MediaModel

/// How the packets of a track become sound, whichever container holds them.
enum TrackForm {
  /// A decoder gets packet by packet.
  case packets(PacketForm)
  /// One behind another they are read as a file of their own.
  case joined(JoinedForm)

  /// What samples the packets are; nil if they are none.
  var samples: JoinedForm.Samples? { if case .joined(let form) = self { form.samples } else { nil } }
}

/// How packets are read as a file of their own.
struct JoinedForm {
  /// Of packets that are samples: any number of them may be read at once.
  struct Samples {
    let codec: Codec?
    let bytesPerFrame: Int
  }

  /// Finds the stream; nil if the packets do not hold it.
  ///
  /// - Parameter trimming: what the container says, for packets that say nothing about their ends.
  typealias Opening = (
    _ bytes: BufferedBytes, _ hashers: StreamHashers?, _ trimming: Trimming.Source
  ) throws(DecodingError) -> (any StreamLayout)?

  /// What the file begins with, such as the headers of FLAC.
  var head: [UInt8] = []
  var samples: Samples?
  let open: Opening
}

/// What a container says about the ends of a track: frames of the decode before and behind the recording.
struct Trimming: Hashable {
  /// nil if the container does not say it. Some state it in packets or in time.
  typealias Source = (_ sampleRateInHz: Int, _ frameCountPerPacket: Int) -> Trimming?

  var skippedFrameCount: Int64
  var droppedFrameCount: Int64
}
