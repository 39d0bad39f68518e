import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CommandError } from './command.mjs';
import { digestOf, readStamp } from './digest.mjs';
import { ROOT, fromRoot } from './paths.mjs';
import { precompress } from './precompress.mjs';
import { runNode } from './run-program.mjs';

const SHARED = [
  'packages/domain',
  'packages/contract',
  'packages/presentation',
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/lib/build.mjs',
];
const SERVER = fromRoot('apps', 'server');
const WEB = fromRoot('apps', 'web');

const TARGETS = [
  { name: 'web', inputs: ['apps/web', 'scripts/lib/precompress.mjs', ...SHARED], out: `${WEB}/dist`, make: buildWeb },
  { name: 'server', inputs: ['apps/server', ...SHARED], out: `${SERVER}/dist`, make: buildServer },
];

/** The entry point of the built server. */
export const SERVER_ENTRY = `${SERVER}/dist/main.js`;
export const DEMO_ENTRY = `${SERVER}/dist/demo-main.js`;
export const CLI_ENTRY = `${SERVER}/dist/cli-main.js`;

/**
 * Builds the targets whose sources changed since the last build.
 * @param {string[]} names names of the required targets
 */
export async function ensureBuilt(names = TARGETS.map(({ name }) => name)) {
  for (const { name, inputs, out, make } of TARGETS) {
    if (!names.includes(name)) continue;
    const stamp = `${out}/.built-from`;
    const digest = digestOf(inputs);
    // Written even if nothing is built, because a later commit can have the same sources.
    if (name === 'server') saveCommit(`${out}/commit`);
    if (readStamp(stamp) === digest) continue;
    const started = Date.now();
    fs.rmSync(stamp, { force: true });
    await make();
    // The stamp is written last, so that an interrupted build is repeated.
    fs.writeFileSync(stamp, `${digest}\n`);
    console.log(`Built ${name} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
}

/**
 * Returns 12 hex digits of the checked-out commit, with `-dirty` if tracked files were changed. The environment
 * variable `STET_COMMIT` takes precedence, for builds without git. Empty if the commit is unknown.
 */
export function commitOf(root = ROOT) {
  if (process.env.STET_COMMIT) return process.env.STET_COMMIT;
  // If this is a copy inside another repository, git would return that repository's commit.
  if (!fs.existsSync(`${root}/.git`)) return '';
  try {
    const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** @param {string} file */
function saveCommit(file) {
  const commit = commitOf();
  if (readStamp(file) === commit) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${commit}\n`);
}

async function buildWeb() {
  const { code, output } = await runNode('node_modules/vite/bin/vite.js', ['build', 'apps/web', '--logLevel', 'warn'], {
    quiet: true,
    env: { NODE_ENV: 'production' },
  });
  if (code !== 0) throw new CommandError(`The web app could not be built:\n${output}`);
  await precompress(`${WEB}/dist`);
}

async function buildServer() {
  const { build } = await import('esbuild');
  const entries = {
    main: 'main.ts',
    'demo-main': 'demo-main.ts',
    'cli-main': 'cli-main.ts',
    // The server starts these as separate processes, from its own folder.
    'sandbox-process': 'adapters/sandbox/sandbox-process.ts',
    'preview-process': 'adapters/previews/preview-process.ts',
  };
  try {
    await build({
      entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `${SERVER}/src/${file}`])),
      outdir: `${SERVER}/dist`,
      bundle: true,
      // With splitting, dynamic imports remain separate files, so that each command loads only the libraries that it
      // needs.
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      logLevel: 'silent',
      plugins: [packagesStayOutside],
    });
  } catch (error) {
    throw new CommandError(`The server could not be built:\n${error instanceof Error ? error.message : String(error)}`);
  }
  fs.rmSync(`${SERVER}/dist/migrations`, { recursive: true, force: true });
  fs.cpSync(`${SERVER}/src/db/migrations`, `${SERVER}/dist/migrations`, { recursive: true });
}

/**
 * Bundles our own packages, because they are TypeScript. All other packages are imported as installed.
 * @type {import('esbuild').Plugin}
 */
const packagesStayOutside = {
  name: 'packages-stay-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@stet/') ? undefined : { path, external: true },
    );
  },
};
