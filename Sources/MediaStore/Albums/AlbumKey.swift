internal import Base
package import Foundation
package import LibraryDatabase
package import MediaModel

/// By what clients and decisions know an album.
package enum AlbumKey {
  /// The same in every library whose files have the same names: MD5 of the folded artist, NUL and the folded title.
  package static func key(_ names: AlbumNames) -> Data {
    let text = "\(TextFolding.fold(names.artist))\0\(TextFolding.fold(names.title))"
    return MD5.hexadecimal(of: text).hexadecimalData
  }

  package static func names(of album: Int64, _ db: Database) throws -> AlbumNames? {
    try Row.fetchOne(
      db.cachedStatement(sql: "SELECT known_artist, known_title FROM album WHERE id = ?"), arguments: [album]
    ).map { try AlbumNames(artist: $0[0], title: $0[1]) }
  }

  package static func rename(_ album: Int64, to names: AlbumNames, _ db: Database) throws {
    try db.cachedStatement(sql: "UPDATE OR IGNORE album SET key = ?, known_artist = ?, known_title = ? WHERE id = ?")
      .execute(arguments: [key(names), names.artist, names.title, album])
  }

}

extension String {
  fileprivate var hexadecimalData: Data {
    let digits = Array(utf8)
    return Data(
      stride(from: 0, to: digits.count - 1, by: 2).map { index in
        UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0
      })
  }
}
