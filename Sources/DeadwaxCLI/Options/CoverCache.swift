internal import Base

/// Where covers are kept in the sizes that were asked for, and those that are drawn.
enum CoverCache {
  private static let capacityInBytes: Int64 = 256 << 20

  /// nil if the user has no place for such files.
  static var folder: CacheFolder? {
    CacheFolder.standardPath.map { CacheFolder($0.appending(BytePath("covers")), capacityInBytes: capacityInBytes) }
  }
}
