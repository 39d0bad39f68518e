import fs from 'node:fs';
import path from 'node:path';
import { findCycles } from './cycles.mjs';
import { importsOf, resolveImport } from './imports.mjs';
import { refusalOfFile, refusalOfPackage } from './layers.mjs';

const SOURCES = ['packages/domain/src', 'packages/contract/src', 'apps/server/src', 'apps/web/src'];

/**
 * Every import below `root` that breaks the direction of dependencies, and every cycle.
 * @param {string} root
 * @returns {Promise<{ problems: string[], files: number }>}
 */
export async function checkDependencies(root) {
  const { parseSync } = await import('vite');
  const files = SOURCES.flatMap((folder) => sourcesIn(root, folder));
  const problems = [];
  const graph = new Map();
  for (const from of files) {
    const targets = [];
    for (const { specifier, line } of importsOf(parseSync, path.join(root, from))) {
      const to = resolveImport(root, from, specifier);
      const why =
        to === undefined
          ? refusalOfOutside(from, specifier)
          : (refusalOfWay(from, to, specifier) ?? refusalOfFile(from, to));
      if (why) problems.push(`${from}:${line} imports ${specifier}: ${why}`);
      if (to !== undefined) targets.push(to);
    }
    graph.set(from, targets);
  }
  problems.push(...findCycles(graph).map((cycle) => `a cycle: ${cycle.join(' → ')}`));
  return { problems, files: files.length };
}

const refusalOfOutside = (from, specifier) =>
  specifier.startsWith('.') ? undefined : refusalOfPackage(from, specifier);

const packageOf = (file) => file.split('/').slice(0, 2).join('/');

/** A relative path into another package would go round what that package exports. */
function refusalOfWay(from, to, specifier) {
  return specifier.startsWith('.') && packageOf(from) !== packageOf(to)
    ? 'another package is imported by its name'
    : undefined;
}

/** @returns {string[]} below the root, with slashes */
function sourcesIn(root, folder) {
  if (!fs.existsSync(path.join(root, folder))) return [];
  return fs
    .readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.posix.join(folder, String(name).replaceAll(path.sep, '/')))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .sort();
}
