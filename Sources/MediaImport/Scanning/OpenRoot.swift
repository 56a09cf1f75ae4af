internal import MediaModel
internal import MediaStore

/// A root with its folder open, so that a disk that is unplugged or a folder that is renamed in the middle of the work
/// cannot make other files appear under the same names.
final class OpenRoot {
  let root: Root
  let folder: FolderDescriptor

  init(_ root: Root, folder: consuming FolderDescriptor) {
    self.root = root
    self.folder = folder
  }
}
