"""What the page may change: with the token of the printed address everything, without it nothing."""

import unittest

from support import PageTest, browser


class RightsTests(PageTest):
    def new_page(self):
        """A browser that was never here."""
        context = browser(*self.arguments).new_context()
        self.addCleanup(context.close)
        return context.new_page()

    def rate(self, page):
        """Rates a track as the page does, and gives the status of the answer."""
        return page.evaluate(
            "async () => { const { change } = await import('/core/api.js');"
            " try { await change('PUT', '/tracks/1/rating', { rating: 40 }); return 200 } catch (error) { return error.status } }")

    def test_the_printed_address_lets_the_page_change_things_from_then_on(self):
        page = self.new_page()
        page.goto(f"{self.library.address}/#token={self.library.token}")
        page.wait_for_selector(".row .title a")
        self.assertNotIn("token", page.url)
        self.assertEqual(self.rate(page), 200)
        page.goto(self.library.address)
        page.wait_for_selector(".row .title a")
        self.assertEqual(self.rate(page), 200)

    def test_without_the_token_the_page_reads_and_changes_nothing(self):
        page = self.new_page()
        page.goto(self.library.address)
        page.wait_for_selector(".row .title a")
        self.assertEqual(self.rate(page), 401)

    def test_a_wrong_token_is_not_kept(self):
        page = self.new_page()
        page.goto(f"{self.library.address}/#token=0123456789abcdef")
        page.wait_for_selector(".row .title a")
        self.assertNotIn("token", page.url)
        self.assertIsNone(page.evaluate("localStorage.getItem('deadwax.token')"))


if __name__ == "__main__":
    unittest.main()
