#include "CFLAC.h"

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(void, FLAC__metadata_object_delete, (FLAC__StreamMetadata *object), (object)) \
  F(FLAC__StreamMetadata *, FLAC__metadata_object_new, (FLAC__MetadataType type), (type)) \
  F(FLAC__bool, FLAC__metadata_object_picture_set_data, (FLAC__StreamMetadata *object, FLAC__byte *data, \
    FLAC__uint32 length, FLAC__bool copy), \
    (object, data, length, copy)) \
  F(FLAC__bool, FLAC__metadata_object_picture_set_description, (FLAC__StreamMetadata *object, \
    FLAC__byte *description, FLAC__bool copy), \
    (object, description, copy)) \
  F(FLAC__bool, FLAC__metadata_object_picture_set_mime_type, (FLAC__StreamMetadata *object, char *mime_type, \
    FLAC__bool copy), \
    (object, mime_type, copy)) \
  F(FLAC__bool, FLAC__metadata_object_vorbiscomment_append_comment, (FLAC__StreamMetadata *object, \
    FLAC__StreamMetadata_VorbisComment_Entry entry, FLAC__bool copy), \
    (object, entry, copy)) \
  F(void, FLAC__stream_decoder_delete, (FLAC__StreamDecoder *decoder), (decoder)) \
  F(FLAC__bool, FLAC__stream_decoder_finish, (FLAC__StreamDecoder *decoder), (decoder)) \
  F(FLAC__StreamDecoderState, FLAC__stream_decoder_get_state, (const FLAC__StreamDecoder *decoder), (decoder)) \
  F(FLAC__StreamDecoderInitStatus, FLAC__stream_decoder_init_ogg_stream, (FLAC__StreamDecoder *decoder, \
    FLAC__StreamDecoderReadCallback read, FLAC__StreamDecoderSeekCallback seek, \
    FLAC__StreamDecoderTellCallback tell, FLAC__StreamDecoderLengthCallback length, \
    FLAC__StreamDecoderEofCallback eof, FLAC__StreamDecoderWriteCallback write, \
    FLAC__StreamDecoderMetadataCallback metadata, FLAC__StreamDecoderErrorCallback error, void *client_data), \
    (decoder, read, seek, tell, length, eof, write, metadata, error, client_data)) \
  F(FLAC__StreamDecoderInitStatus, FLAC__stream_decoder_init_stream, (FLAC__StreamDecoder *decoder, \
    FLAC__StreamDecoderReadCallback read, FLAC__StreamDecoderSeekCallback seek, \
    FLAC__StreamDecoderTellCallback tell, FLAC__StreamDecoderLengthCallback length, \
    FLAC__StreamDecoderEofCallback eof, FLAC__StreamDecoderWriteCallback write, \
    FLAC__StreamDecoderMetadataCallback metadata, FLAC__StreamDecoderErrorCallback error, void *client_data), \
    (decoder, read, seek, tell, length, eof, write, metadata, error, client_data)) \
  F(FLAC__StreamDecoder *, FLAC__stream_decoder_new, (void), ()) \
  F(FLAC__bool, FLAC__stream_decoder_process_single, (FLAC__StreamDecoder *decoder), (decoder)) \
  F(FLAC__bool, FLAC__stream_decoder_process_until_end_of_metadata, (FLAC__StreamDecoder *decoder), (decoder)) \
  F(FLAC__bool, FLAC__stream_decoder_reset, (FLAC__StreamDecoder *decoder), (decoder)) \
  F(FLAC__bool, FLAC__stream_decoder_seek_absolute, (FLAC__StreamDecoder *decoder, FLAC__uint64 sample), \
    (decoder, sample)) \
  F(FLAC__bool, FLAC__stream_decoder_set_md5_checking, (FLAC__StreamDecoder *decoder, FLAC__bool value), \
    (decoder, value)) \
  F(FLAC__bool, FLAC__stream_decoder_set_ogg_serial_number, (FLAC__StreamDecoder *decoder, long serial_number), \
    (decoder, serial_number)) \
  F(void, FLAC__stream_encoder_delete, (FLAC__StreamEncoder *encoder), (encoder)) \
  F(FLAC__bool, FLAC__stream_encoder_finish, (FLAC__StreamEncoder *encoder), (encoder)) \
  F(FLAC__StreamEncoderState, FLAC__stream_encoder_get_state, (const FLAC__StreamEncoder *encoder), (encoder)) \
  F(FLAC__StreamEncoderInitStatus, FLAC__stream_encoder_init_stream, (FLAC__StreamEncoder *encoder, \
    FLAC__StreamEncoderWriteCallback write, FLAC__StreamEncoderSeekCallback seek, \
    FLAC__StreamEncoderTellCallback tell, FLAC__StreamEncoderMetadataCallback metadata, void *client_data), \
    (encoder, write, seek, tell, metadata, client_data)) \
  F(FLAC__StreamEncoder *, FLAC__stream_encoder_new, (void), ()) \
  F(FLAC__bool, FLAC__stream_encoder_process_interleaved, (FLAC__StreamEncoder *encoder, \
    const FLAC__int32 buffer[], uint32_t samples), \
    (encoder, buffer, samples)) \
  F(FLAC__bool, FLAC__stream_encoder_set_bits_per_sample, (FLAC__StreamEncoder *encoder, uint32_t value), \
    (encoder, value)) \
  F(FLAC__bool, FLAC__stream_encoder_set_channels, (FLAC__StreamEncoder *encoder, uint32_t value), (encoder, value)) \
  F(FLAC__bool, FLAC__stream_encoder_set_compression_level, (FLAC__StreamEncoder *encoder, uint32_t value), \
    (encoder, value)) \
  F(FLAC__bool, FLAC__stream_encoder_set_metadata, (FLAC__StreamEncoder *encoder, FLAC__StreamMetadata **metadata, \
    uint32_t num_blocks), \
    (encoder, metadata, num_blocks)) \
  F(FLAC__bool, FLAC__stream_encoder_set_sample_rate, (FLAC__StreamEncoder *encoder, uint32_t value), \
    (encoder, value)) \
  F(FLAC__bool, FLAC__stream_encoder_set_streamable_subset, (FLAC__StreamEncoder *encoder, FLAC__bool value), \
    (encoder, value)) \
  F(FLAC__bool, FLAC__stream_encoder_set_total_samples_estimate, (FLAC__StreamEncoder *encoder, \
    FLAC__uint64 value), \
    (encoder, value))

FUNCTIONS(DW_FORWARD)

static const char *const *version;

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL){"FLAC__VERSION_STRING", (void **)&version}};

// libtool's number of the interface.
#if FLAC_API_VERSION_CURRENT - FLAC_API_VERSION_AGE == 8
static struct dw_library library = {"libFLAC.so.8", "libflac8", symbols, DW_COUNT(symbols)};
#elif FLAC_API_VERSION_CURRENT - FLAC_API_VERSION_AGE == 12
static struct dw_library library = {"libFLAC.so.12", "libflac12", symbols, DW_COUNT(symbols)};
#elif FLAC_API_VERSION_CURRENT - FLAC_API_VERSION_AGE == 14
static struct dw_library library = {"libFLAC.so.14", "libflac14", symbols, DW_COUNT(symbols)};
#else
#error "This version of libFLAC is not known: add the name of its file."
#endif

const char *dw_flac_load(void) { return dw_library_load(&library); }

const char *dw_flac_version(void) { return *version; }
