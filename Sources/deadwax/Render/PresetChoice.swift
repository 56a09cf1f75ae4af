internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// Through which preset a track is rendered.
enum PresetChoice: Sendable {
  /// The one that applies to the track.
  case assigned
  /// The same for all.
  case chain(EffectChain)

  /// - Parameter text: The name of a preset, or the path of a file of ours: it ends in `.json`.
  init(_ text: String?, in store: MediaStore) throws {
    guard let text else {
      self = .assigned
      return
    }
    guard text.hasSuffix(".json") else {
      self = .chain(try store.preset(named: text).preset().chain)
      return
    }
    do {
      self = .chain(try Preset(json: InputFile.bytes(of: BytePath(argument: text))).chain)
    } catch let error as InputFile.Failure {
      throw ValidationError("--preset: \(error)")
    } catch {
      throw ValidationError("--preset: \(text): \(error)")
    }
  }

  func chain(for track: TrackReference, in store: MediaStore) throws -> EffectChain {
    switch self {
    case .chain(let chain): return chain
    case .assigned:
      let resolution = try store.presetResolution(ofRecording: track.recordingID, preferring: track.files.first)
      guard let name = resolution.presetName else { return .neutral }
      return try store.preset(named: name).preset().chain
    }
  }
}
