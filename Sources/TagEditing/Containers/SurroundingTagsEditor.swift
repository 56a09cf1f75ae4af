import AudioDecoding
internal import MediaModel

/// The tags before and behind the sound of a file: ID3v2, APE and ID3v1.
///
/// The one that counts first gets all changes; the others only change what they have, so that they do not contradict it.
struct SurroundingTagsEditor {
  let file: BufferedBytes
  /// The kind of tag that gets what the file does not have yet: ID3v2 or APE; nil if another tag does.
  let main: RawTag.Kind?
  /// What all tags of the file say together.
  let known: Tags
  var allowsLatin1 = true
  /// Whether a tag may stand behind other bytes.
  var skipsJunk = false

  func splices(_ edit: TagEdit) throws(TagEditRefusal) -> [Splice] {
    let (file, skipsJunk) = (file, skipsJunk)
    let (tags, bounds) = try reading { () throws(DecodingError) in
      (try SurroundingTags(file, skipsJunk: skipsJunk).tags, try TagBounds(file))
    }
    let target = target(among: tags)
    var splices: [Splice] = []
    for (index, tag) in tags.enumerated() {
      // Of two tags of a kind the first one counts.
      let adds = target == tag.kind && !tags[..<index].contains { $0.kind == tag.kind }
      switch tag.kind {
      case .id3v2: splices += try ID3v2TagEditor(tag, of: file, allowsLatin1: allowsLatin1).splices(edit, adds: adds)
      case .ape: splices += try APEWriter.splices(tag, edit, adds: adds)
      case .id3v1:
        try refuseExtension(of: tag)
        splices += try ID3v1Writer.splices(tag, edit)
      default: break
      }
    }
    guard let target, !tags.contains(where: { $0.kind == target }) else { return splices }
    if target == .id3v2, try ID3v2TagEditor.tag(edit) != nil, let new = try ID3v2TagEditor.tag(edit.filled(with: known))
    {
      splices.append(Splice(insert: new, at: 0))
    }
    if target == .ape, try APEWriter.tag(edit) != nil, let new = try APEWriter.tag(edit.filled(with: known)) {
      splices.append(Splice(insert: new, at: bounds.audio.upperBound))
    }
    return splices
  }

  /// A file that has only a tag of the other kind keeps to it: a new one with one property would hide the others from
  /// programs that read the first tag only.
  private func target(among tags: [RawTag]) -> RawTag.Kind? {
    guard let main, !tags.contains(where: { $0.kind == main }) else { return main }
    let other: RawTag.Kind = main == .ape ? .id3v2 : .ape
    return tags.contains { $0.kind == other } ? other : main
  }

  private func refuseExtension(of tag: RawTag) throws(TagEditRefusal) {
    let hasExtension = try reading { () throws(DecodingError) in
      try file.matches("TAG+", at: tag.range.lowerBound - 227)
    }
    if hasExtension { throw .unsafe("the ID3v1 tag has an extension, TAG+") }
  }
}
