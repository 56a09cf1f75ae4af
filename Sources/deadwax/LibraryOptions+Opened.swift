internal import MediaStore

extension LibraryOptions {
  /// Calls `body` with the library for reading, and closes it whatever happens.
  func reading<Value>(_ body: (MediaStore) throws -> Value) throws -> Value {
    let store = try open(.readOnly)
    // Reading leaves nothing to be written: an error of closing can change no result.
    defer { try? store.close() }
    return try body(store)
  }

  /// Calls `body` with the library for writing, and closes it.
  ///
  /// - Throws: Also what closing meets: it is the last that writes.
  func writing<Value>(_ access: MediaStore.Access = .readWrite, _ body: (MediaStore) throws -> Value) throws -> Value {
    let store = try open(access)
    let value = try body(store)
    try store.close()
    return value
  }
}
