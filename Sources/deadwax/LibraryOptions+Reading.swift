internal import MediaStore

extension LibraryOptions {
  /// Calls `body` with the library for reading, and closes it whatever happens.
  func reading<Value>(_ body: (MediaStore) throws -> Value) throws -> Value {
    let store = try open(.readOnly)
    // Reading leaves nothing to be written: an error of closing can change no result.
    defer { try? store.close() }
    return try body(store)
  }
}
