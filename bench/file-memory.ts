/**
 * Measures the memory of the server process while one person uploads ten files of 25 MB at once, completes them, and
 * downloads them at once. The client is this process. Fails if the uploads add more than 20 MB (RSS, compared with the
 * same server after a warm-up with small uploads).
 *
 * Needs a build: node scripts/build.mjs && npx tsx bench/file-memory.ts [--uploads 10] [--megabytes 25] [--port 3921]
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Call, callerOf } from './caller.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: {
    uploads: { type: 'string', default: '10' },
    megabytes: { type: 'string', default: '25' },
    port: { type: 'string', default: '3921' },
  },
});
const UPLOADS = Number(values.uploads);
const BYTES = Number(values.megabytes) * 1024 * 1024;
const ALLOWED_MB = 20;

const dataDir = mkdtempSync(join(tmpdir(), 'stet-files-'));
const server = new ServerProcess(Number(values.port), dataDir, { FILE_SPACE_MB: '4000' });

type Begun = { id: string; chunkSize: number };

/** Resident memory of the server process in MB. */
const resident = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;

/** Signs up a person with a run whose step takes files. */
async function scene(): Promise<{ call: Call; token: string; runId: string }> {
  const { token } = await callerOf(server.url)<{ token: string }>('POST', '/api/auth/signup', {
    email: 'files@bench.example',
    name: 'Files',
    password: 'a long enough one',
  });
  const call = callerOf(server.url, token);
  const drafts = '/api/workflows/files/drafts';
  const fields = [{ id: 'offer', label: 'Offer', kind: 'file', required: true }];
  const { draftId } = await call<{ draftId: string }>('POST', drafts, {
    metadata: { title: 'Files' },
    steps: [{ id: 'offer', title: 'Offer', type: 'manual', assignee: 'owner', config: { fields }, next: [] }],
  });
  await call('POST', `${drafts}/${draftId}/approve`);
  await call('POST', `${drafts}/${draftId}/merge`);
  const { id: runId } = await call<{ id: string }>('POST', '/api/runs', { key: 'files', name: 'Files' });
  return { call, token, runId };
}

const { call, token, runId } = await server.start().then(scene);
const headers = { authorization: `Bearer ${token}` };

async function upload(bytes: Buffer): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const about = { name: 'file.bin', size: bytes.length, sha256, runId, stepId: 'offer' };
  const { id, chunkSize } = await call<Begun>('POST', '/api/files', about);
  for (let n = 0; n * chunkSize < bytes.length; n += 1) {
    const response = await fetch(`${server.url}/api/files/${id}/chunks/${n}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: bytes.subarray(n * chunkSize, (n + 1) * chunkSize),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`chunk ${n}: ${response.status}`);
  }
  await call('POST', `/api/files/${id}/complete`);
  return id;
}

async function download(id: string): Promise<void> {
  const response = await fetch(`${server.url}/api/files/${id}`, { headers });
  let received = 0;
  for await (const piece of response.body ?? []) received += (piece as Uint8Array).length;
  if (received !== BYTES) throw new Error(`a download has ${received} bytes`);
}

/** Returns the highest resident memory during the work, in MB, and the seconds that it took. */
async function measured(work: Promise<unknown>): Promise<{ peak: number; seconds: number }> {
  const began = performance.now();
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, resident())), 20);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return { peak, seconds: (performance.now() - began) / 1000 };
}

const payload = (n: number): Buffer => {
  const bytes = Buffer.alloc(BYTES, shared);
  bytes.writeUInt32BE(n);
  return bytes;
};
const shared = randomBytes(1024 * 1024);

try {
  // The first calls compile code and open connections, which isn't the memory of an upload.
  await Promise.all(Array.from({ length: UPLOADS }, (_, n) => upload(Buffer.from(`warm-up ${n}`))));
  for (let n = 0; n < 200; n += 1) await call('GET', `/api/runs/${runId}`);
  await sleep(3000);
  const before = resident();
  const uploads = Array.from({ length: UPLOADS }, (_, n) => payload(n));
  let ids: string[] = [];
  const up = await measured(Promise.all(uploads.map(upload)).then((all) => (ids = all)));
  await sleep(3000);
  const between = resident();
  const down = await measured(Promise.all(ids.map(download)));
  const added = up.peak - before;
  console.log(`before ${before.toFixed(1)} MB`);
  console.log(
    `uploads: +${added.toFixed(1)} MB at most, ${up.seconds.toFixed(1)} s; afterwards +${(between - before).toFixed(1)} MB`,
  );
  console.log(`downloads: +${(down.peak - before).toFixed(1)} MB at most, ${down.seconds.toFixed(1)} s`);
  process.exitCode = added > ALLOWED_MB ? 1 : 0;
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
