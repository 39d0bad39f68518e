import fs from 'node:fs';
import { CommandError } from './command.mjs';
import { digestOf, readStamp } from './digest.mjs';
import { fromRoot } from './paths.mjs';
import { runProgram } from './run-program.mjs';

const LOWEST_NODE = [20, 19];
const LOCK = fromRoot('package-lock.json');
const INSTALLED = fromRoot('node_modules', '.package-lock.json');
const STAMP = fromRoot('node_modules', '.stet-lock');

/**
 * The packages that a command needs: those to build and run the product (`dependencies`), or also those for development
 * (`devDependencies`).
 * @typedef {'running' | 'everything'} Extent
 */

/**
 * Installs the packages of `package-lock.json`, unless they are already installed. Refuses a Node version that is too
 * old. If everything was installed before, everything is required again, so that no command removes the development
 * packages.
 * @param {Extent} extent
 */
export async function ensureInstalled(extent) {
  refuseOldNode(process.versions.node);
  const lock = readJson(LOCK);
  const stamp = (/** @type {Extent} */ of) =>
    `${process.platform}-${process.arch} ${digestOf(['package-lock.json'])} ${of}`;
  const has = readStamp(STAMP);
  if (has === stamp('everything') || has === stamp(extent)) return;

  const isHere = isForThisPlatform(has);
  const isInstalled = (/** @type {Extent} */ of) => isHere && isInstalledAsLocked(lock, readJson(INSTALLED), of);
  if (isInstalled('everything')) return fs.writeFileSync(STAMP, `${stamp('everything')}\n`);
  const wanted = has?.endsWith(' everything') ? 'everything' : extent;
  if (!isInstalled(wanted)) {
    // The stamp is removed first, so that an interrupted install is checked again.
    fs.rmSync(STAMP, { force: true });
    // Unlike `npm ci`, `npm install` doesn't delete `node_modules` first. A server may be running from it.
    if (isInstalled('running')) await npm(['install', '--no-save'], wanted);
    if (!isInstalled(wanted)) await npm(['ci'], wanted);
  }
  fs.writeFileSync(STAMP, `${stamp(wanted)}\n`);
}

/** @param {string} version such as `20.19.0` */
export function refuseOldNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [lowestMajor, lowestMinor] = LOWEST_NODE;
  if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) return;
  throw new CommandError(`Stet needs Node ${lowestMajor}.${lowestMinor} or newer; this is Node ${version}.`);
}

/**
 * Returns whether the tree was installed on this platform. Without a stamp, we assume that it was installed here by
 * hand.
 * @param {string | undefined} stamp
 */
const isForThisPlatform = (stamp) => stamp === undefined || stamp.startsWith(`${process.platform}-${process.arch} `);

/**
 * Returns whether the packages of the given extent are installed with the versions and contents in the lockfile.
 * @param {{ packages?: Record<string, Locked> } | undefined} lock
 * @param {{ packages?: Record<string, Locked> } | undefined} installed npm's own record of the tree
 * @param {Extent} extent
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, dev?: boolean, devOptional?: boolean }} Locked
 */
export function isInstalledAsLocked(lock, installed, extent) {
  if (!lock?.packages || !installed?.packages) return false;
  const there = installed.packages;
  return Object.entries(lock.packages).every(([place, wanted]) => {
    if (place === '') return true;
    const found = there[place];
    // A missing optional package is for another platform.
    if (!found)
      return wanted.optional === true || (extent === 'running' && (wanted.dev ?? wanted.devOptional) === true);
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/** @param {string[]} how @param {Extent} extent */
async function npm(how, extent) {
  console.log(extent === 'running' ? 'Installing packages…' : 'Installing packages, including those for development…');
  // Set explicitly, because with NODE_ENV=production npm would omit the development packages.
  const dev = extent === 'running' ? '--omit=dev' : '--include=dev';
  const args = [...how, '--no-audit', '--no-fund', '--loglevel=error', dev, '--include=optional'];
  const program = process.env.npm_execpath;
  const { code } = program?.endsWith('.js')
    ? await runProgram(process.execPath, [program, ...args])
    : await runProgram('npm', args);
  if (code === 127)
    throw new CommandError('npm was not found. Install it with Node (https://nodejs.org) and try again.');
  if (code !== 0) {
    throw new CommandError(
      'The packages could not be installed; see npm’s output above. Is the package registry reachable?',
    );
  }
}

/** @param {string} file @returns {any} */
function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
