#include "CWebPage.h"

// C23 has it; the compiler knows it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file of the page has an array here and a line below; a test compares them with the folder.
static const uint8_t app_js[] = {
#embed "web/app.js"
};
static const uint8_t alike_dropping_js[] = {
#embed "web/alike/dropping.js"
};
static const uint8_t alike_duplicates_js[] = {
#embed "web/alike/duplicates.js"
};
static const uint8_t alike_identify_js[] = {
#embed "web/alike/identify.js"
};
static const uint8_t alike_listening_js[] = {
#embed "web/alike/listening.js"
};
static const uint8_t alike_map_js[] = {
#embed "web/alike/map.js"
};
static const uint8_t alike_recorder_worklet_js[] = {
#embed "web/alike/recorder-worklet.js"
};
static const uint8_t alike_recorder_js[] = {
#embed "web/alike/recorder.js"
};
static const uint8_t alike_similar_js[] = {
#embed "web/alike/similar.js"
};
static const uint8_t alike_together_js[] = {
#embed "web/alike/together.js"
};
static const uint8_t core_api_js[] = {
#embed "web/core/api.js"
};
static const uint8_t core_colour_js[] = {
#embed "web/core/colour.js"
};
static const uint8_t core_dom_js[] = {
#embed "web/core/dom.js"
};
static const uint8_t core_format_js[] = {
#embed "web/core/format.js"
};
static const uint8_t core_router_js[] = {
#embed "web/core/router.js"
};
static const uint8_t core_settings_js[] = {
#embed "web/core/settings.js"
};
static const uint8_t css_alike_css[] = {
#embed "web/css/alike.css"
};
static const uint8_t css_base_css[] = {
#embed "web/css/base.css"
};
static const uint8_t css_equalizer_css[] = {
#embed "web/css/equalizer.css"
};
static const uint8_t css_library_css[] = {
#embed "web/css/library.css"
};
static const uint8_t css_player_css[] = {
#embed "web/css/player.css"
};
static const uint8_t css_track_css[] = {
#embed "web/css/track.css"
};
static const uint8_t effects_wasm[] = {
#embed "web/effects.wasm"
};
static const uint8_t equalizer_axis_js[] = {
#embed "web/equalizer/axis.js"
};
static const uint8_t equalizer_band_js[] = {
#embed "web/equalizer/band.js"
};
static const uint8_t equalizer_curve_js[] = {
#embed "web/equalizer/curve.js"
};
static const uint8_t equalizer_draft_js[] = {
#embed "web/equalizer/draft.js"
};
static const uint8_t equalizer_effects_js[] = {
#embed "web/equalizer/effects.js"
};
static const uint8_t equalizer_equalizer_js[] = {
#embed "web/equalizer/equalizer.js"
};
static const uint8_t equalizer_files_js[] = {
#embed "web/equalizer/files.js"
};
static const uint8_t equalizer_slider_js[] = {
#embed "web/equalizer/slider.js"
};
static const uint8_t fonts_OFL_txt[] = {
#embed "web/fonts/OFL.txt"
};
static const uint8_t fonts_etch_woff2[] = {
#embed "web/fonts/etch.woff2"
};
static const uint8_t fonts_text_woff2[] = {
#embed "web/fonts/text.woff2"
};
static const uint8_t icon_svg[] = {
#embed "web/icon.svg"
};
static const uint8_t index_html[] = {
#embed "web/index.html"
};
static const uint8_t library_columns_js[] = {
#embed "web/library/columns.js"
};
static const uint8_t library_drag_js[] = {
#embed "web/library/drag.js"
};
static const uint8_t library_groups_js[] = {
#embed "web/library/groups.js"
};
static const uint8_t library_jumps_js[] = {
#embed "web/library/jumps.js"
};
static const uint8_t library_library_js[] = {
#embed "web/library/library.js"
};
static const uint8_t library_lists_js[] = {
#embed "web/library/lists.js"
};
static const uint8_t library_outlines_js[] = {
#embed "web/library/outlines.js"
};
static const uint8_t library_rows_js[] = {
#embed "web/library/rows.js"
};
static const uint8_t library_search_js[] = {
#embed "web/library/search.js"
};
static const uint8_t library_sights_js[] = {
#embed "web/library/sights.js"
};
static const uint8_t library_sorting_js[] = {
#embed "web/library/sorting.js"
};
static const uint8_t library_table_js[] = {
#embed "web/library/table.js"
};
static const uint8_t page_keys_js[] = {
#embed "web/page/keys.js"
};
static const uint8_t page_scan_js[] = {
#embed "web/page/scan.js"
};
static const uint8_t page_settings_js[] = {
#embed "web/page/settings.js"
};
static const uint8_t page_toast_js[] = {
#embed "web/page/toast.js"
};
static const uint8_t page_views_js[] = {
#embed "web/page/views.js"
};
static const uint8_t player_bar_js[] = {
#embed "web/player/bar.js"
};
static const uint8_t player_element_js[] = {
#embed "web/player/element.js"
};
static const uint8_t player_gain_js[] = {
#embed "web/player/gain.js"
};
static const uint8_t player_output_js[] = {
#embed "web/player/output.js"
};
static const uint8_t player_pcm_js[] = {
#embed "web/player/pcm.js"
};
static const uint8_t player_player_js[] = {
#embed "web/player/player.js"
};
static const uint8_t player_queue_js[] = {
#embed "web/player/queue.js"
};
static const uint8_t player_reader_js[] = {
#embed "web/player/reader.js"
};
static const uint8_t player_save_js[] = {
#embed "web/player/save.js"
};
static const uint8_t player_session_js[] = {
#embed "web/player/session.js"
};
static const uint8_t player_stream_js[] = {
#embed "web/player/stream.js"
};
static const uint8_t player_worklet_js[] = {
#embed "web/player/worklet.js"
};
static const uint8_t sound_loudness_worklet_js[] = {
#embed "web/sound/loudness-worklet.js"
};
static const uint8_t sound_loudness_js[] = {
#embed "web/sound/loudness.js"
};
static const uint8_t sound_meter_js[] = {
#embed "web/sound/meter.js"
};
static const uint8_t sound_module_js[] = {
#embed "web/sound/module.js"
};
static const uint8_t sound_preset_js[] = {
#embed "web/sound/preset.js"
};
static const uint8_t sound_transform_js[] = {
#embed "web/sound/transform.js"
};
static const uint8_t spectrum_live_js[] = {
#embed "web/spectrum/live.js"
};
static const uint8_t spectrum_scope_js[] = {
#embed "web/spectrum/scope.js"
};
static const uint8_t spectrum_spectrum_js[] = {
#embed "web/spectrum/spectrum.js"
};
static const uint8_t spectrum_waterfall_js[] = {
#embed "web/spectrum/waterfall.js"
};
static const uint8_t track_chapters_js[] = {
#embed "web/track/chapters.js"
};
static const uint8_t track_facts_js[] = {
#embed "web/track/facts.js"
};
static const uint8_t track_plots_js[] = {
#embed "web/track/plots.js"
};
static const uint8_t track_timeline_js[] = {
#embed "web/track/timeline.js"
};
static const uint8_t track_track_js[] = {
#embed "web/track/track.js"
};
static const uint8_t wave_draw_js[] = {
#embed "web/wave/draw.js"
};
static const uint8_t wave_parts_js[] = {
#embed "web/wave/parts.js"
};
static const uint8_t wave_readout_js[] = {
#embed "web/wave/readout.js"
};
static const uint8_t wave_scale_js[] = {
#embed "web/wave/scale.js"
};
static const uint8_t wave_seekbar_js[] = {
#embed "web/wave/seekbar.js"
};
static const uint8_t wave_sound_js[] = {
#embed "web/wave/sound.js"
};
static const uint8_t wave_spectrogram_js[] = {
#embed "web/wave/spectrogram.js"
};
static const uint8_t wave_zoom_js[] = {
#embed "web/wave/zoom.js"
};

#define PAGE_FILE(array, name) {name, array, sizeof array}

static const DWPageFile files[] = {
    PAGE_FILE(app_js, "app.js"),
    PAGE_FILE(alike_dropping_js, "alike/dropping.js"),
    PAGE_FILE(alike_duplicates_js, "alike/duplicates.js"),
    PAGE_FILE(alike_identify_js, "alike/identify.js"),
    PAGE_FILE(alike_listening_js, "alike/listening.js"),
    PAGE_FILE(alike_map_js, "alike/map.js"),
    PAGE_FILE(alike_recorder_worklet_js, "alike/recorder-worklet.js"),
    PAGE_FILE(alike_recorder_js, "alike/recorder.js"),
    PAGE_FILE(alike_similar_js, "alike/similar.js"),
    PAGE_FILE(alike_together_js, "alike/together.js"),
    PAGE_FILE(core_api_js, "core/api.js"),
    PAGE_FILE(core_colour_js, "core/colour.js"),
    PAGE_FILE(core_dom_js, "core/dom.js"),
    PAGE_FILE(core_format_js, "core/format.js"),
    PAGE_FILE(core_router_js, "core/router.js"),
    PAGE_FILE(core_settings_js, "core/settings.js"),
    PAGE_FILE(css_alike_css, "css/alike.css"),
    PAGE_FILE(css_base_css, "css/base.css"),
    PAGE_FILE(css_equalizer_css, "css/equalizer.css"),
    PAGE_FILE(css_library_css, "css/library.css"),
    PAGE_FILE(css_player_css, "css/player.css"),
    PAGE_FILE(css_track_css, "css/track.css"),
    PAGE_FILE(effects_wasm, "effects.wasm"),
    PAGE_FILE(equalizer_axis_js, "equalizer/axis.js"),
    PAGE_FILE(equalizer_band_js, "equalizer/band.js"),
    PAGE_FILE(equalizer_curve_js, "equalizer/curve.js"),
    PAGE_FILE(equalizer_draft_js, "equalizer/draft.js"),
    PAGE_FILE(equalizer_effects_js, "equalizer/effects.js"),
    PAGE_FILE(equalizer_equalizer_js, "equalizer/equalizer.js"),
    PAGE_FILE(equalizer_files_js, "equalizer/files.js"),
    PAGE_FILE(equalizer_slider_js, "equalizer/slider.js"),
    PAGE_FILE(fonts_OFL_txt, "fonts/OFL.txt"),
    PAGE_FILE(fonts_etch_woff2, "fonts/etch.woff2"),
    PAGE_FILE(fonts_text_woff2, "fonts/text.woff2"),
    PAGE_FILE(icon_svg, "icon.svg"),
    PAGE_FILE(index_html, "index.html"),
    PAGE_FILE(library_columns_js, "library/columns.js"),
    PAGE_FILE(library_drag_js, "library/drag.js"),
    PAGE_FILE(library_groups_js, "library/groups.js"),
    PAGE_FILE(library_jumps_js, "library/jumps.js"),
    PAGE_FILE(library_library_js, "library/library.js"),
    PAGE_FILE(library_lists_js, "library/lists.js"),
    PAGE_FILE(library_outlines_js, "library/outlines.js"),
    PAGE_FILE(library_rows_js, "library/rows.js"),
    PAGE_FILE(library_search_js, "library/search.js"),
    PAGE_FILE(library_sights_js, "library/sights.js"),
    PAGE_FILE(library_sorting_js, "library/sorting.js"),
    PAGE_FILE(library_table_js, "library/table.js"),
    PAGE_FILE(page_keys_js, "page/keys.js"),
    PAGE_FILE(page_scan_js, "page/scan.js"),
    PAGE_FILE(page_settings_js, "page/settings.js"),
    PAGE_FILE(page_toast_js, "page/toast.js"),
    PAGE_FILE(page_views_js, "page/views.js"),
    PAGE_FILE(player_bar_js, "player/bar.js"),
    PAGE_FILE(player_element_js, "player/element.js"),
    PAGE_FILE(player_gain_js, "player/gain.js"),
    PAGE_FILE(player_output_js, "player/output.js"),
    PAGE_FILE(player_pcm_js, "player/pcm.js"),
    PAGE_FILE(player_player_js, "player/player.js"),
    PAGE_FILE(player_queue_js, "player/queue.js"),
    PAGE_FILE(player_reader_js, "player/reader.js"),
    PAGE_FILE(player_save_js, "player/save.js"),
    PAGE_FILE(player_session_js, "player/session.js"),
    PAGE_FILE(player_stream_js, "player/stream.js"),
    PAGE_FILE(player_worklet_js, "player/worklet.js"),
    PAGE_FILE(sound_loudness_worklet_js, "sound/loudness-worklet.js"),
    PAGE_FILE(sound_loudness_js, "sound/loudness.js"),
    PAGE_FILE(sound_meter_js, "sound/meter.js"),
    PAGE_FILE(sound_module_js, "sound/module.js"),
    PAGE_FILE(sound_preset_js, "sound/preset.js"),
    PAGE_FILE(sound_transform_js, "sound/transform.js"),
    PAGE_FILE(spectrum_live_js, "spectrum/live.js"),
    PAGE_FILE(spectrum_scope_js, "spectrum/scope.js"),
    PAGE_FILE(spectrum_spectrum_js, "spectrum/spectrum.js"),
    PAGE_FILE(spectrum_waterfall_js, "spectrum/waterfall.js"),
    PAGE_FILE(track_chapters_js, "track/chapters.js"),
    PAGE_FILE(track_facts_js, "track/facts.js"),
    PAGE_FILE(track_plots_js, "track/plots.js"),
    PAGE_FILE(track_timeline_js, "track/timeline.js"),
    PAGE_FILE(track_track_js, "track/track.js"),
    PAGE_FILE(wave_draw_js, "wave/draw.js"),
    PAGE_FILE(wave_parts_js, "wave/parts.js"),
    PAGE_FILE(wave_readout_js, "wave/readout.js"),
    PAGE_FILE(wave_scale_js, "wave/scale.js"),
    PAGE_FILE(wave_seekbar_js, "wave/seekbar.js"),
    PAGE_FILE(wave_sound_js, "wave/sound.js"),
    PAGE_FILE(wave_spectrogram_js, "wave/spectrogram.js"),
    PAGE_FILE(wave_zoom_js, "wave/zoom.js"),
};

size_t dw_page_file_count(void) { return sizeof files / sizeof *files; }

DWPageFile dw_page_file(size_t index) { return files[index]; }
