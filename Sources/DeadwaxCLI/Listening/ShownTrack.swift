internal import Base
internal import LibraryTracks
internal import MediaDrawing
internal import MediaModel
internal import MediaPlaying
internal import MediaRendering
internal import MediaStore

/// What the screen shows of one track, read once.
struct ShownTrack {
  let track: PlayedTrack
  let parts: [PlayerScene.Mark]
  let damage: [Double]
  private let peaks: WaveformPeaks?
  private let energy: WaveformEnergy?

  /// Nothing is decoded for it: without stored products there is no waveform.
  init(_ track: PlayedTrack, in store: MediaStore) {
    self.track = track
    let source = track.source
    let reference = source.track
    let length = Double(max(1, track.frames.count))
    let numbered = (try? reference.fileDetails.first.map { try store.files.parts(ofFile: $0.id) }) ?? []
    parts = numbered.filter { track.frames.contains($0.part.frames.lowerBound) && track.frames != $0.part.frames }.map {
      PlayerScene.Mark(
        place: Double($0.part.frames.lowerBound - track.frames.lowerBound) / length, label: $0.label)
    }
    let start = Double(track.frames.lowerBound) / Double(track.sampleRateInHz)
    damage = reference.fileDetails.compactMap { $0.problem?.positionInSeconds }
      .map { ($0 - start) / track.durationInSeconds }.filter { (0...1).contains($0) }
    let waveform = try? TrackWaveform(of: source, in: store)
    peaks = waveform?.inventory.mix == nil ? nil : try? waveform?.peaks(for: .storedMix)
    energy = (try? waveform?.energy()) ?? nil
  }

  func waveform(width: Int, height: Int, _ capabilities: TerminalCapabilities) -> PlayerWaveform? {
    peaks.map { PlayerWaveform($0, energy: energy, width: width, height: height, capabilities) }
  }

  var title: String { track.title ?? track.source.track.files.first?.lastComponent.displayString ?? "" }
}

extension PlayerScene {
  /// Takes over what does not change while a track is heard.
  mutating func show(_ shown: ShownTrack) {
    title = shown.title
    artist = shown.track.artist ?? ""
    durationInSeconds = shown.track.durationInSeconds
    parts = shown.parts
    damage = shown.damage
  }
}
