import fs from 'node:fs';
import path from 'node:path';
import { runProgram } from './run-program.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_PROGRAMS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Returns the path of an installed Chromium or Chrome; `CHROMIUM_PATH` takes precedence.
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
 * Finds Chromium or Chrome. If there is none, installs Chromium with apt-get if this process is root on Linux.
 * @returns {Promise<{ file: string } | { problem: string }>}
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return { file: found };
  if (process.platform === 'linux' && process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')) {
    await installWithApt();
    const installed = findChromium();
    if (installed) return { file: installed };
  }
  return {
    problem:
      process.platform === 'darwin'
        ? 'The browser journeys need Chromium or Google Chrome in /Applications (or CHROMIUM_PATH set to its path).'
        : 'The browser journeys need Chromium: install it with your package manager ("apt-get install chromium", "dnf install chromium", …), or set CHROMIUM_PATH to the path of Chromium or Chrome.',
  };
}

async function installWithApt() {
  console.log('Installing Chromium (apt-get)…');
  const options = { quiet: true, minutes: 15, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  await runProgram('apt-get', ['update'], options);
  // Includes a font package, because without fonts, pages show boxes instead of letters.
  const packages = ['chromium', 'fonts-liberation'];
  const { code, output } = await runProgram(
    'apt-get',
    ['install', '-y', '--no-install-recommends', ...packages],
    options,
  );
  if (code !== 0) console.error(output.slice(-2_000));
}
