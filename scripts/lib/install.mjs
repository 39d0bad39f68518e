import fs from 'node:fs';
import { Problem } from './command.mjs';
import { digestOf, readStamp } from './digest.mjs';
import { fromRoot } from './paths.mjs';
import { runProgram } from './run-program.mjs';

const LOWEST_NODE = [20, 19];
const LOCK = fromRoot('package-lock.json');
const INSTALLED = fromRoot('node_modules', '.package-lock.json');
const STAMP = fromRoot('node_modules', '.stet-lock');

/** Installs what `package-lock.json` names, unless that is what is installed. Refuses a Node that is too old. */
export async function ensureInstalled() {
  refuseOldNode(process.versions.node);
  const wanted = `${process.platform}-${process.arch} ${digestOf(['package-lock.json'])}`;
  if (readStamp(STAMP) === wanted) return;
  if (!(isForThisPlatform(readStamp(STAMP)) && isInstalledAsLocked(readJson(LOCK), readJson(INSTALLED)))) {
    await install();
  }
  fs.writeFileSync(STAMP, `${wanted}\n`);
}

/** @param {string} version such as `20.19.0` */
export function refuseOldNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [lowestMajor, lowestMinor] = LOWEST_NODE;
  if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) return;
  throw new Problem(`Stet needs Node ${lowestMajor}.${lowestMinor} or newer; this is Node ${version}.`);
}

/** A tree without a stamp was installed here by hand. @param {string | undefined} stamp */
const isForThisPlatform = (stamp) => stamp === undefined || stamp.startsWith(`${process.platform}-${process.arch} `);

/**
 * Whether the installed tree is what the lock names, as after an `npm install` that wrote both.
 * @param {{ packages?: Record<string, Locked> } | undefined} lock
 * @param {{ packages?: Record<string, Locked> } | undefined} installed npm's own record of the tree
 * @typedef {{ version?: string, integrity?: string, optional?: boolean }} Locked
 */
export function isInstalledAsLocked(lock, installed) {
  if (!lock?.packages || !installed?.packages) return false;
  const there = installed.packages;
  return Object.entries(lock.packages).every(([place, wanted]) => {
    if (place === '') return true;
    const found = there[place];
    // An optional package that is not there is one for another platform.
    if (!found) return wanted.optional === true;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

async function install() {
  console.log('Installing packages (npm ci)…');
  // Development packages are needed to build, also where NODE_ENV=production is set.
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional'];
  const npm = process.env.npm_execpath;
  const { code } = npm?.endsWith('.js')
    ? await runProgram(process.execPath, [npm, ...args])
    : await runProgram('npm', args);
  if (code === 127) throw new Problem('npm was not found. Install it with Node (https://nodejs.org) and try again.');
  if (code !== 0) {
    throw new Problem('The packages could not be installed. npm says why above; is the package registry reachable?');
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
