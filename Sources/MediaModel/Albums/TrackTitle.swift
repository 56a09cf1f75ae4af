/// The title of a track without what names an edition of it.
package enum TrackTitle {
  /// By which copies of a track in several editions of an album are found: `Ebb` and `Ebb (Remastered 2009)` have the same. Empty for no
  /// title.
  package static func key(_ title: String) -> String { NameKey.key(AlbumTitle.withoutEdition(title)) }
}
