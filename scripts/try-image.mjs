// npm run test:image [-- --port 4425]: does what Dockerfile says, line by line, without Docker, and runs what comes of it
// as compose.yaml would: as nobody in particular, without rights, on a file system that can't be written. Needs Linux and root.
// The base image is this machine seen through an overlay: what is tried is every line of ours, not the base.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { command, Problem } from './lib/command.mjs';
import { leftOut, stagesOf } from './lib/dockerfile.mjs';
import { fromRoot, ROOT } from './lib/paths.mjs';

const { values } = parseArgs({ options: { port: { type: 'string', default: '4425' }, database: { type: 'string' } } });
const USER = 1000;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-image-'));
/** @type {string[]} */
const mounted = [];
/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
const mount = (/** @type {string} */ target, /** @type {string[]} */ ...args) => {
  fs.mkdirSync(target, { recursive: true });
  execFileSync('mount', [...args, target]);
  mounted.unshift(target);
};
const check = (/** @type {boolean} */ holds, /** @type {string} */ sentence) => {
  if (!holds) throw new Problem(`Not so: ${sentence}`);
  console.log(`ok  ${sentence}`);
};

/** @typedef {{ root: string, workdir: string, env: Record<string, string>, user: string, cmd: string[], healthcheck: string[] }} Image */

/** @param {string} name @returns {Image} */
function base(name) {
  const [upper, work, root] = ['upper', 'work', 'root'].map((part) => path.join(folder, name, part));
  for (const part of [upper, work]) fs.mkdirSync(part ?? '', { recursive: true });
  mount(root ?? '', '-t', 'overlay', 'overlay', '-o', `lowerdir=/,upperdir=${upper},workdir=${work}`);
  mount(`${root}/proc`, '-t', 'proc', 'proc');
  // Not the real one: what is unmounted or removed here must not be so there.
  mount(`${root}/dev`, '-t', 'tmpfs', 'tmpfs');
  const devices = { null: 3, zero: 5, random: 8, urandom: 9 };
  for (const [name, minor] of Object.entries(devices))
    execFileSync('mknod', ['-m', '666', `${root}/dev/${name}`, 'c', '1', String(minor)]);
  mount(`${root}/dev/shm`, '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs');
  // The account that the images of Node have.
  const accounts = fs.readFileSync(`${root}/etc/passwd`, 'utf8').split('\n');
  const others = accounts.filter((line) => !line.startsWith('node:') && line.split(':')[2] !== String(USER));
  fs.writeFileSync(`${root}/etc/passwd`, [`node:x:${USER}:${USER}::/home/node:/bin/sh`, ...others].join('\n'));
  const groups = fs.readFileSync(`${root}/etc/group`, 'utf8').split('\n');
  const rest = groups.filter((line) => !line.startsWith('node:') && line.split(':')[2] !== String(USER));
  fs.writeFileSync(`${root}/etc/group`, [`node:x:${USER}:`, ...rest].join('\n'));
  return { root: root ?? '', workdir: '/', env: {}, user: 'root', cmd: [], healthcheck: [] };
}

/** @param {Image} image @param {string[]} words @param {{ env?: Record<string, string> }} [options] */
function inside({ root, workdir, env, user }, words, options = {}) {
  const as =
    user === 'root'
      ? []
      : ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--bounding-set=-all', '--no-new-privs'];
  const home = user === 'root' ? '/root' : '/home/node';
  const settings = Object.entries({ PATH: process.env['PATH'] ?? '', HOME: home, ...env, ...options.env });
  return [
    'env',
    '-i',
    ...settings.map(([name, value]) => `${name}=${value}`),
    'chroot',
    root,
    ...as,
    'env',
    `--chdir=${workdir}`,
    ...words,
  ];
}

/** @param {Image} image @param {string[]} words @param {{ env?: Record<string, string> }} [options] */
function runs(image, words, options) {
  const [program = '', ...args] = inside(image, words, options);
  try {
    execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    return 0;
  } catch (error) {
    const { status, stderr, stdout } = /** @type {{ status: number, stderr: Buffer, stdout: Buffer }} */ (error);
    if (process.env['DEBUG']) console.error(String(stdout), String(stderr));
    return status;
  }
}

/** What `COPY . .` copies: the context without what .dockerignore leaves out. */
function makeContext() {
  const context = path.join(folder, 'context');
  const isLeftOut = leftOut(fs.readFileSync(fromRoot('.dockerignore'), 'utf8'));
  const walk = (/** @type {string} */ place) => {
    for (const entry of fs.readdirSync(path.join(ROOT, place), { withFileTypes: true })) {
      const file = path.posix.join(place, entry.name);
      if (entry.name === 'node_modules' || entry.name === '.git') continue;
      if (entry.isDirectory()) walk(file);
      else if (!isLeftOut(file)) {
        fs.mkdirSync(path.dirname(path.join(context, file)), { recursive: true });
        fs.copyFileSync(path.join(ROOT, file), path.join(context, file));
      }
    }
  };
  walk('');
  return context;
}

/** @param {string} context @returns {Image} the last stage */
function build(context) {
  /** @type {Map<string, Image>} */
  const images = new Map();
  let image = /** @type {Image | null} */ (null);
  for (const stage of stagesOf(fs.readFileSync(fromRoot('Dockerfile'), 'utf8'))) {
    image = base(stage.name.replace(' ', '-'));
    images.set(stage.name, image);
    for (const { instruction, rest, flags } of stage.lines) {
      const began = Date.now();
      carryOut(image, { instruction, rest, flags }, (name) => images.get(name)?.root ?? '', context);
      console.log(`    ${instruction} ${rest} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    }
  }
  if (!image) throw new Problem('The Dockerfile has no stage.');
  return image;
}

/** @param {Image} image @param {import('./lib/dockerfile.mjs').Line} line @param {(stage: string) => string} rootOf @param {string} context */
function carryOut(image, { instruction, rest, flags }, rootOf, context) {
  switch (instruction) {
    case 'WORKDIR':
      image.workdir = rest;
      return fs.mkdirSync(image.root + rest, { recursive: true });
    case 'ENV':
      return void Object.assign(image.env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('='))));
    case 'USER':
      return void (image.user = rest);
    case 'COPY': {
      const words = rest.split(' ');
      const target = words.at(-1) ?? '';
      for (const source of words.slice(0, -1)) {
        const from = flags['from'] ? rootOf(flags['from']) + source : path.join(context, source);
        const to = path.join(image.root, image.workdir, target, target.endsWith('/') ? path.basename(source) : '');
        fs.mkdirSync(path.dirname(to), { recursive: true });
        execFileSync('cp', ['-a', fs.statSync(from).isDirectory() ? `${from}/.` : from, to]);
      }
      return;
    }
    case 'RUN': {
      const [program = '', ...args] = inside(image, ['sh', '-c', rest]);
      return void execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    }
    case 'HEALTHCHECK':
      return void (image.healthcheck = JSON.parse(rest.replace(/^CMD /, '')));
    case 'CMD':
      return void (image.cmd = JSON.parse(rest));
    case 'VOLUME':
    case 'EXPOSE':
      return;
    default:
      throw new Problem(`${instruction} is not known here.`);
  }
}

/** As compose.yaml runs it: nothing can be written but the volume and /tmp. @param {Image} image */
function seal({ root }) {
  const volume = path.join(folder, 'volume');
  execFileSync('cp', ['-a', `${root}/data`, volume]);
  execFileSync('mount', ['-o', 'remount,ro', root]);
  mount(`${root}/data`, '--bind', volume);
  mount(`${root}/tmp`, '-t', 'tmpfs', '-o', 'mode=1777,size=256m', 'tmpfs');
}

const SETTINGS = { PORT: values.port, HOST: '127.0.0.1', RATE_LIMITS: 'off' };
const url = `http://127.0.0.1:${values.port}`;

/** @param {Image} image @param {Record<string, string>} [more] */
async function start(image, more = {}) {
  const env = { ...SETTINGS, ...more };
  const [program = '', ...args] = inside(image, image.cmd, { env });
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  running.add(child);
  child.once('exit', () => running.delete(child));
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  for (const until = Date.now() + 60_000; !said.includes('Stet is ready'); await sleep(100))
    if (Date.now() > until || child.exitCode !== null) throw new Problem(`It did not start:\n${said}`);
  return {
    stop: async () => {
      const began = Date.now();
      child.kill('SIGTERM');
      return { code: await ended, ms: Date.now() - began };
    },
  };
}

const call = async (/** @type {string} */ at, /** @type {object | null} */ body = null) =>
  fetch(url + at, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });

/** @param {Image} image */
async function tryIt(image) {
  const isHealthy = () => runs(image, image.healthcheck, { env: SETTINGS }) === 0;
  check(
    runs(image, ['sh', '-c', 'touch /stet/x || touch /etc/x || touch /home/x']) !== 0,
    'nothing of the image can be written',
  );
  check(!isHealthy(), 'the health check fails while nothing runs');
  const account = { email: 'ada@example.com', password: 'a long enough one' };
  const person = { ...account, name: 'Ada' };
  let server = await start(image);
  check(isHealthy(), 'the health check passes once the server is ready, on the embedded PostgreSQL');
  check(
    (await call('/')).status === 200 && (await (await call('/')).text()).includes('<script'),
    'the web app is in the image',
  );
  check((await call('/api/auth/signup', person)).status < 300, 'somebody signs up');
  check(
    runs(image, ['node', 'apps/server/dist/cli-main.js', 'doctor'], { env: SETTINGS }) === 0,
    'stet doctor finds nothing wrong',
  );
  let { code, ms } = await server.stop();
  check(code === 0 && ms < 6000, `SIGTERM ends it with 0, in ${ms} ms`);
  server = await start(image);
  check((await call('/api/auth/login', account)).status === 200, 'a new container on the same volume knows them');
  ({ code, ms } = await server.stop());
  if (values.database) {
    server = await start(image, { DATABASE_URL: values.database });
    check(isHealthy() && (await call('/api/auth/signup', person)).status < 300, 'it runs with DATABASE_URL');
    await server.stop();
  }
}

await command(async () => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Problem('This needs Linux and root: it mounts.');
  try {
    const image = build(makeContext());
    const size = execFileSync('du', ['-sm', image.root + image.workdir], { encoding: 'utf8' }).split('\t')[0];
    console.log(`    ${size} MiB in ${image.workdir}`);
    seal(image);
    await tryIt(image);
  } finally {
    // What still runs after a check that failed would keep the mounts busy, and hide which one it was.
    for (const child of running) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    for (const target of mounted) execFileSync('umount', [target]);
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
