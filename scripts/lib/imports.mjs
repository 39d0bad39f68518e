import fs from 'node:fs';
import path from 'node:path';

/** @typedef {{ specifier: string, line: number }} Import */

/**
 * Everything that a TypeScript file imports: statements, re-exports, dynamic imports, types.
 * @param {typeof import('vite').parseSync} parse
 * @param {string} file
 * @returns {Import[]}
 */
export function importsOf(parse, file) {
  const text = fs.readFileSync(file, 'utf8');
  const { module } = parse(file, text);
  const found = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest)),
    ...module.dynamicImports.map(({ moduleRequest }) => literalIn(text, moduleRequest)),
    ...typeImportsIn(text),
  ];
  const imports = found.filter(Boolean).map(({ value, start }) => ({ specifier: value, line: lineAt(text, start) }));
  const seen = new Set();
  return imports.filter(({ specifier, line }) => !seen.has(`${line} ${specifier}`) && seen.add(`${line} ${specifier}`));
}

/** A dynamic import of a computed name can't be followed. */
function literalIn(text, { start, end }) {
  const match = /^(['"])([^'"]+)\1$/.exec(text.slice(start, end));
  return match ? { value: match[2], start } : undefined;
}

/** `import('./x.ts').T` in the place of a type is no import statement to the parser. */
function typeImportsIn(text) {
  return [...text.matchAll(/\bimport\(\s*(['"])([^'"]+)\1\s*\)\s*\./g)].map((match) => ({
    value: match[2],
    start: match.index,
  }));
}

const lineAt = (text, position) => text.slice(0, position).split('\n').length;

/**
 * The file below `root` that a specifier leads to; `undefined` for a package of others or what is no TypeScript.
 * @param {string} root
 * @param {string} from below the root
 * @param {string} specifier
 */
export function resolveImport(root, from, specifier) {
  const own = /^@stet\/([^/]+)(?:\/(.+))?$/.exec(specifier);
  if (own) {
    const [, name, room] = own;
    if (name === 'domain') return `packages/domain/src/${room}/index.ts`;
    if (name === 'contract') return 'packages/contract/src/index.ts';
    return `apps/${name}/src/${room ?? 'index'}.ts`;
  }
  if (!specifier.startsWith('.')) return undefined;
  const file = path.posix.join(path.posix.dirname(from), specifier);
  return /\.tsx?$/.test(file) && fs.existsSync(path.join(root, file)) ? file : undefined;
}
