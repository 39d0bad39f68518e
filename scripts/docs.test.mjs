import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromRoot } from './lib/paths.mjs';

const PAGES = ['README.md', ...fs.readdirSync(fromRoot('docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);
const read = (/** @type {string} */ file) => fs.readFileSync(fromRoot(file), 'utf8');
const found = (/** @type {string} */ text, /** @type {RegExp} */ pattern) => [
  ...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? '')),
];

/** The sources that can use an environment variable, as one text. */
const sources = ['apps/server/src', 'apps/web', 'bench', 'e2e', 'scripts', 'deploy', 'compose.yaml', 'Dockerfile']
  .flatMap((place) =>
    fs.statSync(fromRoot(place)).isDirectory()
      ? fs
          .readdirSync(fromRoot(place), { recursive: true, encoding: 'utf8' })
          .filter((name) => !/(?:^|\/)(?:node_modules|dist)\//.test(name) && /\.(?:m?[jt]sx?|example)$/.test(name))
          .filter((name) => !name.endsWith('docs.test.mjs'))
          .map((name) => `${place}/${name}`)
      : [place],
  )
  .map(read)
  .join('\n');

const commands = found(
  fs
    .readdirSync(fromRoot('apps/server/src/cli'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => read(`apps/server/src/cli/${name}`))
    .join('\n'),
  /\bname: '([a-z][a-z -]*)'/g,
);
const scripts = Object.keys(JSON.parse(read('package.json')).scripts);

describe.each(PAGES)('%s', (page) => {
  const text = read(page);
  // Text between double backquotes is a quotation from the sources, as in a list of mutants, and not an instruction.
  const instructions = text.replaceAll(/(?<!`)``(?!`)[^\n]*? ``(?!`)/g, '');
  const code = [...instructions.matchAll(/```(?:sh)?\n([\s\S]*?)```|`([^`\n]+)`/g)]
    .map((match) => match[1] ?? match[2])
    .join('\n');

  it('names only existing npm scripts', () => {
    const named = found(code, /npm run (?:-s )?([a-z][a-z:-]*)/g);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  it('names only existing commands of the command line', () => {
    const named = found(code, /(?:^|\n|[($;&|] ?|stet -- )stet ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g).filter(
      (name) => !name.startsWith('help'),
    );
    const isOne = (/** @type {string} */ name) =>
      commands.includes(name) ||
      commands.includes(name.split(' ', 1)[0] ?? '') ||
      // A group of commands, such as `stet admin …`.
      commands.some((command) => command.startsWith(`${name} `));
    expect(named.filter((name) => !isOne(name))).toEqual([]);
  });

  it('names only environment variables that are used', () => {
    const named = found(code, /\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)\b/g);
    expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
  });

  it('links only to existing files', () => {
    const links = found(text, /\]\(([^)\s#]+)(?:#[^)]*)?\)/g).filter((link) => !/^[a-z]+:/.test(link));
    const missing = links.filter((link) => !fs.existsSync(path.resolve(fromRoot(page), '..', link)));
    expect(missing).toEqual([]);
  });
});
