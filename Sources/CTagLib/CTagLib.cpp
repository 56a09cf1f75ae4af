#include "CTagLib.h"

#include <taglib/apefile.h>
#include <taglib/apetag.h>
#include <taglib/asffile.h>
#include <taglib/asftag.h>
#include <taglib/aifffile.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/infotag.h>
#include <taglib/itfile.h>
#include <taglib/modfile.h>
#include <taglib/mp4file.h>
#include <taglib/mpcfile.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/s3mfile.h>
#include <taglib/speexfile.h>
#include <taglib/tdebuglistener.h>
#include <taglib/tiostream.h>
#include <taglib/tpropertymap.h>
#include <taglib/trueaudiofile.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>
#include <taglib/xiphcomment.h>
#include <taglib/xmfile.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

using namespace TagLib;

namespace {

/// Where bytes begin that would be written: TagLib 2 (Debian 13) has signed numbers for it.
#if TAGLIB_MAJOR_VERSION >= 2
using Place = offset_t;
#else
using Place = unsigned long;
#endif

/// A read-only window on pieces of a descriptor, with offsets of its own and a limit to what is read in all.
class DescriptorStream final : public IOStream {
public:
  DescriptorStream(
      int descriptor, const dw_byte_range *pieces, size_t count, int64_t budget, dw_read_error &error)
      : descriptor(descriptor), pieces(pieces, pieces + count), budget(budget), error(error) {
    for (const auto &piece : this->pieces) size += piece.size;
  }

  FileName name() const override { return ""; }
  bool readOnly() const override { return true; }
  bool isOpen() const override { return true; }
  long length() override { return static_cast<long>(size); }
  long tell() const override { return static_cast<long>(position); }
  void writeBlock(const ByteVector &) override {}
  void insert(const ByteVector &, Place, size_t) override {}
  void removeBlock(Place, size_t) override {}
  void truncate(long) override {}
  void clear() override {}

  void seek(long offset, Position from) override {
    const int64_t base = from == Beginning ? 0 : from == Current ? position : size;
    position = std::clamp<int64_t>(base + offset, 0, size);
  }

  ByteVector readBlock(unsigned long wanted) override {
    // A disk that has failed once takes seconds for each further try.
    if (error.number != 0) return ByteVector();
    const auto asked = static_cast<int64_t>(std::min<unsigned long>(wanted, 1UL << 30));
    const int64_t count = std::min({asked, size - position, budget});
    if (count <= 0) return ByteVector();
    ByteVector block(static_cast<unsigned int>(count), 0);
    int64_t done = 0;
    int64_t start = 0;
    for (const auto &piece : pieces) {
      const int64_t end = start + piece.size;
      while (done < count && position + done < end) {
        const int64_t offset = position + done - start;
        const int64_t rest = std::min(count - done, piece.size - offset);
        const ssize_t result = pread(descriptor, block.data() + done, static_cast<size_t>(rest), piece.offset + offset);
        if (result < 0 && errno == EINTR) continue;
        if (result < 0) error = {errno, piece.offset + offset};
        if (result <= 0) break;
        done += result;
      }
      // All of it, or the bytes before a piece that the file no longer has.
      if (done == count || position + done < end) break;
      start = end;
    }
    block.resize(static_cast<unsigned int>(done));
    position += done;
    budget -= done;
    return block;
  }

private:
  const int descriptor;
  const std::vector<dw_byte_range> pieces;
  int64_t size = 0;
  int64_t budget;
  int64_t position = 0;
  dw_read_error &error;
};

/// TagLib writes warnings to standard error unless it has a listener.
class Silence final : public DebugListener {
  void printMessage(const String &) override {}
} silence;

void append(std::string &text, uint32_t scalar) {
  const auto byte = [&text](uint32_t value) { text += static_cast<char>(value); };
  if (scalar < 0x80) {
    byte(scalar);
  } else if (scalar < 0x800) {
    byte(0xC0 | scalar >> 6);
    byte(0x80 | (scalar & 0x3F));
  } else if (scalar < 0x10000) {
    byte(0xE0 | scalar >> 12);
    byte(0x80 | (scalar >> 6 & 0x3F));
    byte(0x80 | (scalar & 0x3F));
  } else {
    byte(0xF0 | scalar >> 18);
    byte(0x80 | (scalar >> 12 & 0x3F));
    byte(0x80 | (scalar >> 6 & 0x3F));
    byte(0x80 | (scalar & 0x3F));
  }
}

/// As UTF-8 with U+FFFD for half surrogate pairs; TagLib's own conversion returns nothing if there is one.
std::string utf8(const String &source) {
  // A wchar_t holds a UTF-16 unit, or a whole scalar if TagLib read UTF-8.
  const std::wstring units = source.toWString();
  std::string text;
  text.reserve(units.size());
  for (size_t index = 0; index < units.size(); ++index) {
    uint32_t scalar = static_cast<uint32_t>(units[index]);
    const uint32_t next = index + 1 < units.size() ? static_cast<uint32_t>(units[index + 1]) : 0;
    if (scalar >= 0xD800 && scalar < 0xDC00 && next >= 0xDC00 && next < 0xE000) {
      scalar = 0x10000 + ((scalar - 0xD800) << 10) + (next - 0xDC00);
      ++index;
    } else if ((scalar >= 0xD800 && scalar < 0xE000) || scalar > 0x10FFFF) {
      scalar = 0xFFFD;
    }
    append(text, scalar);
  }
  return text;
}

class Reading {
public:
  explicit Reading(const dw_tag_sink &sink) : sink(sink) {}

  /// Adds the names that are not there yet.
  void add(const PropertyMap &found) {
    for (auto entry = found.begin(); entry != found.end(); ++entry)
      if (!properties.contains(entry->first)) properties.insert(entry->first, entry->second);
  }

  void add(const ID3v2::Tag *tag) {
    if (!tag) return;
    add(tag->properties());
    for (const auto *frame : tag->frameListMap()["APIC"])
      if (const auto *picture = dynamic_cast<const ID3v2::AttachedPictureFrame *>(frame))
        give(picture->type(), picture->mimeType(), picture->description(), picture->picture());
  }

  void add(const APE::Tag *tag) {
    if (!tag) return;
    PropertyMap found = tag->properties();
    for (const auto &[name, item] : tag->itemListMap()) {
      const String key = name.upper();
      if (!key.startsWith("COVER ART (")) continue;
      found.erase(key);
      // A file name, a NUL, then the picture.
      const ByteVector data = item.binaryData();
      const int end = data.find('\0');
      give(key.find("BACK") >= 0 ? 4 : key.find("FRONT") >= 0 ? 3 : 0, String(), String(),
           end < 0 ? data : data.mid(static_cast<unsigned int>(end) + 1));
    }
    add(found);
  }

  void add(const Ogg::XiphComment *tag) {
    if (!tag) return;
    add(tag->properties());
    // The list is read through a non-const method of TagLib 1.
    add(const_cast<Ogg::XiphComment *>(tag)->pictureList());
  }

  void add(const List<FLAC::Picture *> &pictures) {
    for (const auto *picture : pictures)
      give(picture->type(), picture->mimeType(), picture->description(), picture->data());
  }

  void add(const MP4::Tag *tag) {
    if (!tag) return;
    add(tag->properties());
    addFreeForm(tag);
    if (tag->contains("covr"))
      for (const auto &cover : tag->item("covr").toCoverArtList()) give(3, String(), String(), cover.data());
  }

  // Items with names of their own, of which TagLib gives only those that it knows. What iTunes counts is no text.
  void addFreeForm(const MP4::Tag *tag) {
    const String prefix = "----:com.apple.iTunes:";
    const PropertyMap known = tag->properties();
    PropertyMap found;
    for (const auto &name : known.unsupportedData()) {
      if (!name.startsWith(prefix)) continue;
      const String key = name.substr(prefix.size());
      if (key.isEmpty() || key == "iTunSMPB" || key == "iTunNORM") continue;
      found.insert(key, tag->item(name).toStringList());
    }
    add(found);
  }

  void add(const ASF::Tag *tag) {
    if (!tag) return;
    add(tag->properties());
    addNamed(tag);
    if (!tag->contains("WM/Picture")) return;
    for (const auto &attribute : tag->attribute("WM/Picture")) {
      const ASF::Picture picture = attribute.toPicture();
      if (picture.isValid()) give(picture.type(), picture.mimeType(), picture.description(), picture.picture());
    }
  }

  // Texts with names of their own, of which TagLib gives only those that it knows. What encoders say is no tag.
  void addNamed(const ASF::Tag *tag) {
    const PropertyMap known = tag->properties();
    PropertyMap found;
    for (const auto &name : known.unsupportedData()) {
      if (name.startsWith("WMFSDK") || name == "DeviceConformanceTemplate" || !tag->contains(name)) continue;
      StringList texts;
      for (const auto &attribute : tag->attribute(name))
        if (attribute.type() == ASF::Attribute::UnicodeType) texts.append(attribute.toString());
      // FFmpeg and others write the comment under the name that it has elsewhere in the file.
      if (!texts.isEmpty()) found.insert(name == "Description" ? String("COMMENT") : name, texts);
    }
    add(found);
  }

  void add(const Tag *tag) {
    if (tag) add(tag->properties());
  }

  void finish() const {
    for (const auto &[name, values] : properties) {
      const std::string key = utf8(name.upper());
      for (const auto &value : values) {
        const std::string text = utf8(value);
        sink.property(sink.context, key.data(), key.size(), text.data(), text.size());
      }
    }
  }

private:
  void give(int type, const String &mime, const String &caption, const ByteVector &bytes) const {
    const std::string kind = utf8(mime), text = utf8(caption);
    sink.picture(sink.context, type, kind.data(), kind.size(), text.data(), text.size(),
                 reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  }

  const dw_tag_sink &sink;
  PropertyMap properties;
};

void describe(const AudioProperties *properties, dw_tag_audio *audio) {
  if (!properties || !audio) return;
  audio->sample_rate = properties->sampleRate();
  audio->channels = properties->channels();
  audio->bit_rate = properties->bitrate();
  audio->length_milliseconds = properties->lengthInMilliseconds();
}

template <typename File>
void describeBits(const File &file, dw_tag_audio *audio) {
  if (file.audioProperties() && audio) audio->bits = file.audioProperties()->bitsPerSample();
}

template <typename File>
int readPlain(IOStream &stream, bool readsAudio, Reading &reading, dw_tag_audio *audio) {
  File file(&stream, readsAudio);
  if (!file.isValid()) return -1;
  reading.add(static_cast<const Tag *>(file.tag()));
  describe(file.audioProperties(), audio);
  return 0;
}

template <typename File>
int readXiph(IOStream &stream, bool readsAudio, Reading &reading, dw_tag_audio *audio) {
  File file(&stream, readsAudio);
  if (!file.isValid()) return -1;
  reading.add(file.tag());
  describe(file.audioProperties(), audio);
  return 0;
}

template <typename File>
int readWithAPE(IOStream &stream, bool readsAudio, Reading &reading, dw_tag_audio *audio) {
  File file(&stream, readsAudio);
  if (!file.isValid()) return -1;
  reading.add(file.APETag());
  reading.add(static_cast<const Tag *>(file.ID3v1Tag()));
  describe(file.audioProperties(), audio);
  return 0;
}

int readMPEG(IOStream &stream, Reading &reading) {
  MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
  if (!file.isValid()) return -1;
  if (file.hasID3v2Tag()) reading.add(file.ID3v2Tag());
  if (file.hasAPETag()) reading.add(file.APETag());
  if (file.hasID3v1Tag()) reading.add(static_cast<const Tag *>(file.ID3v1Tag()));
  return 0;
}

int readFLAC(IOStream &stream, Reading &reading) {
  FLAC::File file(&stream, ID3v2::FrameFactory::instance(), false);
  if (!file.isValid()) return -1;
  if (file.hasXiphComment()) reading.add(file.xiphComment());
  reading.add(file.pictureList());
  if (file.hasID3v2Tag()) reading.add(file.ID3v2Tag());
  if (file.hasID3v1Tag()) reading.add(static_cast<const Tag *>(file.ID3v1Tag()));
  return 0;
}

int readWAV(IOStream &stream, Reading &reading) {
  RIFF::WAV::File file(&stream, false);
  if (!file.isValid()) return -1;
  if (file.hasID3v2Tag()) reading.add(file.ID3v2Tag());
  if (file.hasInfoTag()) reading.add(static_cast<const Tag *>(file.InfoTag()));
  return 0;
}

int readAIFF(IOStream &stream, Reading &reading) {
  RIFF::AIFF::File file(&stream, false);
  if (!file.isValid()) return -1;
  if (file.hasID3v2Tag()) reading.add(static_cast<const ID3v2::Tag *>(file.tag()));
  return 0;
}

int readMP4(IOStream &stream, bool readsAudio, Reading &reading, dw_tag_audio *audio) {
  MP4::File file(&stream, readsAudio);
  if (!file.isValid()) return -1;
  reading.add(static_cast<const MP4::Tag *>(file.tag()));
  describe(file.audioProperties(), audio);
  describeBits(file, audio);
  return 0;
}

int readASF(IOStream &stream, bool readsAudio, Reading &reading, dw_tag_audio *audio) {
  ASF::File file(&stream, readsAudio);
  if (!file.isValid()) return -1;
  reading.add(static_cast<const ASF::Tag *>(file.tag()));
  describe(file.audioProperties(), audio);
  describeBits(file, audio);
  return 0;
}

int readTrueAudio(IOStream &stream, bool readsAudio, Reading &reading, dw_tag_audio *audio) {
  TrueAudio::File file(&stream, readsAudio);
  if (!file.isValid()) return -1;
  if (file.hasID3v2Tag()) reading.add(file.ID3v2Tag());
  // FFmpeg writes a tag that TagLib does not look for here: its footer is the last thing before ID3v1.
  const long footer = stream.length() - (file.hasID3v1Tag() ? 128 : 0) - 32;
  stream.seek(footer, IOStream::Beginning);
  if (footer > 0 && stream.readBlock(8) == "APETAGEX") {
    const APE::Tag tag(&file, footer);
    reading.add(&tag);
  }
  if (file.hasID3v1Tag()) reading.add(static_cast<const Tag *>(file.ID3v1Tag()));
  describe(file.audioProperties(), audio);
  describeBits(file, audio);
  return 0;
}

int read(IOStream &stream, dw_tag_kind kind, bool readsAudio, Reading &reading, dw_tag_audio *audio) {
  switch (kind) {
  case DW_TAG_MPEG: return readMPEG(stream, reading);
  case DW_TAG_FLAC: return readFLAC(stream, reading);
  case DW_TAG_VORBIS: return readXiph<Ogg::Vorbis::File>(stream, readsAudio, reading, audio);
  case DW_TAG_OPUS: return readXiph<Ogg::Opus::File>(stream, readsAudio, reading, audio);
  case DW_TAG_SPEEX: return readXiph<Ogg::Speex::File>(stream, readsAudio, reading, audio);
  case DW_TAG_OGG_FLAC: return readXiph<Ogg::FLAC::File>(stream, readsAudio, reading, audio);
  case DW_TAG_WAV: return readWAV(stream, reading);
  case DW_TAG_AIFF: return readAIFF(stream, reading);
  case DW_TAG_MP4: return readMP4(stream, readsAudio, reading, audio);
  case DW_TAG_ASF: return readASF(stream, readsAudio, reading, audio);
  case DW_TAG_APE: return readWithAPE<APE::File>(stream, readsAudio, reading, audio);
  case DW_TAG_WAVPACK: return readWithAPE<WavPack::File>(stream, readsAudio, reading, audio);
  case DW_TAG_MUSEPACK: return readWithAPE<MPC::File>(stream, readsAudio, reading, audio);
  case DW_TAG_TRUE_AUDIO: return readTrueAudio(stream, readsAudio, reading, audio);
  case DW_TAG_IT: return readPlain<IT::File>(stream, readsAudio, reading, audio);
  case DW_TAG_XM: return readPlain<XM::File>(stream, readsAudio, reading, audio);
  case DW_TAG_S3M: return readPlain<S3M::File>(stream, readsAudio, reading, audio);
  case DW_TAG_MOD: return readPlain<Mod::File>(stream, readsAudio, reading, audio);
  }
  return -1;
}

}  // namespace

dw_tag_result dw_read_tags(
    int descriptor, const dw_byte_range *pieces, size_t piece_count, int64_t byte_budget, dw_tag_kind kind,
    const dw_tag_sink *sink, dw_tag_audio *audio, dw_read_error *error) {
  setDebugListener(&silence);
  *error = {0, 0};
  try {
    DescriptorStream stream(descriptor, pieces, piece_count, byte_budget, *error);
    Reading reading(*sink);
    const bool isRead = read(stream, kind, audio != nullptr, reading, audio) == 0;
    // TagLib treats a read that fails as the end of the file.
    if (error->number != 0) return DW_TAG_READ_FAILED;
    if (!isRead) return DW_TAG_REFUSED;
    reading.finish();
    return DW_TAG_DONE;
  } catch (...) {
    return error->number != 0 ? DW_TAG_READ_FAILED : DW_TAG_REFUSED;
  }
}

struct dw_id3v2 {
  PropertyMap properties;
  ID3v2::Tag tag;
  ByteVector bytes;
};

dw_id3v2 *dw_id3v2_create(void) {
  try {
    return new dw_id3v2;
  } catch (...) {
    return nullptr;
  }
}

void dw_id3v2_delete(dw_id3v2 *tag) { delete tag; }

void dw_id3v2_add(dw_id3v2 *tag, const char *name, const char *value) {
  try {
    tag->properties[String(name, String::UTF8)].append(String(value, String::UTF8));
  } catch (...) {
  }
}

void dw_id3v2_add_picture(
    dw_id3v2 *tag, int type, const char *mime, const char *caption, const uint8_t *bytes, size_t size) {
  try {
    auto *frame = new ID3v2::AttachedPictureFrame;
    frame->setType(static_cast<ID3v2::AttachedPictureFrame::Type>(type));
    frame->setMimeType(String(mime, String::UTF8));
    frame->setTextEncoding(String::UTF8);
    frame->setDescription(String(caption, String::UTF8));
    frame->setPicture(ByteVector(reinterpret_cast<const char *>(bytes), static_cast<unsigned int>(size)));
    tag->tag.addFrame(frame);
  } catch (...) {
  }
}

const uint8_t *dw_id3v2_render(dw_id3v2 *tag, size_t *size) {
  try {
    ID3v2::FrameFactory::instance()->setDefaultTextEncoding(String::UTF8);
    // Frames of pictures stay: they are not properties.
    tag->tag.setProperties(tag->properties);
    tag->bytes = tag->tag.render(ID3v2::v4);
    *size = tag->bytes.size();
    return reinterpret_cast<const uint8_t *>(tag->bytes.data());
  } catch (...) {
    return nullptr;
  }
}

uint32_t dw_tag_library_version(void) {
  return TAGLIB_MAJOR_VERSION << 16 | TAGLIB_MINOR_VERSION << 8 | TAGLIB_PATCH_VERSION;
}
