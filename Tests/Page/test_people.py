"""People who sign in: each has what is their own, and a page that nobody has signed in to shows nothing."""

import os
import pathlib
import subprocess
import unittest
import urllib.parse

from axe_playwright_python.sync_playwright import Axe

from support import COMMAND, RATE, RECORDINGS, Library, PageTest, browser, samples


class PrivateLibrary(Library):
    """One whose server shows nothing to strangers, with passwords of its own."""

    def serve(self):
        self.environment = {**os.environ, "XDG_STATE_HOME": str(pathlib.Path(self.path).parent / "state")}
        page = ["--page", os.environ["DEADWAX_PAGE"]] if "DEADWAX_PAGE" in os.environ else []
        self.server = subprocess.Popen(
            [COMMAND, "serve", "-L", self.path, "--port", "0", "--private", *page], stdout=subprocess.PIPE, text=True, env=self.environment)
        printed = next(word for line in self.server.stdout for word in line.split() if word.startswith("http"))
        self.address = f"http://127.0.0.1:{urllib.parse.urlsplit(printed).port}"
        self.token = printed.partition("#token=")[2]

    def user(self, *arguments):
        return subprocess.run([COMMAND, "serve", "user", *arguments], env=self.environment, check=True, capture_output=True, text=True).stdout.strip()


class PeopleTests(PageTest):
    @classmethod
    def setUpClass(cls):
        names = list(RECORDINGS)[:2]
        cls.own = PrivateLibrary({name: (RATE, samples(name, RECORDINGS[name])) for name in names}, {})
        cls.addClassCleanup(cls.own.close)
        cls.passwords = {name: cls.own.user("add", name, "--for", "browser") for name in ["ana", "ben"]}

    @property
    def library(self):
        return self.own

    def new_page(self, **options):
        """A browser that was never here."""
        context = browser(*self.arguments).new_context(**options)
        self.addCleanup(context.close)
        page = context.new_page()
        page.on("pageerror", lambda error: self.failures.append(str(error)))
        return page

    def sign_in(self, page, user, password=None):
        page.get_by_label("Name", exact=True).fill(user)
        page.get_by_label("Password", exact=True).fill(password or self.passwords[user])
        page.keyboard.press("Enter")

    def assert_no_violations(self, page):
        found = Axe().run(page).response["violations"]
        self.assertEqual([(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found], [])

    def test_each_person_has_their_own_and_whoever_signs_out_leaves_nothing(self):
        page = self.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
        page.goto(self.library.address + "/?sort=filename%2B")
        page.wait_for_selector(".sign-in")
        self.assertEqual(page.locator(".row .title a:visible").count(), 0)
        # What password managers look for.
        self.assertEqual(
            page.eval_on_selector_all("form input", "all => all.map(one => [one.type, one.autocomplete])"), [["text", "username"], ["password", "current-password"]])
        self.assert_no_violations(page)
        self.sign_in(page, "ana", "guess")
        page.get_by_text("The name or the password is wrong.").wait_for()
        self.sign_in(page, "ana")
        page.wait_for_selector(".row .title a")
        # One is where one wanted to go.
        self.assertIn("sort=filename", page.url)
        rated = page.evaluate(
            "async () => { const { change, getJSON } = await import('/core/api.js'); await change('PUT', '/tracks/1/rating', { rating: 40 });"
            " return (await getJSON('/tracks', { q: 'rating:40' })).rows.length }")
        self.assertEqual(rated, 1)
        self.assertEqual(self.library.ask("/tracks/count?q=rating:40")["files"], 0)
        page.goto(self.library.address + "/settings")
        page.get_by_text("You are signed in as ana.").wait_for()
        self.assert_no_violations(page)
        page.get_by_role("button", name="Sign out", exact=True).click()
        page.wait_for_selector(".sign-in")
        self.sign_in(page, "ben")
        page.get_by_text("You are signed in as ben.").wait_for()
        self.assertEqual(page.evaluate("import('/core/api.js').then(async ({ getJSON }) => (await getJSON('/tracks', { q: 'rating:40' })).rows.length)"), 0)

    def test_a_session_that_is_ended_elsewhere_ends_at_once(self):
        page = self.new_page()
        page.goto(self.library.address + "/signin")
        self.sign_in(page, "ben")
        page.wait_for_selector(".row .title a")
        owner = self.new_page()
        owner.goto(f"{self.library.address}/settings#token={self.library.token}")
        row = owner.locator(".session-list li", has_text="ben").first
        row.wait_for()
        while owner.locator(".session-list li", has_text="ben").count():
            owner.locator(".session-list li", has_text="ben").first.get_by_role("button").click()
            owner.get_by_text("is signed out.").wait_for()
            owner.wait_for_load_state("networkidle")
        # Its stream of events has ended: the page asks without being touched.
        page.wait_for_selector(".sign-in")


if __name__ == "__main__":
    unittest.main()
