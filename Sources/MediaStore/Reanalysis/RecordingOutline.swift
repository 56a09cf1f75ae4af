package import MediaModel

/// What a reanalysis must know of a recording to say what is to be made of it.
package struct RecordingOutline: Hashable, Sendable {
  package var id: Int64
  package var hash: ContentHash
  /// nil where it was never decoded.
  package var decodedFrameCount: Int64?
  package var durationInSeconds: Double
  package var channelCount: Int?
  package var payloadByteCount: Int64
  /// Of what is stored; ``ProductKind/measures`` among them.
  package var products: [ProductKind: StoredProduct]
  /// Those of them whose bytes are not what was written; none where that was not looked at.
  package var damagedKinds: Set<ProductKind> = []

  package init(
    id: Int64, hash: ContentHash, decodedFrameCount: Int64?, durationInSeconds: Double = 0, channelCount: Int? = nil,
    payloadByteCount: Int64 = 0, products: [ProductKind: StoredProduct] = [:]
  ) {
    self.id = id
    self.hash = hash
    self.decodedFrameCount = decodedFrameCount
    self.durationInSeconds = durationInSeconds
    self.channelCount = channelCount
    self.payloadByteCount = payloadByteCount
    self.products = products
  }
}
