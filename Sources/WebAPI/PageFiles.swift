package import Base
internal import CWebPage
package import HTTPServing

/// The files of the page: those in the program, or those of a folder while somebody works on them.
package enum PageFiles {
  /// - Parameter folder: nil for those in the program.
  package static func application(in folder: BytePath?) -> StaticFiles {
    folder.map { StaticFiles(in: $0) } ?? inProgram
  }

  private static let inProgram = StaticFiles(
    Dictionary(
      uniqueKeysWithValues: (0..<Int(dw_page_file_count())).map { index in
        let file = dw_page_file(index)
        return (String(cString: file.name), Array(UnsafeBufferPointer(start: file.bytes, count: file.size)))
      }))
}
