"""`play` on a terminal: what it draws, what keys do, and that it gives the terminal back whatever ends it."""

import fcntl
import json
import re
import signal
import struct
import subprocess
import termios
import time
import unittest

from support import COMMAND, PlayTest


def position(terminal):
    """In seconds, as the row below the waveform says."""
    for row in terminal.rows:
        if match := re.match(r"\s+(\d+):(\d\d)\s+−\d+:\d\d / ", row):
            return 60 * int(match[1]) + int(match[2])
    return -1


class ScreenTests(PlayTest):
    def test_the_track_is_shown_and_keys_move_it(self):
        terminal = self.play()
        self.until_shown(terminal, "First.wav")
        self.assertIn("1 of 2", terminal.rows[0])
        self.until_shown(terminal, "/ 2:00")
        terminal.type(" 5")
        self.until(lambda: position(terminal) == 60, lambda: terminal.text)
        terminal.type("l")
        self.until(lambda: position(terminal) == 70, lambda: terminal.text)
        terminal.type("\x1b[D")
        self.until(lambda: position(terminal) == 65, lambda: terminal.text)
        terminal.type("n")
        self.until_shown(terminal, "Second.wav")
        self.assertIn("2 of 2", terminal.rows[0])
        terminal.type("n")
        self.until_shown(terminal, "this is the last track")
        terminal.type("-")
        self.until_shown(terminal, "vol 95 %")
        terminal.type("q")
        self.until_ended(terminal, 0)

    def test_a_click_on_the_waveform_leads_there(self):
        terminal = self.play()
        self.until_shown(terminal, "/ 2:00")
        terminal.type(" \x1b[<0;51;8M\x1b[<0;51;8m")
        self.until(lambda: 58 <= position(terminal) <= 62, lambda: terminal.text)
        # The wheel: down twice, up once.
        terminal.type("\x1b[<65;51;8M\x1b[<65;51;8M\x1b[<64;51;8M")
        self.until_shown(terminal, "vol 95 %")

    def test_a_slider_that_is_moved_is_saved_as_a_preset_of_the_track(self):
        terminal = self.play()
        self.until_shown(terminal, "/ 2:00")
        terminal.type("e\x1b[C\x1b[C" + 4 * "\x1b[A")
        self.until_shown(terminal, "equalizer *")
        terminal.type("w\x15Mine\r")
        self.until_shown(terminal, "Mine")
        terminal.type("\x1bq")
        self.until_ended(terminal, 0)
        self.addCleanup(subprocess.run, [COMMAND, "preset", "delete", "Mine", "--force"], env=self.environment, capture_output=True)
        shown = subprocess.run([COMMAND, "preset", "show", "Mine", "--json"], env=self.environment, capture_output=True, text=True, check=True).stdout
        gains = {band["frequency_hz"]: band["gain_db"] for band in json.loads(shown)["bands"]}
        self.assertEqual([gain for gain in gains.values() if gain], [2], shown)

    def test_the_picture_of_another_size_is_that_of_a_terminal_that_had_it_before(self):
        terminal, other = self.play(), self.play(columns=70, rows=14)
        for one in (terminal, other):
            self.until_shown(one, "First.wav")
            one.type(" 5")
            self.until(lambda one=one: position(one) == 60, lambda one=one: one.text)
        terminal.resize(70, 14)
        self.until(lambda: terminal.rows == other.rows, lambda: f"{terminal.text}\n\nis not\n\n{other.text}")
        terminal.resize(20, 3)
        self.until(lambda: len(terminal.rows) == 3 and "First" in terminal.text, lambda: terminal.text)
        terminal.resize(70, 14)
        self.until(lambda: terminal.rows == other.rows, lambda: f"{terminal.text}\n\nis not\n\n{other.text}")

    def test_a_terminal_without_unicode_is_drawn_on_in_ascii(self):
        self.environment["LC_ALL"] = "C"
        terminal = self.play()
        self.until_shown(terminal, "/ 2:00")
        self.assertTrue(terminal.written.isascii())


class EndTests(PlayTest):
    def start(self):
        terminal = self.play()
        self.until_shown(terminal, "/ 2:00")
        self.assertFalse(terminal.is_given_back)
        terminal.type(" 5")
        self.until(lambda: position(terminal) == 60, lambda: terminal.text)
        return terminal

    def test_signals_end_it_with_the_terminal_whole_and_the_place_remembered(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            terminal = self.start()
            terminal.process.send_signal(number)
            self.until_ended(terminal, 128 + number)
            again = self.play("--resume")
            self.until(lambda: 60 <= position(again) < 70, lambda: again.text)
            self.until_shown(again, "First.wav")
            again.type("q")
            self.until_ended(again, 0)

    def test_a_signal_ends_it_on_a_terminal_that_nobody_reads(self):
        terminal = self.start()
        with terminal.lock:
            # The screen is drawn anew until the terminal takes no more.
            for _ in range(60):
                for columns in (90, 100):
                    fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, struct.pack("4H", 30, columns, 0, 0))
                    time.sleep(0.05)
            terminal.process.send_signal(signal.SIGTERM)
            self.assertEqual(terminal.process.wait(20), 128 + signal.SIGTERM)

    def test_a_crash_gives_the_terminal_back(self):
        terminal = self.start()
        terminal.process.send_signal(signal.SIGSEGV)
        self.assertEqual(terminal.process.wait(30), -signal.SIGSEGV)
        self.until(lambda: terminal.is_given_back, lambda: f"{terminal.written[-300:]!r}")

    def test_a_stopped_process_has_given_the_terminal_back_and_draws_again(self):
        terminal = self.start()
        for stop in (lambda: terminal.type("\x1a"), lambda: terminal.process.send_signal(signal.SIGTSTP)):
            stop()
            self.until(lambda: terminal.state == "T", lambda: terminal.state)
            self.until(lambda: terminal.is_given_back, lambda: f"{terminal.written[-300:]!r}")
            terminal.process.send_signal(signal.SIGCONT)
            self.until(lambda: not terminal.is_given_back and position(terminal) == 60, lambda: terminal.text)
            self.until_shown(terminal, "1 of 2")
        terminal.type("q")
        self.until_ended(terminal, 0)

    def test_a_device_that_fails_is_told_with_the_terminal_whole(self):
        terminal = self.start()
        self.device.fail()
        terminal.type(" ")
        self.assertEqual(terminal.process.wait(30), 1, terminal.text)
        self.until(lambda: terminal.is_given_back, lambda: f"{terminal.written[-300:]!r}")
        self.until_shown(terminal, "pipe")


if __name__ == "__main__":
    unittest.main()
