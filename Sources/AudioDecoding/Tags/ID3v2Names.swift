/// What the frames of ID3v2 are called in the library: the names that TagLib gives them.
enum ID3v2Names {
  /// The identifier of version 2.3 or 2.4 of any frame: in capitals, without padding, and no longer that of 2.2.
  static func identifier(_ written: [UInt8]) -> String {
    let padding = written.last == 0 || written.last == 0x20
    let id = String(decoding: padding ? written.dropLast() : written[...], as: UTF8.self).uppercased()
    return id.utf8.count == 3 ? formerIdentifiers[id] ?? id : id
  }

  /// Whether a frame of this identifier is one of the standard, or of the usual ones beside it.
  static func isKnown(_ written: [UInt8]) -> Bool {
    let id = identifier(written)
    return texts[id] != nil || urls[id] != nil || others.contains(id)
  }

  /// Of frames with one text or several.
  static let texts: [String: String] = [
    "TALB": "ALBUM", "TBPM": "BPM", "TCOM": "COMPOSER", "TCON": "GENRE", "TCOP": "COPYRIGHT", "TDEN": "ENCODINGTIME",
    "TDLY": "PLAYLISTDELAY", "TDOR": "ORIGINALDATE", "TORY": "ORIGINALDATE", "XDOR": "ORIGINALDATE", "TDRC": "DATE",
    "TRDC": "DATE", "TYER": "DATE", "TDRL": "RELEASEDATE", "TDTG": "TAGGINGDATE", "TENC": "ENCODEDBY",
    "TEXT": "LYRICIST", "TFLT": "FILETYPE", "TIT1": "WORK", "TIT2": "TITLE", "TIT3": "SUBTITLE", "TKEY": "INITIALKEY",
    "TLAN": "LANGUAGE", "TLEN": "LENGTH", "TMED": "MEDIA", "TMOO": "MOOD", "TOAL": "ORIGINALALBUM",
    "TOFN": "ORIGINALFILENAME", "TOLY": "ORIGINALLYRICIST", "TOPE": "ORIGINALARTIST", "TOWN": "OWNER",
    "TPE1": "ARTIST", "TPE2": "ALBUMARTIST", "TPE3": "CONDUCTOR", "TPE4": "REMIXER", "TPOS": "DISCNUMBER",
    "TPRO": "PRODUCEDNOTICE", "TPUB": "LABEL", "TRCK": "TRACKNUMBER", "TRSN": "RADIOSTATION",
    "TRSO": "RADIOSTATIONOWNER", "TSOA": "ALBUMSORT", "XSOA": "ALBUMSORT", "TSOC": "COMPOSERSORT",
    "TSOP": "ARTISTSORT", "XSOP": "ARTISTSORT", "TSOT": "TITLESORT", "XSOT": "TITLESORT", "TSO2": "ALBUMARTISTSORT",
    "TSRC": "ISRC", "TSSE": "ENCODING", "TSST": "DISCSUBTITLE", "TCAT": "PODCASTCATEGORY", "TDES": "PODCASTDESC",
    "TGID": "PODCASTID", "WFED": "PODCASTURL", "MVNM": "MOVEMENTNAME", "MVIN": "MOVEMENTNUMBER", "GRP1": "GROUPING",
    "TCMP": "COMPILATION",
  ]

  /// Properties that are times, between whose day and hour version 2.4 has a `T`.
  static let times: Set<String> = ["DATE", "ORIGINALDATE", "RELEASEDATE", "TAGGINGDATE", "ENCODINGTIME"]

  /// Of frames with one address.
  static let urls: [String: String] = [
    "WCOP": "COPYRIGHTURL", "WOAF": "FILEWEBPAGE", "WOAR": "ARTISTWEBPAGE", "WOAS": "AUDIOSOURCEWEBPAGE",
    "WORS": "RADIOSTATIONWEBPAGE", "WPAY": "PAYMENTWEBPAGE", "WPUB": "PUBLISHERWEBPAGE",
  ]

  /// Roles in lists of people, in capitals.
  static let roles: [String: String] = [
    "ARRANGER": "ARRANGER", "ENGINEER": "ENGINEER", "PRODUCER": "PRODUCER", "DJ-MIX": "DJMIXER", "MIX": "MIXER",
    "DJ-MIXER": "DJMIXER", "DJMIXER": "DJMIXER", "MIXER": "MIXER", "DIRECTOR": "DIRECTOR",
  ]

  private static let others: Set<String> = [
    "TXXX", "WXXX", "COMM", "USLT", "SYLT", "APIC", "PIC", "UFID", "PRIV", "POPM", "PCNT", "GEOB", "CHAP", "CTOC",
    "TIPL", "TMCL", "IPLS", "TDAT", "TIME", "TRDA", "TSIZ", "MCDI", "RVA2", "RVAD", "EQU2", "EQUA", "WCOM", "USER",
    "OWNE", "COMR", "ENCR", "GRID", "LINK", "POSS", "SYTC", "ETCO", "MLLT", "RBUF", "RVRB", "AENC", "ASPI", "SEEK",
    "SIGN", "PCST", "NCON", "RGAD",
  ]

  /// The identifiers of version 2.2, and those that later versions have instead.
  static let formerIdentifiers: [String: String] = [
    "BUF": "RBUF", "CNT": "PCNT", "COM": "COMM", "CRA": "AENC", "EQU": "EQUA", "ETC": "ETCO", "GEO": "GEOB",
    "IPL": "IPLS", "LNK": "LINK", "MCI": "MCDI", "MLL": "MLLT", "POP": "POPM", "REV": "RVRB", "RVA": "RVAD",
    "SLT": "SYLT", "STC": "SYTC", "TAL": "TALB", "TBP": "TBPM", "TCM": "TCOM", "TCO": "TCON", "TCP": "TCMP",
    "TCR": "TCOP", "TDA": "TDAT", "TDY": "TDLY", "TEN": "TENC", "TFT": "TFLT", "TIM": "TIME", "TKE": "TKEY",
    "TLA": "TLAN", "TLE": "TLEN", "TMT": "TMED", "TOA": "TOPE", "TOF": "TOFN", "TOL": "TOLY", "TOR": "TORY",
    "TOT": "TOAL", "TP1": "TPE1", "TP2": "TPE2", "TP3": "TPE3", "TP4": "TPE4", "TPA": "TPOS", "TPB": "TPUB",
    "TRC": "TSRC", "TRD": "TDRC", "TRK": "TRCK", "TS2": "TSO2", "TSA": "TSOA", "TSC": "TSOC", "TSI": "TSIZ",
    "TSP": "TSOP", "TSS": "TSSE", "TST": "TSOT", "TT1": "TIT1", "TT2": "TIT2", "TT3": "TIT3", "TXT": "TEXT",
    "TXX": "TXXX", "TYE": "TYER", "UFI": "UFID", "ULT": "USLT", "WAF": "WOAF", "WAR": "WOAR", "WAS": "WOAS",
    "WCM": "WCOM", "WCP": "WCOP", "WPB": "WPUB", "WXX": "WXXX", "PCS": "PCST", "TCT": "TCAT", "TDR": "TDRL",
    "TDS": "TDES", "TID": "TGID", "WFD": "WFED", "MVN": "MVNM", "MVI": "MVIN", "GP1": "GRP1",
  ]
}
