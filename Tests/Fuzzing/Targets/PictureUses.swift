internal import MediaExport

/// How pictures for terminals are drawn here.
enum PictureUses {
  static let capabilities = TerminalCapabilities(hasUnicode: true, colorDepth: .none)
}
