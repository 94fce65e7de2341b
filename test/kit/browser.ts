import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The browser of this machine; undefined where there is none. */
export const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

if (BROWSER === undefined) console.warn('No browser at /usr/bin/chromium: the tests of the preview pages are skipped.');

/** Where the pictures go, for people to look at; a folder of the system when nobody names one. */
export const SHOTS = process.env.TEST_SCREENSHOTS ?? path.join(tmpdir(), 'seller-agent-screenshots');

/** Whether somebody wants to look at pictures: a page of the whole console costs as much as its test. */
export const ARE_SHOTS_ASKED_FOR = process.env.TEST_SCREENSHOTS !== undefined;
