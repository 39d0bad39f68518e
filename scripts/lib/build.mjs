import fs from 'node:fs';
import { Problem } from './command.mjs';
import { digestOf, readStamp } from './digest.mjs';
import { fromRoot } from './paths.mjs';
import { precompress } from './precompress.mjs';
import { runNode } from './run-program.mjs';

const SHARED = [
  'packages/domain',
  'packages/contract',
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

/** What the built server is started by. */
export const SERVER_ENTRY = `${SERVER}/dist/main.js`;
export const DEMO_ENTRY = `${SERVER}/dist/demo-main.js`;
export const CLI_ENTRY = `${SERVER}/dist/cli-main.js`;

/**
 * Builds what changed since the last build.
 * @param {string[]} names of the targets that are needed
 */
export async function ensureBuilt(names = TARGETS.map(({ name }) => name)) {
  for (const { name, inputs, out, make } of TARGETS) {
    if (!names.includes(name)) continue;
    const stamp = `${out}/.built-from`;
    const digest = digestOf(inputs);
    if (readStamp(stamp) === digest) continue;
    const started = Date.now();
    fs.rmSync(stamp, { force: true });
    await make();
    // Last, so that an interrupted build is done again.
    fs.writeFileSync(stamp, `${digest}\n`);
    console.log(`Built ${name} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
}

async function buildWeb() {
  const { code, output } = await runNode('node_modules/vite/bin/vite.js', ['build', 'apps/web', '--logLevel', 'warn'], {
    quiet: true,
    env: { NODE_ENV: 'production' },
  });
  if (code !== 0) throw new Problem(`The web app could not be built:\n${output}`);
  await precompress(`${WEB}/dist`);
}

async function buildServer() {
  const { build } = await import('esbuild');
  const entries = {
    main: 'main.ts',
    'demo-main': 'demo-main.ts',
    'cli-main': 'cli-main.ts',
    // Started by the server as a process of its own, beside which it looks for it.
    'sandbox-process': 'adapters/sandbox/sandbox-process.ts',
  };
  try {
    await build({
      entryPoints: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, `${SERVER}/src/${file}`])),
      outdir: `${SERVER}/dist`,
      bundle: true,
      // What is imported on the way is loaded on the way: a command of the command line starts without the others' libraries.
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      logLevel: 'silent',
      plugins: [packagesStayOutside],
    });
  } catch (error) {
    throw new Problem(`The server could not be built:\n${error instanceof Error ? error.message : String(error)}`);
  }
  fs.rmSync(`${SERVER}/dist/migrations`, { recursive: true, force: true });
  fs.cpSync(`${SERVER}/src/db/migrations`, `${SERVER}/dist/migrations`, { recursive: true });
}

/** @type {import('esbuild').Plugin} Our own packages are TypeScript, so they go in; all others are imported as installed. */
const packagesStayOutside = {
  name: 'packages-stay-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@stet/') ? undefined : { path, external: true },
    );
  },
};
