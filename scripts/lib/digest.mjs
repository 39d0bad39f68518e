import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fromRoot, ROOT } from './paths.mjs';

const NOT_SOURCES = new Set(['node_modules', 'dist']);
const isSource = (name) => !NOT_SOURCES.has(name) && !name.includes('.test.');

/**
 * Returns a digest of Node's version and of the names and contents of files. For a folder, it covers all its files
 * except tests, build output and installed packages. File times aren't used, because a checkout changes them.
 * @param {string[]} inputs files and folders below the root; missing ones are ignored
 */
export function digestOf(inputs) {
  const hash = createHash('sha256').update(process.version);
  for (const file of inputs.flatMap((input) => filesIn(fromRoot(input)))) {
    hash.update(`\0${path.relative(ROOT, file)}\0`).update(fs.readFileSync(file));
  }
  return hash.digest('hex');
}

/** @param {string} place @returns {string[]} */
function filesIn(place) {
  const found = fs.statSync(place, { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return [place];
  const names = fs.readdirSync(place).filter(isSource).sort();
  return names.flatMap((name) => filesIn(path.join(place, name)));
}

/** @param {string} file @returns {string | undefined} the content of a stamp, trimmed */
export function readStamp(file) {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined;
}
