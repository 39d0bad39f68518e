import fs from 'node:fs';
import path from 'node:path';
import { runProgram } from './run-program.mjs';

/** Without a window and its address bar, the browser takes a quarter less CPU time. */
const HEADLESS = 'chromium-headless-shell';
const NAMES = [HEADLESS, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PROGRAMS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Returns the path of an installed Chromium or Chrome. `CHROMIUM_PATH` takes precedence, then Chromium without a window.
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined}
 */
export function findChromium(env = process.env) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const onPath = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const candidates = [env.CHROMIUM_PATH, ...onPath, ...(process.platform === 'darwin' ? MAC_PROGRAMS : [])];
  return candidates.find((file) => file !== undefined && isProgram(file));
}

/** @param {string} file */
function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Finds Chromium or Chrome. If this process is root on a Linux system with apt, it installs Chromium without a window if
 * the system knows that package, or, if there is no browser at all, the whole Chromium.
 * @returns {Promise<{ file: string } | { problem: string }>}
 */
export async function ensureChromium() {
  let found = findChromium();
  const isBest = Boolean(process.env['CHROMIUM_PATH']) || path.basename(found ?? '') === HEADLESS;
  if (!isBest && process.platform === 'linux' && process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')) {
    if (!found) await aptGet('update');
    if (await isInApt(HEADLESS)) await install(HEADLESS);
    if (!findChromium()) await install('chromium');
    found = findChromium();
  }
  if (found) return { file: found };
  return {
    problem:
      process.platform === 'darwin'
        ? 'The browser journeys need Chromium or Google Chrome in /Applications (or CHROMIUM_PATH set to its path).'
        : 'The browser journeys need Chromium: install it with your package manager ("apt-get install chromium", "dnf install chromium", …), or set CHROMIUM_PATH to the path of Chromium or Chrome.',
  };
}

/** @param {string} name */
async function isInApt(name) {
  const { output } = await runProgram('apt-cache', ['policy', name], { quiet: true, minutes: 1, env: { LC_ALL: 'C' } });
  return /Candidate: (?!\(none\))/.test(output);
}

/** @param {string} browser */
async function install(browser) {
  console.log(`Installing ${browser} (apt-get)…`);
  // Includes a font package, because without fonts, pages show boxes instead of letters.
  await aptGet('install', '-y', '--no-install-recommends', browser, 'fonts-liberation');
}

/** @param {string[]} args */
async function aptGet(...args) {
  const options = { quiet: true, minutes: 15, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  const { code, output } = await runProgram('apt-get', args, options);
  if (code !== 0) console.error(output.slice(-2_000));
}
