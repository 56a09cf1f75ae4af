internal import ArgumentParser
internal import Base
internal import DecodingService
internal import Glibc

/// How much decoded audio is kept in memory.
struct CacheOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Size of the cache of decoded audio, such as 64M or 1GiB (default: $DEADWAX_CACHE_SIZE, else 256MiB, for `serve` 16MiB).",
      valueName: "bytes"))
  var cacheSize: ByteCountArgument?

  /// - Parameter usual: Its size if nobody says another one.
  func makeCache(ofByteCount usual: Int = SegmentCache.defaultCapacityInBytes) throws -> SegmentCache {
    if let cacheSize { return SegmentCache(capacityInBytes: cacheSize.byteCount) }
    // An empty variable counts as unset.
    guard let value = getenv("DEADWAX_CACHE_SIZE"), value.pointee != 0 else {
      return SegmentCache(capacityInBytes: usual)
    }
    let text = String(cString: value)
    guard let byteCount = ByteCount.parse(text) else {
      throw ValidationError("$DEADWAX_CACHE_SIZE is '\(text)'; it takes a size such as 64M or 1GiB")
    }
    return SegmentCache(capacityInBytes: byteCount)
  }
}

extension OutputOptions {
  /// Reports with --verbose what a cache did, unless it was not used.
  func tell(_ cache: SegmentCache) {
    let statistics = cache.statistics
    guard verbose, statistics.requestCount > 0 else { return }
    StandardError.line(
      "cache: \(statistics), \(NumberText.size(Int64(statistics.byteCount))) of "
        + NumberText.size(Int64(statistics.capacityInBytes)))
  }
}

/// A number of bytes with its unit.
struct ByteCountArgument: ExpressibleByArgument {
  let byteCount: Int

  init?(argument: String) {
    guard let byteCount = ByteCount.parse(argument) else { return nil }
    self.byteCount = byteCount
  }
}
