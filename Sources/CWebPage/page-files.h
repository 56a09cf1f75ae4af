// Made by scripts/page-files.py from the files in web/; do not edit.
static const uint8_t file_0[] = {
#embed "../../web/app.js"
};
static const uint8_t file_1[] = {
#embed "../../web/app/drawers.js"
};
static const uint8_t file_2[] = {
#embed "../../web/app/keys.js"
};
static const uint8_t file_3[] = {
#embed "../../web/app/scan-line.js"
};
static const uint8_t file_4[] = {
#embed "../../web/app/tags.js"
};
static const uint8_t file_5[] = {
#embed "../../web/app/views.js"
};
static const uint8_t file_6[] = {
#embed "../../web/audio/effects-chain.js"
};
static const uint8_t file_7[] = {
#embed "../../web/audio/effects-worklet.js"
};
static const uint8_t file_8[] = {
#embed "../../web/audio/effects.js"
};
static const uint8_t file_9[] = {
#embed "../../web/audio/element-engine.js"
};
static const uint8_t file_10[] = {
#embed "../../web/audio/gain.js"
};
static const uint8_t file_11[] = {
#embed "../../web/audio/loudness-worklet.js"
};
static const uint8_t file_12[] = {
#embed "../../web/audio/loudness.js"
};
static const uint8_t file_13[] = {
#embed "../../web/audio/meter.js"
};
static const uint8_t file_14[] = {
#embed "../../web/audio/mixing-worklet.js"
};
static const uint8_t file_15[] = {
#embed "../../web/audio/output.js"
};
static const uint8_t file_16[] = {
#embed "../../web/audio/player-worklet.js"
};
static const uint8_t file_17[] = {
#embed "../../web/audio/reader.js"
};
static const uint8_t file_18[] = {
#embed "../../web/audio/recorder-worklet.js"
};
static const uint8_t file_19[] = {
#embed "../../web/audio/recorder.js"
};
static const uint8_t file_20[] = {
#embed "../../web/audio/stream-engine.js"
};
static const uint8_t file_21[] = {
#embed "../../web/audio/synced-playback.js"
};
static const uint8_t file_22[] = {
#embed "../../web/audio/transform.js"
};
static const uint8_t file_23[] = {
#embed "../../web/components/album-tile.js"
};
static const uint8_t file_24[] = {
#embed "../../web/components/ask.js"
};
static const uint8_t file_25[] = {
#embed "../../web/components/choice.js"
};
static const uint8_t file_26[] = {
#embed "../../web/components/copy-path.js"
};
static const uint8_t file_27[] = {
#embed "../../web/components/drawer.js"
};
static const uint8_t file_28[] = {
#embed "../../web/components/file-drop.js"
};
static const uint8_t file_29[] = {
#embed "../../web/components/folder-chooser.js"
};
static const uint8_t file_30[] = {
#embed "../../web/components/key-list.js"
};
static const uint8_t file_31[] = {
#embed "../../web/components/live-spectrum.js"
};
static const uint8_t file_32[] = {
#embed "../../web/components/menu.js"
};
static const uint8_t file_33[] = {
#embed "../../web/components/names.js"
};
static const uint8_t file_34[] = {
#embed "../../web/components/nothing.js"
};
static const uint8_t file_35[] = {
#embed "../../web/components/plot.js"
};
static const uint8_t file_36[] = {
#embed "../../web/components/root-list.js"
};
static const uint8_t file_37[] = {
#embed "../../web/components/row-sound.js"
};
static const uint8_t file_38[] = {
#embed "../../web/components/save-dialog.js"
};
static const uint8_t file_39[] = {
#embed "../../web/components/seek-bar.js"
};
static const uint8_t file_40[] = {
#embed "../../web/components/selection.js"
};
static const uint8_t file_41[] = {
#embed "../../web/components/session-list.js"
};
static const uint8_t file_42[] = {
#embed "../../web/components/signs.js"
};
static const uint8_t file_43[] = {
#embed "../../web/components/star-slider.js"
};
static const uint8_t file_44[] = {
#embed "../../web/components/stars.js"
};
static const uint8_t file_45[] = {
#embed "../../web/components/table.js"
};
static const uint8_t file_46[] = {
#embed "../../web/components/tile-grid.js"
};
static const uint8_t file_47[] = {
#embed "../../web/components/toast.js"
};
static const uint8_t file_48[] = {
#embed "../../web/components/track-list.js"
};
static const uint8_t file_49[] = {
#embed "../../web/components/transport.js"
};
static const uint8_t file_50[] = {
#embed "../../web/components/viewport.js"
};
static const uint8_t file_51[] = {
#embed "../../web/components/waveform-marks.js"
};
static const uint8_t file_52[] = {
#embed "../../web/components/waveform-zoom.js"
};
static const uint8_t file_53[] = {
#embed "../../web/core/api.js"
};
static const uint8_t file_54[] = {
#embed "../../web/core/dom.js"
};
static const uint8_t file_55[] = {
#embed "../../web/core/fold.js"
};
static const uint8_t file_56[] = {
#embed "../../web/core/format.js"
};
static const uint8_t file_57[] = {
#embed "../../web/core/router.js"
};
static const uint8_t file_58[] = {
#embed "../../web/core/settings.js"
};
static const uint8_t file_59[] = {
#embed "../../web/core/signals.js"
};
static const uint8_t file_60[] = {
#embed "../../web/css/album.css"
};
static const uint8_t file_61[] = {
#embed "../../web/css/albums.css"
};
static const uint8_t file_62[] = {
#embed "../../web/css/base.css"
};
static const uint8_t file_63[] = {
#embed "../../web/css/equalizer.css"
};
static const uint8_t file_64[] = {
#embed "../../web/css/library.css"
};
static const uint8_t file_65[] = {
#embed "../../web/css/panes.css"
};
static const uint8_t file_66[] = {
#embed "../../web/css/player.css"
};
static const uint8_t file_67[] = {
#embed "../../web/css/playing.css"
};
static const uint8_t file_68[] = {
#embed "../../web/css/queue.css"
};
static const uint8_t file_69[] = {
#embed "../../web/css/rules.css"
};
static const uint8_t file_70[] = {
#embed "../../web/css/signin.css"
};
static const uint8_t file_71[] = {
#embed "../../web/css/similarity.css"
};
static const uint8_t file_72[] = {
#embed "../../web/css/start.css"
};
static const uint8_t file_73[] = {
#embed "../../web/css/tags.css"
};
static const uint8_t file_74[] = {
#embed "../../web/css/track.css"
};
static const uint8_t file_75[] = {
#embed "../../web/css/tracks.css"
};
static const uint8_t file_76[] = {
#embed "../../web/data/albums.js"
};
static const uint8_t file_77[] = {
#embed "../../web/data/browsers.js"
};
static const uint8_t file_78[] = {
#embed "../../web/data/computer-folders.js"
};
static const uint8_t file_79[] = {
#embed "../../web/data/covers.js"
};
static const uint8_t file_80[] = {
#embed "../../web/data/evidence.js"
};
static const uint8_t file_81[] = {
#embed "../../web/data/folders.js"
};
static const uint8_t file_82[] = {
#embed "../../web/data/list-changes.js"
};
static const uint8_t file_83[] = {
#embed "../../web/data/lists.js"
};
static const uint8_t file_84[] = {
#embed "../../web/data/names.js"
};
static const uint8_t file_85[] = {
#embed "../../web/data/outlines.js"
};
static const uint8_t file_86[] = {
#embed "../../web/data/pcm.js"
};
static const uint8_t file_87[] = {
#embed "../../web/data/presets.js"
};
static const uint8_t file_88[] = {
#embed "../../web/data/rows.js"
};
static const uint8_t file_89[] = {
#embed "../../web/data/scan.js"
};
static const uint8_t file_90[] = {
#embed "../../web/data/selected.js"
};
static const uint8_t file_91[] = {
#embed "../../web/data/spectrogram.js"
};
static const uint8_t file_92[] = {
#embed "../../web/data/tracks.js"
};
static const uint8_t file_93[] = {
#embed "../../web/data/transitions.js"
};
static const uint8_t file_94[] = {
#embed "../../web/data/waveform-data.js"
};
static const uint8_t file_95[] = {
#embed "../../web/drawing/axis.js"
};
static const uint8_t file_96[] = {
#embed "../../web/drawing/canvas.js"
};
static const uint8_t file_97[] = {
#embed "../../web/drawing/colour.js"
};
static const uint8_t file_98[] = {
#embed "../../web/drawing/plots.js"
};
static const uint8_t file_99[] = {
#embed "../../web/drawing/scale.js"
};
static const uint8_t file_100[] = {
#embed "../../web/drawing/spectrogram.js"
};
static const uint8_t file_101[] = {
#embed "../../web/drawing/strip.js"
};
static const uint8_t file_102[] = {
#embed "../../web/drawing/waveform.js"
};
static const uint8_t file_103[] = {
#embed "../../web/effects.wasm"
};
static const uint8_t file_104[] = {
#embed "../../web/fonts/OFL.txt"
};
static const uint8_t file_105[] = {
#embed "../../web/fonts/etch.woff2"
};
static const uint8_t file_106[] = {
#embed "../../web/fonts/text.woff2"
};
static const uint8_t file_107[] = {
#embed "../../web/icon.svg"
};
static const uint8_t file_108[] = {
#embed "../../web/index.html"
};
static const uint8_t file_109[] = {
#embed "../../web/player/media-session.js"
};
static const uint8_t file_110[] = {
#embed "../../web/player/player.js"
};
static const uint8_t file_111[] = {
#embed "../../web/player/queue-changes.js"
};
static const uint8_t file_112[] = {
#embed "../../web/player/queue-keeper.js"
};
static const uint8_t file_113[] = {
#embed "../../web/player/queue.js"
};
static const uint8_t file_114[] = {
#embed "../../web/player/resume.js"
};
static const uint8_t file_115[] = {
#embed "../../web/player/shuffled-order.js"
};
static const uint8_t file_116[] = {
#embed "../../web/views/album/album.js"
};
static const uint8_t file_117[] = {
#embed "../../web/views/album/model.js"
};
static const uint8_t file_118[] = {
#embed "../../web/views/album/strip.js"
};
static const uint8_t file_119[] = {
#embed "../../web/views/albums/albums.js"
};
static const uint8_t file_120[] = {
#embed "../../web/views/albums/choices.js"
};
static const uint8_t file_121[] = {
#embed "../../web/views/albums/columns.js"
};
static const uint8_t file_122[] = {
#embed "../../web/views/albums/model.js"
};
static const uint8_t file_123[] = {
#embed "../../web/views/equalizer/band.js"
};
static const uint8_t file_124[] = {
#embed "../../web/views/equalizer/curve.js"
};
static const uint8_t file_125[] = {
#embed "../../web/views/equalizer/draft.js"
};
static const uint8_t file_126[] = {
#embed "../../web/views/equalizer/effects.js"
};
static const uint8_t file_127[] = {
#embed "../../web/views/equalizer/equalizer.js"
};
static const uint8_t file_128[] = {
#embed "../../web/views/equalizer/files.js"
};
static const uint8_t file_129[] = {
#embed "../../web/views/equalizer/slider.js"
};
static const uint8_t file_130[] = {
#embed "../../web/views/library/columns.js"
};
static const uint8_t file_131[] = {
#embed "../../web/views/library/groups.js"
};
static const uint8_t file_132[] = {
#embed "../../web/views/library/jumps.js"
};
static const uint8_t file_133[] = {
#embed "../../web/views/library/library.js"
};
static const uint8_t file_134[] = {
#embed "../../web/views/library/list-changes.js"
};
static const uint8_t file_135[] = {
#embed "../../web/views/library/model.js"
};
static const uint8_t file_136[] = {
#embed "../../web/views/library/panels.js"
};
static const uint8_t file_137[] = {
#embed "../../web/views/library/search-field.js"
};
static const uint8_t file_138[] = {
#embed "../../web/views/library/selection-acts.js"
};
static const uint8_t file_139[] = {
#embed "../../web/views/library/selection-bar.js"
};
static const uint8_t file_140[] = {
#embed "../../web/views/library/tabs.js"
};
static const uint8_t file_141[] = {
#embed "../../web/views/library/tools.js"
};
static const uint8_t file_142[] = {
#embed "../../web/views/nowhere.js"
};
static const uint8_t file_143[] = {
#embed "../../web/views/panes/artist.js"
};
static const uint8_t file_144[] = {
#embed "../../web/views/panes/columns.js"
};
static const uint8_t file_145[] = {
#embed "../../web/views/panes/content.js"
};
static const uint8_t file_146[] = {
#embed "../../web/views/panes/kinds.js"
};
static const uint8_t file_147[] = {
#embed "../../web/views/panes/model.js"
};
static const uint8_t file_148[] = {
#embed "../../web/views/panes/panes.js"
};
static const uint8_t file_149[] = {
#embed "../../web/views/panes/problems.js"
};
static const uint8_t file_150[] = {
#embed "../../web/views/panes/works.js"
};
static const uint8_t file_151[] = {
#embed "../../web/views/player/bar.js"
};
static const uint8_t file_152[] = {
#embed "../../web/views/playing/lyrics-model.js"
};
static const uint8_t file_153[] = {
#embed "../../web/views/playing/playing.js"
};
static const uint8_t file_154[] = {
#embed "../../web/views/queue/queue-model.js"
};
static const uint8_t file_155[] = {
#embed "../../web/views/queue/queue.js"
};
static const uint8_t file_156[] = {
#embed "../../web/views/queue/row-menu.js"
};
static const uint8_t file_157[] = {
#embed "../../web/views/rules/model.js"
};
static const uint8_t file_158[] = {
#embed "../../web/views/rules/rules.js"
};
static const uint8_t file_159[] = {
#embed "../../web/views/settings/settings.js"
};
static const uint8_t file_160[] = {
#embed "../../web/views/signin/sign-in.js"
};
static const uint8_t file_161[] = {
#embed "../../web/views/similarity/copies.js"
};
static const uint8_t file_162[] = {
#embed "../../web/views/similarity/duplicates.js"
};
static const uint8_t file_163[] = {
#embed "../../web/views/similarity/identify.js"
};
static const uint8_t file_164[] = {
#embed "../../web/views/similarity/listening.js"
};
static const uint8_t file_165[] = {
#embed "../../web/views/similarity/map-model.js"
};
static const uint8_t file_166[] = {
#embed "../../web/views/similarity/map.js"
};
static const uint8_t file_167[] = {
#embed "../../web/views/similarity/similar.js"
};
static const uint8_t file_168[] = {
#embed "../../web/views/spectrum/loudness-readings.js"
};
static const uint8_t file_169[] = {
#embed "../../web/views/spectrum/scope.js"
};
static const uint8_t file_170[] = {
#embed "../../web/views/spectrum/spectrum.js"
};
static const uint8_t file_171[] = {
#embed "../../web/views/spectrum/waterfall.js"
};
static const uint8_t file_172[] = {
#embed "../../web/views/start/model.js"
};
static const uint8_t file_173[] = {
#embed "../../web/views/start/start.js"
};
static const uint8_t file_174[] = {
#embed "../../web/views/tags/draft.js"
};
static const uint8_t file_175[] = {
#embed "../../web/views/tags/field-row.js"
};
static const uint8_t file_176[] = {
#embed "../../web/views/tags/panel.js"
};
static const uint8_t file_177[] = {
#embed "../../web/views/tags/plan.js"
};
static const uint8_t file_178[] = {
#embed "../../web/views/tags/tags.js"
};
static const uint8_t file_179[] = {
#embed "../../web/views/tags/write-part.js"
};
static const uint8_t file_180[] = {
#embed "../../web/views/track/chapters.js"
};
static const uint8_t file_181[] = {
#embed "../../web/views/track/fact-list.js"
};
static const uint8_t file_182[] = {
#embed "../../web/views/track/facts.js"
};
static const uint8_t file_183[] = {
#embed "../../web/views/track/timeline.js"
};
static const uint8_t file_184[] = {
#embed "../../web/views/track/track.js"
};
static const DWPageFile files[] = {
    {"app.js", file_0, sizeof file_0},
    {"app/drawers.js", file_1, sizeof file_1},
    {"app/keys.js", file_2, sizeof file_2},
    {"app/scan-line.js", file_3, sizeof file_3},
    {"app/tags.js", file_4, sizeof file_4},
    {"app/views.js", file_5, sizeof file_5},
    {"audio/effects-chain.js", file_6, sizeof file_6},
    {"audio/effects-worklet.js", file_7, sizeof file_7},
    {"audio/effects.js", file_8, sizeof file_8},
    {"audio/element-engine.js", file_9, sizeof file_9},
    {"audio/gain.js", file_10, sizeof file_10},
    {"audio/loudness-worklet.js", file_11, sizeof file_11},
    {"audio/loudness.js", file_12, sizeof file_12},
    {"audio/meter.js", file_13, sizeof file_13},
    {"audio/mixing-worklet.js", file_14, sizeof file_14},
    {"audio/output.js", file_15, sizeof file_15},
    {"audio/player-worklet.js", file_16, sizeof file_16},
    {"audio/reader.js", file_17, sizeof file_17},
    {"audio/recorder-worklet.js", file_18, sizeof file_18},
    {"audio/recorder.js", file_19, sizeof file_19},
    {"audio/stream-engine.js", file_20, sizeof file_20},
    {"audio/synced-playback.js", file_21, sizeof file_21},
    {"audio/transform.js", file_22, sizeof file_22},
    {"components/album-tile.js", file_23, sizeof file_23},
    {"components/ask.js", file_24, sizeof file_24},
    {"components/choice.js", file_25, sizeof file_25},
    {"components/copy-path.js", file_26, sizeof file_26},
    {"components/drawer.js", file_27, sizeof file_27},
    {"components/file-drop.js", file_28, sizeof file_28},
    {"components/folder-chooser.js", file_29, sizeof file_29},
    {"components/key-list.js", file_30, sizeof file_30},
    {"components/live-spectrum.js", file_31, sizeof file_31},
    {"components/menu.js", file_32, sizeof file_32},
    {"components/names.js", file_33, sizeof file_33},
    {"components/nothing.js", file_34, sizeof file_34},
    {"components/plot.js", file_35, sizeof file_35},
    {"components/root-list.js", file_36, sizeof file_36},
    {"components/row-sound.js", file_37, sizeof file_37},
    {"components/save-dialog.js", file_38, sizeof file_38},
    {"components/seek-bar.js", file_39, sizeof file_39},
    {"components/selection.js", file_40, sizeof file_40},
    {"components/session-list.js", file_41, sizeof file_41},
    {"components/signs.js", file_42, sizeof file_42},
    {"components/star-slider.js", file_43, sizeof file_43},
    {"components/stars.js", file_44, sizeof file_44},
    {"components/table.js", file_45, sizeof file_45},
    {"components/tile-grid.js", file_46, sizeof file_46},
    {"components/toast.js", file_47, sizeof file_47},
    {"components/track-list.js", file_48, sizeof file_48},
    {"components/transport.js", file_49, sizeof file_49},
    {"components/viewport.js", file_50, sizeof file_50},
    {"components/waveform-marks.js", file_51, sizeof file_51},
    {"components/waveform-zoom.js", file_52, sizeof file_52},
    {"core/api.js", file_53, sizeof file_53},
    {"core/dom.js", file_54, sizeof file_54},
    {"core/fold.js", file_55, sizeof file_55},
    {"core/format.js", file_56, sizeof file_56},
    {"core/router.js", file_57, sizeof file_57},
    {"core/settings.js", file_58, sizeof file_58},
    {"core/signals.js", file_59, sizeof file_59},
    {"css/album.css", file_60, sizeof file_60},
    {"css/albums.css", file_61, sizeof file_61},
    {"css/base.css", file_62, sizeof file_62},
    {"css/equalizer.css", file_63, sizeof file_63},
    {"css/library.css", file_64, sizeof file_64},
    {"css/panes.css", file_65, sizeof file_65},
    {"css/player.css", file_66, sizeof file_66},
    {"css/playing.css", file_67, sizeof file_67},
    {"css/queue.css", file_68, sizeof file_68},
    {"css/rules.css", file_69, sizeof file_69},
    {"css/signin.css", file_70, sizeof file_70},
    {"css/similarity.css", file_71, sizeof file_71},
    {"css/start.css", file_72, sizeof file_72},
    {"css/tags.css", file_73, sizeof file_73},
    {"css/track.css", file_74, sizeof file_74},
    {"css/tracks.css", file_75, sizeof file_75},
    {"data/albums.js", file_76, sizeof file_76},
    {"data/browsers.js", file_77, sizeof file_77},
    {"data/computer-folders.js", file_78, sizeof file_78},
    {"data/covers.js", file_79, sizeof file_79},
    {"data/evidence.js", file_80, sizeof file_80},
    {"data/folders.js", file_81, sizeof file_81},
    {"data/list-changes.js", file_82, sizeof file_82},
    {"data/lists.js", file_83, sizeof file_83},
    {"data/names.js", file_84, sizeof file_84},
    {"data/outlines.js", file_85, sizeof file_85},
    {"data/pcm.js", file_86, sizeof file_86},
    {"data/presets.js", file_87, sizeof file_87},
    {"data/rows.js", file_88, sizeof file_88},
    {"data/scan.js", file_89, sizeof file_89},
    {"data/selected.js", file_90, sizeof file_90},
    {"data/spectrogram.js", file_91, sizeof file_91},
    {"data/tracks.js", file_92, sizeof file_92},
    {"data/transitions.js", file_93, sizeof file_93},
    {"data/waveform-data.js", file_94, sizeof file_94},
    {"drawing/axis.js", file_95, sizeof file_95},
    {"drawing/canvas.js", file_96, sizeof file_96},
    {"drawing/colour.js", file_97, sizeof file_97},
    {"drawing/plots.js", file_98, sizeof file_98},
    {"drawing/scale.js", file_99, sizeof file_99},
    {"drawing/spectrogram.js", file_100, sizeof file_100},
    {"drawing/strip.js", file_101, sizeof file_101},
    {"drawing/waveform.js", file_102, sizeof file_102},
    {"effects.wasm", file_103, sizeof file_103},
    {"fonts/OFL.txt", file_104, sizeof file_104},
    {"fonts/etch.woff2", file_105, sizeof file_105},
    {"fonts/text.woff2", file_106, sizeof file_106},
    {"icon.svg", file_107, sizeof file_107},
    {"index.html", file_108, sizeof file_108},
    {"player/media-session.js", file_109, sizeof file_109},
    {"player/player.js", file_110, sizeof file_110},
    {"player/queue-changes.js", file_111, sizeof file_111},
    {"player/queue-keeper.js", file_112, sizeof file_112},
    {"player/queue.js", file_113, sizeof file_113},
    {"player/resume.js", file_114, sizeof file_114},
    {"player/shuffled-order.js", file_115, sizeof file_115},
    {"views/album/album.js", file_116, sizeof file_116},
    {"views/album/model.js", file_117, sizeof file_117},
    {"views/album/strip.js", file_118, sizeof file_118},
    {"views/albums/albums.js", file_119, sizeof file_119},
    {"views/albums/choices.js", file_120, sizeof file_120},
    {"views/albums/columns.js", file_121, sizeof file_121},
    {"views/albums/model.js", file_122, sizeof file_122},
    {"views/equalizer/band.js", file_123, sizeof file_123},
    {"views/equalizer/curve.js", file_124, sizeof file_124},
    {"views/equalizer/draft.js", file_125, sizeof file_125},
    {"views/equalizer/effects.js", file_126, sizeof file_126},
    {"views/equalizer/equalizer.js", file_127, sizeof file_127},
    {"views/equalizer/files.js", file_128, sizeof file_128},
    {"views/equalizer/slider.js", file_129, sizeof file_129},
    {"views/library/columns.js", file_130, sizeof file_130},
    {"views/library/groups.js", file_131, sizeof file_131},
    {"views/library/jumps.js", file_132, sizeof file_132},
    {"views/library/library.js", file_133, sizeof file_133},
    {"views/library/list-changes.js", file_134, sizeof file_134},
    {"views/library/model.js", file_135, sizeof file_135},
    {"views/library/panels.js", file_136, sizeof file_136},
    {"views/library/search-field.js", file_137, sizeof file_137},
    {"views/library/selection-acts.js", file_138, sizeof file_138},
    {"views/library/selection-bar.js", file_139, sizeof file_139},
    {"views/library/tabs.js", file_140, sizeof file_140},
    {"views/library/tools.js", file_141, sizeof file_141},
    {"views/nowhere.js", file_142, sizeof file_142},
    {"views/panes/artist.js", file_143, sizeof file_143},
    {"views/panes/columns.js", file_144, sizeof file_144},
    {"views/panes/content.js", file_145, sizeof file_145},
    {"views/panes/kinds.js", file_146, sizeof file_146},
    {"views/panes/model.js", file_147, sizeof file_147},
    {"views/panes/panes.js", file_148, sizeof file_148},
    {"views/panes/problems.js", file_149, sizeof file_149},
    {"views/panes/works.js", file_150, sizeof file_150},
    {"views/player/bar.js", file_151, sizeof file_151},
    {"views/playing/lyrics-model.js", file_152, sizeof file_152},
    {"views/playing/playing.js", file_153, sizeof file_153},
    {"views/queue/queue-model.js", file_154, sizeof file_154},
    {"views/queue/queue.js", file_155, sizeof file_155},
    {"views/queue/row-menu.js", file_156, sizeof file_156},
    {"views/rules/model.js", file_157, sizeof file_157},
    {"views/rules/rules.js", file_158, sizeof file_158},
    {"views/settings/settings.js", file_159, sizeof file_159},
    {"views/signin/sign-in.js", file_160, sizeof file_160},
    {"views/similarity/copies.js", file_161, sizeof file_161},
    {"views/similarity/duplicates.js", file_162, sizeof file_162},
    {"views/similarity/identify.js", file_163, sizeof file_163},
    {"views/similarity/listening.js", file_164, sizeof file_164},
    {"views/similarity/map-model.js", file_165, sizeof file_165},
    {"views/similarity/map.js", file_166, sizeof file_166},
    {"views/similarity/similar.js", file_167, sizeof file_167},
    {"views/spectrum/loudness-readings.js", file_168, sizeof file_168},
    {"views/spectrum/scope.js", file_169, sizeof file_169},
    {"views/spectrum/spectrum.js", file_170, sizeof file_170},
    {"views/spectrum/waterfall.js", file_171, sizeof file_171},
    {"views/start/model.js", file_172, sizeof file_172},
    {"views/start/start.js", file_173, sizeof file_173},
    {"views/tags/draft.js", file_174, sizeof file_174},
    {"views/tags/field-row.js", file_175, sizeof file_175},
    {"views/tags/panel.js", file_176, sizeof file_176},
    {"views/tags/plan.js", file_177, sizeof file_177},
    {"views/tags/tags.js", file_178, sizeof file_178},
    {"views/tags/write-part.js", file_179, sizeof file_179},
    {"views/track/chapters.js", file_180, sizeof file_180},
    {"views/track/fact-list.js", file_181, sizeof file_181},
    {"views/track/facts.js", file_182, sizeof file_182},
    {"views/track/timeline.js", file_183, sizeof file_183},
    {"views/track/track.js", file_184, sizeof file_184},
};
