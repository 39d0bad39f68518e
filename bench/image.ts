// npm run test:image [-- --port 4425 --database URL]: does what Dockerfile says, line by line, without Docker, and runs what
// comes of it as compose.yaml says: its account, its rights, what it can write. Needs Linux and root.
// The base image is this machine seen through an overlay: what is tried is every line of ours, not the base.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ExternalPostgres, findPrograms } from './external-postgres.ts';
import { ACCOUNT, Mounts } from './image/base.ts';
import { PROJECT, build } from './image/build.ts';
import { containerOf } from './image/compose.ts';
import { RunningImage } from './image/running.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '4425' }, database: { type: 'string' } } });
if (process.platform !== 'linux' || process.getuid?.() !== 0) {
  console.error('This needs Linux and root: it mounts.');
  process.exit(1);
}

class Broken extends Error {}
function check(holds: boolean, sentence: string, seen = ''): void {
  if (!holds) throw new Broken(`Not so: ${sentence}\n${seen}`.trimEnd());
  console.log(`ok  ${sentence}`);
}
const call = async (at: string, body: object | null = null): Promise<Response> =>
  fetch(`http://127.0.0.1:${values.port}${at}`, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });

// Ends with 0 only where a file can't be made for the one reason that is named.
const refusesToWrite = (at: string, reason: string): string[] => [
  'node',
  '-e',
  `try { require('node:fs').writeFileSync('${at}/x', '') } catch (e) { console.log(e.code); process.exit(e.code === '${reason}' ? 0 : 1) } process.exit(2)`,
];

function checkRights(running: RunningImage): void {
  const { container } = running;
  const account = running.run(['id', '-u']);
  check(account.said.trim() === String(ACCOUNT.id), `it runs as user ${ACCOUNT.id}`, account.said);
  check(container.isReadOnly, 'compose.yaml makes the file system read-only');
  // A place of its own account: what stands in the way there is the file system and nothing else.
  const write = running.run(refusesToWrite(ACCOUNT.home, 'EROFS'));
  check(write.status === 0, `not even ${ACCOUNT.home}, which is its own, can be written (EROFS)`, write.said);
  for (const at of [...container.volumes, ...container.tmpfs.map((place) => place.at)]) {
    const made = running.run(['sh', '-c', `touch ${at}/x && rm ${at}/x`]);
    check(made.status === 0, `${at} can be written`, made.said);
  }
  const said = running.run(['cat', '/proc/self/status']).said;
  check(/^CapBnd:\s*0+$/m.test(said) && /^CapEff:\s*0+$/m.test(said), 'it has no capability, and can get none', said);
  check(/^NoNewPrivs:\s*1$/m.test(said), 'it can gain no privileges', said);
}

async function checkServer(running: RunningImage, postgres: { url: string } | null): Promise<void> {
  const health = () => running.run(running.image.healthcheck);
  const account = { email: 'ada@example.com', password: 'a long enough one' };
  const person = { ...account, name: 'Ada' };
  check(health().status !== 0, 'the health check fails while nothing runs');
  let server = await running.start();
  const healthy = health();
  check(
    healthy.status === 0,
    'the health check passes once the server is ready, on the embedded PostgreSQL',
    healthy.said,
  );
  check((await (await call('/')).text()).includes('<script'), 'the web app is in the image');
  check((await call('/api/auth/signup', person)).status < 300, 'somebody signs up');
  const doctor = running.run(['node', 'apps/server/dist/cli-main.js', 'doctor']);
  check(doctor.status === 0, 'stet doctor finds nothing wrong', doctor.said);
  let { code, ms } = await server.stop();
  check(code === 0 && ms < 6000, `SIGTERM ends it with 0, in ${ms} ms`);
  server = await running.start();
  check((await call('/api/auth/login', account)).status === 200, 'a new container on the same volume knows them');
  ({ code, ms } = await server.stop());
  if (!postgres) return console.log('--  not tried, as this machine has no programs of PostgreSQL: DATABASE_URL');
  server = await running.start({ DATABASE_URL: postgres.url });
  check(health().status === 0, 'it runs with DATABASE_URL');
  check((await call('/api/auth/login', account)).status === 401, 'which is another database');
  check((await call('/api/auth/signup', person)).status < 300, 'and somebody signs up there');
  await server.stop();
}

const folder = mkdtempSync(path.join(tmpdir(), 'stet-image-'));
const mounts = new Mounts();
const container = containerOf(readFileSync(path.join(PROJECT, 'compose.yaml'), 'utf8'), 'stet');
const programs = values.database === undefined ? findPrograms() : null;
const own = programs === null ? null : await ExternalPostgres.createTemporary(programs);
let running: RunningImage | null = null;
try {
  const image = build(folder, mounts);
  const size = execFileSync('du', ['-sm', image.root + image.workdir], { encoding: 'utf8' }).split('\t')[0];
  console.log(`    ${size} MiB in ${image.workdir}`);
  running = new RunningImage(image, container, { PORT: values.port, HOST: '127.0.0.1', RATE_LIMITS: 'off' });
  running.mount(mounts, folder);
  checkRights(running);
  const url = values.database ?? own?.url('stet');
  await checkServer(running, url === undefined ? null : { url });
} catch (error) {
  if (!(error instanceof Broken)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await running?.end();
  mounts.remove();
  await own?.remove();
  rmSync(folder, { recursive: true, force: true });
}
