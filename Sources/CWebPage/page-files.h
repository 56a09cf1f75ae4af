// Made by scripts/page-files.py from the files in web/; do not edit.
static const uint8_t file_0[] = {
#embed "../../web/alike/dropping.js"
};
static const uint8_t file_1[] = {
#embed "../../web/alike/duplicates.js"
};
static const uint8_t file_2[] = {
#embed "../../web/alike/identify.js"
};
static const uint8_t file_3[] = {
#embed "../../web/alike/listening.js"
};
static const uint8_t file_4[] = {
#embed "../../web/alike/map.js"
};
static const uint8_t file_5[] = {
#embed "../../web/alike/recorder-worklet.js"
};
static const uint8_t file_6[] = {
#embed "../../web/alike/recorder.js"
};
static const uint8_t file_7[] = {
#embed "../../web/alike/similar.js"
};
static const uint8_t file_8[] = {
#embed "../../web/alike/together.js"
};
static const uint8_t file_9[] = {
#embed "../../web/app.js"
};
static const uint8_t file_10[] = {
#embed "../../web/core/api.js"
};
static const uint8_t file_11[] = {
#embed "../../web/core/colour.js"
};
static const uint8_t file_12[] = {
#embed "../../web/core/dom.js"
};
static const uint8_t file_13[] = {
#embed "../../web/core/format.js"
};
static const uint8_t file_14[] = {
#embed "../../web/core/router.js"
};
static const uint8_t file_15[] = {
#embed "../../web/core/settings.js"
};
static const uint8_t file_16[] = {
#embed "../../web/css/alike.css"
};
static const uint8_t file_17[] = {
#embed "../../web/css/base.css"
};
static const uint8_t file_18[] = {
#embed "../../web/css/equalizer.css"
};
static const uint8_t file_19[] = {
#embed "../../web/css/library.css"
};
static const uint8_t file_20[] = {
#embed "../../web/css/player.css"
};
static const uint8_t file_21[] = {
#embed "../../web/css/track.css"
};
static const uint8_t file_22[] = {
#embed "../../web/effects.wasm"
};
static const uint8_t file_23[] = {
#embed "../../web/equalizer/axis.js"
};
static const uint8_t file_24[] = {
#embed "../../web/equalizer/band.js"
};
static const uint8_t file_25[] = {
#embed "../../web/equalizer/curve.js"
};
static const uint8_t file_26[] = {
#embed "../../web/equalizer/draft.js"
};
static const uint8_t file_27[] = {
#embed "../../web/equalizer/effects.js"
};
static const uint8_t file_28[] = {
#embed "../../web/equalizer/equalizer.js"
};
static const uint8_t file_29[] = {
#embed "../../web/equalizer/files.js"
};
static const uint8_t file_30[] = {
#embed "../../web/equalizer/slider.js"
};
static const uint8_t file_31[] = {
#embed "../../web/fonts/OFL.txt"
};
static const uint8_t file_32[] = {
#embed "../../web/fonts/etch.woff2"
};
static const uint8_t file_33[] = {
#embed "../../web/fonts/text.woff2"
};
static const uint8_t file_34[] = {
#embed "../../web/icon.svg"
};
static const uint8_t file_35[] = {
#embed "../../web/index.html"
};
static const uint8_t file_36[] = {
#embed "../../web/library/columns.js"
};
static const uint8_t file_37[] = {
#embed "../../web/library/drag.js"
};
static const uint8_t file_38[] = {
#embed "../../web/library/groups.js"
};
static const uint8_t file_39[] = {
#embed "../../web/library/jumps.js"
};
static const uint8_t file_40[] = {
#embed "../../web/library/library.js"
};
static const uint8_t file_41[] = {
#embed "../../web/library/lists.js"
};
static const uint8_t file_42[] = {
#embed "../../web/library/outlines.js"
};
static const uint8_t file_43[] = {
#embed "../../web/library/rows.js"
};
static const uint8_t file_44[] = {
#embed "../../web/library/search.js"
};
static const uint8_t file_45[] = {
#embed "../../web/library/sights.js"
};
static const uint8_t file_46[] = {
#embed "../../web/library/sorting.js"
};
static const uint8_t file_47[] = {
#embed "../../web/library/table.js"
};
static const uint8_t file_48[] = {
#embed "../../web/page/keys.js"
};
static const uint8_t file_49[] = {
#embed "../../web/page/scan.js"
};
static const uint8_t file_50[] = {
#embed "../../web/page/settings.js"
};
static const uint8_t file_51[] = {
#embed "../../web/page/toast.js"
};
static const uint8_t file_52[] = {
#embed "../../web/page/views.js"
};
static const uint8_t file_53[] = {
#embed "../../web/player/bar.js"
};
static const uint8_t file_54[] = {
#embed "../../web/player/element.js"
};
static const uint8_t file_55[] = {
#embed "../../web/player/gain.js"
};
static const uint8_t file_56[] = {
#embed "../../web/player/output.js"
};
static const uint8_t file_57[] = {
#embed "../../web/player/pcm.js"
};
static const uint8_t file_58[] = {
#embed "../../web/player/player.js"
};
static const uint8_t file_59[] = {
#embed "../../web/player/queue.js"
};
static const uint8_t file_60[] = {
#embed "../../web/player/reader.js"
};
static const uint8_t file_61[] = {
#embed "../../web/player/save.js"
};
static const uint8_t file_62[] = {
#embed "../../web/player/session.js"
};
static const uint8_t file_63[] = {
#embed "../../web/player/stream.js"
};
static const uint8_t file_64[] = {
#embed "../../web/player/worklet.js"
};
static const uint8_t file_65[] = {
#embed "../../web/sound/loudness-worklet.js"
};
static const uint8_t file_66[] = {
#embed "../../web/sound/loudness.js"
};
static const uint8_t file_67[] = {
#embed "../../web/sound/meter.js"
};
static const uint8_t file_68[] = {
#embed "../../web/sound/module.js"
};
static const uint8_t file_69[] = {
#embed "../../web/sound/preset.js"
};
static const uint8_t file_70[] = {
#embed "../../web/sound/transform.js"
};
static const uint8_t file_71[] = {
#embed "../../web/spectrum/live.js"
};
static const uint8_t file_72[] = {
#embed "../../web/spectrum/scope.js"
};
static const uint8_t file_73[] = {
#embed "../../web/spectrum/spectrum.js"
};
static const uint8_t file_74[] = {
#embed "../../web/spectrum/waterfall.js"
};
static const uint8_t file_75[] = {
#embed "../../web/track/chapters.js"
};
static const uint8_t file_76[] = {
#embed "../../web/track/facts.js"
};
static const uint8_t file_77[] = {
#embed "../../web/track/plots.js"
};
static const uint8_t file_78[] = {
#embed "../../web/track/timeline.js"
};
static const uint8_t file_79[] = {
#embed "../../web/track/track.js"
};
static const uint8_t file_80[] = {
#embed "../../web/wave/draw.js"
};
static const uint8_t file_81[] = {
#embed "../../web/wave/parts.js"
};
static const uint8_t file_82[] = {
#embed "../../web/wave/readout.js"
};
static const uint8_t file_83[] = {
#embed "../../web/wave/scale.js"
};
static const uint8_t file_84[] = {
#embed "../../web/wave/seekbar.js"
};
static const uint8_t file_85[] = {
#embed "../../web/wave/sound.js"
};
static const uint8_t file_86[] = {
#embed "../../web/wave/spectrogram.js"
};
static const uint8_t file_87[] = {
#embed "../../web/wave/zoom.js"
};
static const DWPageFile files[] = {
    {"alike/dropping.js", file_0, sizeof file_0},
    {"alike/duplicates.js", file_1, sizeof file_1},
    {"alike/identify.js", file_2, sizeof file_2},
    {"alike/listening.js", file_3, sizeof file_3},
    {"alike/map.js", file_4, sizeof file_4},
    {"alike/recorder-worklet.js", file_5, sizeof file_5},
    {"alike/recorder.js", file_6, sizeof file_6},
    {"alike/similar.js", file_7, sizeof file_7},
    {"alike/together.js", file_8, sizeof file_8},
    {"app.js", file_9, sizeof file_9},
    {"core/api.js", file_10, sizeof file_10},
    {"core/colour.js", file_11, sizeof file_11},
    {"core/dom.js", file_12, sizeof file_12},
    {"core/format.js", file_13, sizeof file_13},
    {"core/router.js", file_14, sizeof file_14},
    {"core/settings.js", file_15, sizeof file_15},
    {"css/alike.css", file_16, sizeof file_16},
    {"css/base.css", file_17, sizeof file_17},
    {"css/equalizer.css", file_18, sizeof file_18},
    {"css/library.css", file_19, sizeof file_19},
    {"css/player.css", file_20, sizeof file_20},
    {"css/track.css", file_21, sizeof file_21},
    {"effects.wasm", file_22, sizeof file_22},
    {"equalizer/axis.js", file_23, sizeof file_23},
    {"equalizer/band.js", file_24, sizeof file_24},
    {"equalizer/curve.js", file_25, sizeof file_25},
    {"equalizer/draft.js", file_26, sizeof file_26},
    {"equalizer/effects.js", file_27, sizeof file_27},
    {"equalizer/equalizer.js", file_28, sizeof file_28},
    {"equalizer/files.js", file_29, sizeof file_29},
    {"equalizer/slider.js", file_30, sizeof file_30},
    {"fonts/OFL.txt", file_31, sizeof file_31},
    {"fonts/etch.woff2", file_32, sizeof file_32},
    {"fonts/text.woff2", file_33, sizeof file_33},
    {"icon.svg", file_34, sizeof file_34},
    {"index.html", file_35, sizeof file_35},
    {"library/columns.js", file_36, sizeof file_36},
    {"library/drag.js", file_37, sizeof file_37},
    {"library/groups.js", file_38, sizeof file_38},
    {"library/jumps.js", file_39, sizeof file_39},
    {"library/library.js", file_40, sizeof file_40},
    {"library/lists.js", file_41, sizeof file_41},
    {"library/outlines.js", file_42, sizeof file_42},
    {"library/rows.js", file_43, sizeof file_43},
    {"library/search.js", file_44, sizeof file_44},
    {"library/sights.js", file_45, sizeof file_45},
    {"library/sorting.js", file_46, sizeof file_46},
    {"library/table.js", file_47, sizeof file_47},
    {"page/keys.js", file_48, sizeof file_48},
    {"page/scan.js", file_49, sizeof file_49},
    {"page/settings.js", file_50, sizeof file_50},
    {"page/toast.js", file_51, sizeof file_51},
    {"page/views.js", file_52, sizeof file_52},
    {"player/bar.js", file_53, sizeof file_53},
    {"player/element.js", file_54, sizeof file_54},
    {"player/gain.js", file_55, sizeof file_55},
    {"player/output.js", file_56, sizeof file_56},
    {"player/pcm.js", file_57, sizeof file_57},
    {"player/player.js", file_58, sizeof file_58},
    {"player/queue.js", file_59, sizeof file_59},
    {"player/reader.js", file_60, sizeof file_60},
    {"player/save.js", file_61, sizeof file_61},
    {"player/session.js", file_62, sizeof file_62},
    {"player/stream.js", file_63, sizeof file_63},
    {"player/worklet.js", file_64, sizeof file_64},
    {"sound/loudness-worklet.js", file_65, sizeof file_65},
    {"sound/loudness.js", file_66, sizeof file_66},
    {"sound/meter.js", file_67, sizeof file_67},
    {"sound/module.js", file_68, sizeof file_68},
    {"sound/preset.js", file_69, sizeof file_69},
    {"sound/transform.js", file_70, sizeof file_70},
    {"spectrum/live.js", file_71, sizeof file_71},
    {"spectrum/scope.js", file_72, sizeof file_72},
    {"spectrum/spectrum.js", file_73, sizeof file_73},
    {"spectrum/waterfall.js", file_74, sizeof file_74},
    {"track/chapters.js", file_75, sizeof file_75},
    {"track/facts.js", file_76, sizeof file_76},
    {"track/plots.js", file_77, sizeof file_77},
    {"track/timeline.js", file_78, sizeof file_78},
    {"track/track.js", file_79, sizeof file_79},
    {"wave/draw.js", file_80, sizeof file_80},
    {"wave/parts.js", file_81, sizeof file_81},
    {"wave/readout.js", file_82, sizeof file_82},
    {"wave/scale.js", file_83, sizeof file_83},
    {"wave/seekbar.js", file_84, sizeof file_84},
    {"wave/sound.js", file_85, sizeof file_85},
    {"wave/spectrogram.js", file_86, sizeof file_86},
    {"wave/zoom.js", file_87, sizeof file_87},
};
