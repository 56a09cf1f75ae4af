package import LibraryTracks
package import MediaStore
package import UserData

extension Decisions {
  /// The recordings in files that are there that surely are the same as one without a file, from start to end: the most alike
  /// first, then by id.
  ///
  /// Fingerprints find them, but know only the first two minutes; what is stored of the levels and spectra of both tells
  /// whether one of them is silent somewhere, or goes on with something else. Another equalization does not matter.
  package func successors(of orphan: OrphanedRecording) throws -> [LikelyRecording] {
    let likely = try likely(for: orphan)
    guard !likely.isEmpty, let orphan = try orphan.recordingID.flatMap({ try sound(ofRecording: $0) }) else {
      return []
    }
    return try likely.filter { candidate in
      guard let found = try sound(ofRecording: candidate.recordingID) else { return false }
      let offset = candidate.offsetInSeconds
      return SoundComparison(keeping: found, removing: orphan, near: offset).isSameMusic
        && SoundComparison(keeping: orphan, removing: found, near: -offset).isSameMusic
    }
  }

  private func sound(ofRecording id: Int64) throws -> StoredSound? {
    try store.recordings.recording(id: id).flatMap { try StoredSound(ofRecording: $0, in: store) }
  }
}

extension SoundComparison {
  /// Whether everything of the other one is in the kept one, perhaps filtered, compressed or in fewer channels.
  fileprivate var isSameMusic: Bool { differences.allSatisfy { [.tone, .dynamics, .channel].contains($0) } }
}
