internal import Base
internal import LibraryDatabase
package import MediaModel
package import MediaStore
internal import Synchronization
internal import UserData

/// Reads what the shards of a library keep. A shard is opened when it is first needed; the last few stay open.
struct ShardReader {
  private let register: ShardRegister
  /// The one that was used last is the last.
  private var open: [OpenShard] = []

  private static let openCount = 8

  /// nil if the library has no register.
  init?(ofLibraryAt path: BytePath) throws(StoreError) {
    guard let register = try ShardRegister(ofLibraryAt: path) else { return nil }
    self.register = register
  }

  /// Whether the register is another one by now.
  var isOutdated: Bool { register.isReplaced }

  /// What the first shard answers that has the recording and is as it was registered.
  ///
  /// - Throws: the problem of the first shard that has the recording, if none of them answers.
  mutating func first<Value: Sendable>(
    with recording: ShardedRecording, _ ask: (OpenShard) throws(StoreError) -> Value?
  ) throws(StoreError) -> Value? {
    var problem: StoreError?
    for entry in try register.entries(with: recording) {
      do throws(StoreError) {
        if let value = try ask(try shard(entry)) { return value }
      } catch {
        problem = problem ?? error
      }
    }
    if let problem { throw problem }
    return nil
  }

  private mutating func shard(_ entry: ShardRegister.Entry) throws(StoreError) -> OpenShard {
    let shard: OpenShard
    if let index = open.firstIndex(where: { $0.path == entry.path && $0.mark == entry.mark && !$0.isReplaced }) {
      shard = open.remove(at: index)
    } else {
      open.removeAll { $0.path == entry.path }
      if open.count >= Self.openCount { open.removeFirst() }
      shard = try OpenShard(at: entry.path, mark: entry.mark)
    }
    open.append(shard)
    return shard
  }
}

/// The shards of an open library.
private final class OpenShards: Sendable {
  let reader = Mutex<ShardReader?>(nil)
}

extension Products {
  /// A stored product with its bytes, of the library itself or else of a shard; nil if there is none.
  ///
  /// - Throws: ``StoreError/damagedProduct(_:kind:recordingID:)`` if the bytes are not those that were written,
  ///   ``StoreError/shard(_:_:)`` if the shard that has the recording cannot be used.
  package func product(_ kind: ProductKind, ofRecording id: Int64) throws(StoreError) -> Product? {
    if let product = try store.read({ try Product.fetch(kind, ofRecording: id, $0, in: store.library) }) {
      return product
    }
    return try sharded(kind, ofRecording: id)
  }

  /// A product that a shard of this library keeps; nil if it has no shards, or none that has the product.
  ///
  /// - Throws: ``StoreError/shard(_:_:)`` if the shard that has the recording is not at hand, changed or damaged.
  func sharded(_ kind: ProductKind, ofRecording id: Int64) throws(StoreError) -> Product? {
    try inShards(ofRecording: id) { shard, recording throws(StoreError) in try shard.product(kind, of: recording) }
  }

  /// The products that a shard of this library keeps of a recording, except `own`, which it has itself.
  ///
  /// - Throws: as ``sharded(_:ofRecording:)``.
  package func sharded(
    ofRecording id: Int64, except own: [StoredProduct]
  ) throws(StoreError) -> [StoredProduct] {
    let found = try inShards(ofRecording: id) { shard, recording throws(StoreError) -> [StoredProduct]? in
      let products = try shard.products(of: recording)
      return products.isEmpty ? nil : products
    }
    return (found ?? []).filter { product in !own.contains { $0.kind == product.kind } }
  }

  private func inShards<Value: Sendable>(
    ofRecording id: Int64, _ ask: (OpenShard, ShardedRecording) throws(StoreError) -> Value?
  ) throws(StoreError) -> Value? {
    guard !store.isTemporary, LibraryPath.exists(ShardRegister.path(ofLibraryAt: store.path)),
      let recording = try store.read({ try ShardedRecording(id: id, $0) })
    else { return nil }
    return try store.attachment { OpenShards() }.reader.withLock { reader throws(StoreError) in
      if reader?.isOutdated != false { reader = try ShardReader(ofLibraryAt: store.path) }
      return try reader?.first(with: recording) { shard throws(StoreError) in try ask(shard, recording) }
    }
  }
}

extension MediaStore {
  /// The register of this library's shards; nil if it has none.
  package func shardRegister() throws(StoreError) -> ShardRegister? {
    isTemporary ? nil : try ShardRegister(ofLibraryAt: path)
  }
}
