#!/usr/bin/env python3
"""Takes the README's and the manual's pictures of the page: page-pictures.py COMMAND MUSIC FOLDER. Needs Chromium and Playwright (scripts/test-page.sh).

MUSIC is a folder of music, or a library that has read it.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

from playwright.sync_api import sync_playwright

command, music, folder = sys.argv[1:]
HANDLES = pathlib.Path(__file__).parent.parent / "Tests/Page/handles.js"
PAGE = ["--page", os.environ["DEADWAX_PAGE"]] if "DEADWAX_PAGE" in os.environ else []
WIDE, PHONE = {"width": 1360, "height": 850}, {"width": 390, "height": 844}

# A preset that is worth a look, for the equalizer's picture.
PRESET = {
    "schema": 1, "name": "Warm room", "gain_db": -3.5, "reverb": {"room": "medium-room", "mix_percent": 8},
    "bands": [{"type": "low-shelf", "frequency_hz": 110, "gain_db": 2.5}, {"type": "parametric", "frequency_hz": 420, "gain_db": -3.5, "q": 1.1},
              {"type": "parametric", "frequency_hz": 2600, "gain_db": 2, "q": 0.8}, {"type": "high-shelf", "frequency_hz": 9000, "gain_db": -4}],
}

# Where in the longest track there is much to see: the loudest of its last two thirds.
PLACE = """
async () => {
  const { player } = deadwax; const track = player.track.peek();
  const { short_term_lufs: course } = await (await fetch(`/api/v1/tracks/${track.id}/loudness`)).json();
  const from = Math.floor(course.length / 3);
  const loudest = course.slice(from).reduce((best, value, i) => (value > course[best] ? i + from : best), from);
  await player.seek((loudest / 10 - 4) * track.rate);
}
"""


# Until all covers in view have come.
COVERS = """
async () => {
  const isThere = (image) => image.complete && image.naturalWidth > 0;
  while (![...document.querySelectorAll('.tile img[src]')].filter((image) => image.checkVisibility()).every(isThere)) await new Promise(done => setTimeout(done, 50));
}
"""


def play(page, track, total):
    page.evaluate(
        "async ([row, total]) => { deadwax.player.playFrom(row, { q: '', sort: '', total }, row.index);"
        " while (deadwax.player.frame() < 1000) await new Promise(done => setTimeout(done, 20)) }", [track, total])
    page.evaluate(PLACE)
    page.wait_for_timeout(1500)


def take(page, name, theme):
    """A picture as WebP, which the browser can write itself."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(600)
    shot = base64.b64encode(page.screenshot()).decode()
    image = page.context.browser.new_page()
    data = image.evaluate(
        "async shot => { const image = new Image(); image.src = 'data:image/png;base64,' + shot; await image.decode();"
        " const canvas = new OffscreenCanvas(image.width, image.height); canvas.getContext('2d').drawImage(image, 0, 0);"
        " const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.45 });"
        " return await new Promise(done => { const reader = new FileReader(); reader.onload = () => done(reader.result.split(',')[1]); reader.readAsDataURL(blob) }) }", shot)
    image.close()
    (pathlib.Path(folder) / f"page-{name}-{theme}.webp").write_bytes(base64.b64decode(data))


def pictures(browser, address, track, total):
    for theme in ("dark", "light"):
        context = browser.new_context(viewport=WIDE, color_scheme=theme)
        page = context.new_page()
        page.add_init_script(path=HANDLES)
        page.goto(address)
        page.wait_for_selector(".row .title a")
        play(page, track, total)
        take(page, "library", theme)
        page.evaluate("deadwax.go('/?view=albums')")
        page.wait_for_selector(".tile img")
        page.evaluate(COVERS)
        take(page, "albums", theme)
        page.evaluate(f"deadwax.go('/album/{track['album-id']}')")
        page.wait_for_selector(".album-page .line canvas")
        take(page, "album", theme)
        # Those below are in the manual, in one theme.
        if theme == "dark":
            page.evaluate(f"deadwax.go('/track/{track['id']}')")
            page.wait_for_selector(".plots .spectrum")
            take(page, "track", theme)
            page.evaluate("deadwax.go('/equalizer')")
            page.wait_for_selector(".points .point")
            page.locator(".point").nth(1).focus()
            take(page, "equalizer", theme)
            page.evaluate("deadwax.go('/spectrum')")
            page.wait_for_timeout(4500)
            take(page, "spectrum", theme)
            page.evaluate("deadwax.go('/?view=map')")
            page.wait_for_selector(".map canvas")
            take(page, "map", theme)
            page.evaluate("deadwax.go('/?view=duplicates')")
            page.wait_for_selector(".copies-of")
            take(page, "duplicates", theme)
            page.evaluate("deadwax.go('/')")
            page.keyboard.press("v")
            page.wait_for_selector(".drawer.playing .coming li")
            take(page, "playing", theme)
        context.close()
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2, color_scheme="dark")
    page = context.new_page()
    page.add_init_script(path=HANDLES)
    page.goto(address)
    page.wait_for_selector(".row .title a")
    play(page, track, total)
    take(page, "phone", "dark")
    context.close()


def by_artist(rows, library):
    """What the picture of the albums shows: of one album with many artists, one for each of them."""
    for artist in sorted({row["artist"] for row in rows if row["artist"] and "; " not in row["artist"]}):
        subprocess.run([command, "tags", "set", "--quiet", *library, f"albumartist={artist}", f'artist:="{artist}"'], check=True, capture_output=True)


def copies(rows, work, library):
    """What the picture of the duplicates shows: some tracks once more, as smaller files."""
    (pathlib.Path(work) / "phone").mkdir()
    for row, kind in zip(rows[1:40:8], ("mp3", "opus", "mp3", "ogg", "opus")):
        file = f"{work}/phone/{row['id']}.{kind}"
        subprocess.run([command, "render", str(row["id"]), "-o", file, *library], check=True, capture_output=True)
    subprocess.run([command, "scan", "--quiet", *library, "--", f"{work}/phone"], check=True)


with tempfile.TemporaryDirectory() as work, sync_playwright() as driver:
    library = ["-L", f"{work}/library.sqlite"]
    if os.path.isdir(music):
        subprocess.run([command, "scan", "--quiet", *library, "--", music], check=True)
    else:
        subprocess.run([command, "backup", "--quiet", "-L", music, library[1]], check=True)
    server = subprocess.Popen([command, "serve", *library, "--port", "0", *PAGE], stdout=subprocess.PIPE, text=True)
    try:
        printed = next(word for line in server.stdout for word in line.split() if word.startswith("http"))
        address = printed.partition("/#")[0]
        rows = json.load(urllib.request.urlopen(f"{address}/api/v1/tracks?limit=500&q=state:ok"))["rows"]
        by_artist(rows, library)
        rows = json.load(urllib.request.urlopen(f"{address}/api/v1/tracks?limit=500&q=state:ok&fields=title,artist,album-id,duration,filename,codec,rate"))["rows"]
        copies(rows, work, library)
        index, track = next((i, row) for i, row in enumerate(rows) if i > 1 and row["title"] and row["duration"] > 150)
        preset = pathlib.Path(work) / "preset.json"
        preset.write_text(json.dumps(PRESET))
        subprocess.run([command, "preset", "import", *library, str(preset)], check=True, capture_output=True)
        subprocess.run([command, "preset", "assign", PRESET["name"], str(track["id"]), *library], check=True, capture_output=True)
        browser = driver.chromium.launch(executable_path=os.environ.get("DEADWAX_BROWSER", "/usr/bin/chromium"), args=["--autoplay-policy=no-user-gesture-required"])
        pictures(browser, printed, {**track, "index": index}, len(rows))
    finally:
        server.terminate()
        server.wait(10)
