internal import Base
internal import DecodingService
internal import Glibc
internal import LibraryScanning
internal import LibraryTracks
internal import MediaImport
internal import MediaModel
internal import MediaStore
internal import TagEditing

/// Files that become others together: noted, made, proven, exchanged, and stored, each of these for all of them before the next.
///
/// A process that is killed at any moment leaves each file as it was or as it was to be, and rows by which
/// ``InterruptedWrites`` tells which it is.
struct FileReplacement {
  struct Item {
    let prepared: PreparedFile
    let oldHash: ContentHash
    let newHash: ContentHash
    let temporary = NewFile.newName()
    var partID: Int64 = 0
    fileprivate(set) var refusal: WriteRefusal?
    fileprivate(set) var proof: SoundProof?
    fileprivate var new: NewFile?
    fileprivate var after: Extraction?
    fileprivate var replaced: (status: FileStatus?, isTidy: Bool)?

    var isWritten: Bool { replaced != nil }

    init(_ prepared: PreparedFile, oldHash: ContentHash, newHash: ContentHash) {
      (self.prepared, self.oldHash, self.newHash) = (prepared, oldHash, newHash)
    }
  }

  private(set) var items: [Item]
  private let store: MediaStore
  private let worker: TagWorker
  private let options: WriteOptions

  /// - Parameter items: which are noted in the library as planned.
  init(_ items: [Item], in store: MediaStore, _ worker: TagWorker, _ options: WriteOptions) {
    (self.items, self.store, self.worker, self.options) = (items, store, worker, options)
  }

  /// Makes all files, and puts those that are what they should be in their places.
  ///
  /// - Throws: only if none can be written any more; what was exchanged is settled by the next start.
  mutating func run() throws {
    var failure: (any Error)?
    take(make, &failure)
    sync()
    take(prove, &failure)
    for index in items.indices {
      guard items[index].refusal == nil, let new = items[index].new else { continue }
      do throws(WriteRefusal) {
        items[index].replaced = try new.takePlace(of: items[index].prepared.original)
      } catch { refuse(index, error) }
    }
    syncFolders()
    // A file that is looked at in the moment in which it was written would be read again by the next scan.
    if items.contains(where: \.isWritten) { usleep(Self.tickInMicroseconds) }
    try store.fileChanges.settle(try items.compactMap(outcome))
    if let failure { throw failure }
  }

  /// Longer than two ticks of the clock of file systems, see ``FileStatus/storable(at:)``.
  private static let tickInMicroseconds: UInt32 = 21_000

  private mutating func refuse(_ index: Int, _ refusal: WriteRefusal) {
    items[index].refusal = refusal
    items[index].new = nil
  }

  /// Takes a step for all items that are not refused yet, and refuses those for which it fails.
  ///
  /// - Parameter failure: why nothing can be written any more.
  private mutating func take(_ step: (Item) throws -> Item, _ failure: inout (any Error)?) {
    for (index, error) in inThreads(step) {
      let refusal = error as? WriteRefusal
      refuse(index, refusal ?? WriteRefusal(code: "worker", reason: "\(error)"))
      if refusal == nil { failure = failure ?? error }
    }
  }

  /// All are written before the first one is waited for: a file system then has them on the disk together.
  private mutating func sync() {
    let made = items.indices.filter { items[$0].refusal == nil && items[$0].new != nil }
    for (index, refusal) in zip(made, NewFile.sync(made.compactMap { items[$0].new })) {
      if let refusal { refuse(index, refusal) }
    }
  }

  ///
  /// - Returns: those for which it failed.
  private mutating func inThreads(_ step: (Item) throws -> Item) -> [(index: Int, error: any Error)] {
    let (waiting, old) = (items.indices.filter { items[$0].refusal == nil }, items)
    let results = WorkerThreads.results(waiting.count, limit: options.jobCount) { number in
      Result { try step(old[waiting[number]]) }
    }
    var failed: [(index: Int, error: any Error)] = []
    for (index, result) in zip(waiting, results) {
      switch result {
      case .success(let item): items[index] = item
      case .failure(let error): failed.append((index, error))
      }
    }
    return failed
  }

  private func make(_ item: Item) throws -> Item {
    var item = item
    item.new = try NewFile(
      item.prepared.plan, of: item.prepared.original, named: item.temporary,
      keepsModificationTime: options.keepsModificationTime)
    return item
  }

  private func prove(_ item: Item) throws -> Item {
    guard let new = item.new else { return item }
    var item = item
    let (prepared, byteCount) = (item.prepared, item.prepared.plan.newByteCount)
    let hash = try calling { () throws(SystemError) in
      try PlanHash.hash(descriptor: new.descriptor, byteCount: byteCount)
    }
    guard hash == item.newHash else { throw WriteRefusal(code: "proof", reason: "the new file has other bytes") }
    if let undo = prepared.undo {
      let former = try calling { () throws(SystemError) in try PlanHash.hash(undo, of: new.descriptor) }
      guard former == item.oldHash else { throw WriteRefusal(code: "proof", reason: "it could not be undone") }
    }
    let after = try worker.reading(new.descriptor, byteCount: byteCount, of: prepared.file)
    item.proof = SoundProof(prepared.before, after)
    if let reason = prepared.contradiction(after) { throw WriteRefusal(code: "proof", reason: reason) }
    item.after = after
    return item
  }

  private func syncFolders() {
    var synced: Set<FileIdentity> = []
    for item in items where item.isWritten {
      let folder = item.prepared.original.folder.rawValue
      var information = stat()
      guard fstat(folder, &information) == 0, synced.insert(FileIdentity(information)).inserted else { continue }
      _ = fsync(folder)
    }
  }

  /// nil for one that the next start settles.
  private func outcome(of item: Item) throws -> (part: Int64, FileChanges.Outcome)? {
    guard let replaced = item.replaced else { return (item.partID, .untouched) }
    guard replaced.isTidy, let status = replaced.status, let after = item.after else { return nil }
    let record = try RewrittenFile.record(of: item.prepared.file, after, status: status, in: store)
    return (item.partID, .written(record))
  }
}
