package import MediaModel

/// All that the library knows of one recording, but for the bytes of its products.
package struct TrackDetail: Hashable, Sendable {
  /// A picture in one of the files.
  package struct Picture: Hashable, Sendable {
    package var pictureType: Int
    package var mimeType: String
    package var caption: String
    package var byteCount: Int64
  }

  package var recording: RecordingSummary
  package var payloadByteCount: Int64?
  /// Those that are present first, then by path.
  package var files: [FileDetail]
  /// Of the first file.
  package var tags: Tags
  package var pictures: [Picture]
  /// What the user, or another program of the user's, says of the sound: names in lower case, in their order.
  package var attributes: [Tags.Property]
  /// Names of the lists that it was put in, in their order; not of queries that find it.
  package var lists: [String]
  package var measures: Measures?
  /// nil where the first file names no album.
  package var album: AlbumLoudness?
  /// With the tags of the first file.
  package var preset: PresetResolution
}
