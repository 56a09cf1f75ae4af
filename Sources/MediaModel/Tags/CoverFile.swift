package import Base

/// Pictures beside sound files whose names say that they are the cover.
package enum CoverFile {
  /// Larger ones are not read.
  package static let largestByteCount = 30 << 20

  private static let stems = ["cover", "folder", "front", "album"]
  private static let extensions = ["jpg", "jpeg", "png", "webp", "avif", "gif", "bmp", "jfif"]

  /// The place of a name among those that a cover can have, in any case: of several files in a folder the one with the least is the
  /// cover. `cover.jpg` has 0, `cover.jpeg` 1, `folder.jpg` 8.
  ///
  /// - Returns: nil for other names.
  package static func rank(ofName name: BytePath) -> Int? {
    // The rest of the name is compared last: nearly no file is a picture.
    guard let ending = extensions.firstIndex(of: name.pathExtension),
      let stem = stems.firstIndex(of: name.lastComponent.stem.displayString.lowercased())
    else { return nil }
    return stem * extensions.count + ending
  }
}
