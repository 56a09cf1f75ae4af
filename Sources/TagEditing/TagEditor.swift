package import AudioDecoding
package import MediaModel

/// Finds out how the tags of a file have to be changed.
///
/// It reads the descriptor only. Formats without an editor, tags that are damaged, and what is not safe are refused; so is
/// every plan after which our own readers would read anything else than what was asked for.
package enum TagEditor {
  /// Whether there is an editor for the tags of files of this container.
  package static func canEdit(_ container: Container) -> Bool {
    [.flac, .mpeg, .mp4, .ogg, .wav, .aiff, .adts, .trueAudio, .wavpack, .musepack].contains(container)
  }

  /// - Parameters:
  ///   - descriptor: of a regular file, open for reading.
  ///   - byteCount: the length of the file.
  ///   - onRead: called several times a megabyte, because the whole file is read twice: as it is, and as it would be.
  package static func plan(
    _ edit: TagEdit, descriptor: Int32, byteCount: Int64, onRead: () -> Void = {}
  ) throws(TagEditRefusal) -> ReversiblePlan {
    try plan(edit, BufferedBytes(FileBytes(descriptor: descriptor, byteCount: byteCount)), onRead: onRead)
  }

  static func plan(
    _ edit: TagEdit, _ file: BufferedBytes, onRead: () -> Void = {}
  ) throws(TagEditRefusal) -> ReversiblePlan {
    let content = try reading { () throws(DecodingError) in try MediaFile(file).content }
    guard content.kind == .audio, let container = content.container else { throw .format(content.name) }
    guard canEdit(container) else { throw .format(container.displayName) }
    if content.isProtected { throw .unsafe("the file is encrypted") }
    let before = try FileReading(file, onRead: onRead)
    let edit = edit.settled(in: before.tags.tags, of: container)
    // The stream has to be the same before and after the edit.
    if let obstacle = before.obstacle { throw .unsafe("its stream is not known (\(obstacle.problem.reason))") }
    var refusal = TagEditRefusal.format(container.displayName)
    // Latin-1 that looks like another code page is written as Unicode instead.
    for allowsLatin1 in [true, false] {
      let splices = try splices(edit, known: before.tags.tags, file, content, container, allowsLatin1: allowsLatin1)
      let plan = try ReversiblePlan(splices, of: file, stream: before.stream)
      let after =
        plan.plan.isEmpty ? before : try FileReading(PlannedBytes(plan.plan, of: file.file).buffered, onRead: onRead)
      guard let difference = difference(edit, before, after) else { return plan }
      refusal = .contradicted(property: difference.property, difference.text)
    }
    throw refusal
  }

  /// - Parameter known: what all tags of the file say together.
  private static func splices(
    _ edit: TagEdit, known: Tags, _ file: BufferedBytes, _ content: SniffedContent, _ container: Container,
    allowsLatin1: Bool
  ) throws(TagEditRefusal) -> [Splice] {
    func surrounding(_ main: RawTag.Kind?, skipsJunk: Bool = false) throws(TagEditRefusal) -> [Splice] {
      try SurroundingTagsEditor(
        file: file, main: main, known: known, allowsLatin1: allowsLatin1, skipsJunk: skipsJunk
      ).splices(edit)
    }
    switch container {
    case .flac: return try FLACEditor.splices(file, edit, known: known) + surrounding(nil)
    case .mpeg: return try surrounding(.id3v2, skipsJunk: true)
    case .mp4: return try MP4Editor.splices(file, edit, known: known)
    case .ogg: return try OggEditor.splices(file, edit) + surrounding(nil)
    case .wav, .aiff:
      return try ChunkEditor.splices(
        file, edit, known: known, isAIFF: container == .aiff, allowsLatin1: allowsLatin1) + surrounding(nil)
    case .trueAudio: return try surrounding(.id3v2)
    // Mutagen takes ADTS behind ID3v2 for MP3 and finds nothing in it; Picard and FFmpeg read APE behind it.
    case .wavpack, .musepack, .adts: return try surrounding(.ape)
    default: throw .format(container.displayName)
    }
  }

  // MARK: What the edited file says

  /// In what the file would be read differently than was asked for; nil if in nothing.
  private static func difference(_ edit: TagEdit, _ before: FileReading, _ after: FileReading) -> TagEdit.Difference? {
    func other(_ text: String) -> TagEdit.Difference { TagEdit.Difference(property: nil, text: text) }
    guard after.content == before.content else { return other("it would be \(after.content.name)") }
    guard after.obstacle == nil, after.stream.hash == before.stream.hash,
      after.stream.byteCount == before.stream.byteCount, after.stream.declaration == before.stream.declaration
    else { return other("its stream would change") }
    let tags = edit.difference(before.tags.tags, before.tags.artwork, after: after.tags.tags, after.tags.artwork)
    if let tags { return tags }
    return after.tags.notes.first { !before.tags.notes.contains($0) }.map { other("it would have the note \($0)") }
  }
}

/// What our own readers say of a file.
private struct FileReading {
  let content: SniffedContent
  let stream: StreamIdentity
  /// Why nothing of the stream can be decoded.
  let obstacle: DecodingError?
  let tags: TagReading

  init(_ file: BufferedBytes, onRead: () -> Void) throws(TagEditRefusal) {
    do throws(DecodingError) {
      var media = try MediaFile(file)
      content = media.content
      stream = try media.identify(onRead: onRead)
      obstacle = try media.obstacle()
      tags = try media.readTags(usingLibraries: false)
    } catch { throw .unreadable(error) }
  }
}
