/**
 * Tampers with a real export at random, for a number of rounds. It changes single characters and fields of events,
 * removes, duplicates and swaps lines, truncates the file, edits and rehashes events, and rewrites whole trails, with
 * and without a forged signature, also for an invented organization. Each result is checked with a key and saved
 * checkpoints, or only with the checkpoints. The code of `stet audit verify` must detect each change. In each round, it
 * also edits, removes or swaps events of the trail itself, which the check of the hash chain (`verifyChain`) must
 * detect. Exits with 1 if a change isn't detected.
 * Needs a build: node scripts/build.mjs && npx tsx bench/audit-tamper.ts [--rounds 10000]
 * [--seed 1] [--port 3922]
 */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type AuditEvent,
  type BundleLine,
  checkpointText,
  endText,
  eventHash,
  merkleRoot,
  originOf,
  payloadDigest,
  readBundleLine,
  readNoteKey,
  signNote,
  splitNotes,
  verifyBundle,
  verifyChain,
  writeBundleLine,
  writeNoteKey,
} from '../packages/domain/src/audit/index.ts';
import { verifyEd25519 } from '../apps/server/src/modules/audit/audit-signer.ts';
import { type Chance, chanceOf } from '../apps/server/src/testing/governance/random.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string', default: '3922' },
  },
});
const ROUNDS = Number(values.rounds);
const chance: Chance = chanceOf(Number(values.seed));
const DRAFTS = 12;

const dataDir = mkdtempSync(join(tmpdir(), 'stet-bench-'));
const server = new ServerProcess(Number(values.port), dataDir);

type Taken = { lines: string[]; key: string; checkpoints: string[] };

/** Creates some work and exports its trail. Returns the export with the server's key and checkpoints. */
async function takeExport(): Promise<Taken> {
  const call = async (path: string, token: string | null, body?: object): Promise<Response> =>
    fetch(server.url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const person = { email: 'tamper@example.com', name: 'Priya Nair', password: 'a long enough one' };
  const { token } = (await (await call('/api/auth/signup', null, person)).json()) as { token: string };
  for (let n = 0; n < DRAFTS; n += 1) {
    const steps = [{ id: 'only', title: `Step ${n}` }];
    const made = await call(`/api/workflows/flow-${n}/drafts`, token, { metadata: { title: `Flow ${n}` }, steps });
    const { draftId } = (await made.json()) as { draftId: string };
    await call(`/api/workflows/flow-${n}/drafts/${draftId}/merge`, token, {});
  }
  const text = await (await call('/api/audit/export.ndjson', token)).text();
  const { key } = (await (await call('/api/audit/status', token)).json()) as { key: string };
  const folder = join(dataDir, 'checkpoints');
  const checkpoints = readdirSync(folder).flatMap((name) => splitNotes(readFileSync(join(folder, name), 'utf8')));
  return { lines: text.trimEnd().split('\n'), key, checkpoints };
}

const isEvent = (line: BundleLine | null): line is Extract<BundleLine, { type: 'event' }> => line?.type === 'event';

/** Links and hashes every event from `from` on, like a forger who knows the format. */
function rehashed(events: readonly AuditEvent[], from: number): AuditEvent[] {
  const relinked = events.slice(0, from);
  for (const [at, event] of events.slice(from).entries()) {
    const linked = { ...event, seq: from + at + 1, prev: relinked.at(-1)?.hash ?? new Uint8Array(32) };
    const digest =
      event.payload === null || event.salt === null ? event.digest : payloadDigest(event.salt, event.payload);
    relinked.push({ ...linked, digest, hash: eventHash({ ...linked, digest }) });
  }
  return relinked;
}

const EDITS: readonly ((event: AuditEvent) => AuditEvent)[] = [
  (event) => ({ ...event, payload: String(event.payload).replace('Priya', 'Ellen') }),
  (event) => ({ ...event, actor: `${event.actor}0` }),
  (event) => ({ ...event, action: 'audit.erased' }),
  (event) => ({ ...event, subjectId: 'another' }),
  (event) => ({ ...event, at: event.at + 1n }),
  (event) => ({ ...event, payload: null, salt: null }),
];

/** Ways to tamper with an export. Some return null if nothing would change. */
const WAYS: Record<string, (lines: readonly string[]) => string[] | null> = {
  'a character': (lines) => {
    const at = chance.below(lines.length);
    const line = lines[at] ?? '';
    const place = chance.below(line.length);
    const put = chance.pick(['', '0', 'x', '"', ' ']);
    const changed = line.slice(0, place) + put + line.slice(place + 1);
    return changed === line ? null : lines.with(at, changed);
  },
  'a field of an event': (lines) => withEvents(lines, (events, at) => events.with(at, edited(events, at))),
  'a line removed': (lines) => lines.toSpliced(chance.below(lines.length), 1),
  'a line duplicated': (lines) => lines.toSpliced(chance.below(lines.length), 0, chance.pick(lines)),
  'lines swapped': (lines) => {
    const [one, other] = [chance.below(lines.length), chance.below(lines.length)];
    const [first = '', second = ''] = [lines[one], lines[other]];
    return first === second ? null : lines.with(one, second).with(other, first);
  },
  'a cut': (lines) => lines.slice(0, chance.below(lines.length)),
  'an event rehashed': (lines) =>
    withEvents(lines, (events, at) => {
      const event = edited(events, at);
      return events.with(at, { ...event, hash: eventHash(event) });
    }),
  'the trail rewritten': (lines) =>
    withEvents(lines, (events, at) => rehashed(events.with(at, edited(events, at)), at)),
  'the trail rewritten without an event': (lines) =>
    withEvents(lines, (events, at) => rehashed(events.toSpliced(at, 1), at)),
};

function edited(events: readonly AuditEvent[], at: number): AuditEvent {
  const event = events[at];
  if (event === undefined) throw new RangeError('no such event');
  return chance.pick(EDITS)(event);
}

function withEvents(lines: readonly string[], change: (events: AuditEvent[], at: number) => AuditEvent[]): string[] {
  const read = lines.map(readBundleLine);
  const events = read.filter(isEvent).map(({ event }) => event);
  const changed = change(events, chance.below(events.length));
  const others = (end: boolean): string[] =>
    lines.filter((_, at) => {
      const line = read[at];
      return line && line.type !== 'event' && (line.type === 'header') !== end;
    });
  return [...others(false), ...changed.map((event) => writeBundleLine({ type: 'event', event })), ...others(true)];
}

const STORED: Record<string, (events: AuditEvent[], at: number) => AuditEvent[]> = {
  'a stored field': (events, at) => events.with(at, edited(events, at)),
  'a stored event removed': (events, at) => events.toSpliced(Math.min(at, events.length - 2), 1),
  'stored events swapped': (events, at) => {
    const other = (at + 1 + chance.below(events.length - 1)) % events.length;
    const [first, second] = [events[at], events[other]];
    return first && second ? events.with(at, second).with(other, first) : events;
  },
};

const FORGER = generateKeyPairSync('ed25519');
const forgerKey = FORGER.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);

/** Returns the whole trail, rewritten and sealed with the forger's key, for this organization or an invented one. */
function forged(lines: readonly string[], orgId: string): string[] {
  const read = lines.map(readBundleLine);
  const header = read.find((line): line is Extract<BundleLine, { type: 'header' }> => line?.type === 'header');
  if (!header) throw new Error('no header');
  const key = { name: originOf(orgId), publicKey: new Uint8Array(forgerKey) };
  const signed = (text: string): string => signNote(text, key, (message) => sign(null, message, FORGER.privateKey));
  const events = read.filter(isEvent).map(({ event }) => ({ ...event, orgId }));
  const at = chance.below(events.length);
  const relinked = rehashed(events.with(at, edited(events, at)), 0);
  const head = relinked.at(-1)?.hash ?? new Uint8Array(32);
  const root = merkleRoot(relinked.map(({ hash }) => hash));
  const size = relinked.length;
  const body = [
    { ...header, org: { ...header.org, id: orgId }, key: writeNoteKey(key), events: size, last: size },
    ...relinked.map((event): BundleLine => ({ type: 'event', event })),
    {
      type: 'checkpoint' as const,
      note: signed(checkpointText({ orgId, size, root, head, at: header.exportedAt })),
    },
  ].map(writeBundleLine);
  const digest = createHash('sha256')
    .update(body.map((line) => `${line}\n`).join(''))
    .digest();
  return [...body, writeBundleLine({ type: 'end', note: signed(endText({ orgId, lines: body.length, digest })) })];
}

function play({ lines, key, checkpoints }: Taken): number {
  const trusted = readNoteKey(key);
  if (trusted === null) throw new Error('no key');
  const verdictOf = (tampered: readonly string[]): string =>
    verifyBundle({ lines: tampered, keys: [trusted], checkpoints, verifySignature: verifyEd25519 }).verdict;
  if (verdictOf(lines) !== 'intact') throw new Error('the export itself is not intact');
  const events = lines
    .map(readBundleLine)
    .filter(isEvent)
    .map(({ event }) => event);
  if (!verifyChain(events).ok) throw new Error('the trail itself is not intact');

  const played: Record<string, { made: number; missed: number }> = {};
  const count = (name: string, isFound: boolean): void => {
    const figures = (played[name] ??= { made: 0, missed: 0 });
    figures.made += 1;
    if (!isFound) figures.missed += 1;
  };
  const began = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = chance.pick(Object.keys(WAYS));
    const tampered = WAYS[name]?.(lines) ?? null;
    if (tampered !== null) count(name, verdictOf(tampered) !== 'intact');
    // Verifies only with saved checkpoints, like someone who never saved the key.
    const orgId = chance.pick([null, randomUUID()]);
    const own = readNoteKey(key)?.name.slice('stet/'.length) ?? '';
    const withoutKey = verifyBundle({
      lines: forged(lines, orgId ?? own),
      keys: [],
      checkpoints,
      verifySignature: verifyEd25519,
    });
    count(
      orgId ? 'forged for another organization, no key' : 'forged with another key, no key',
      withoutKey.verdict !== 'intact',
    );
    const stored = chance.pick(Object.keys(STORED));
    const changed = STORED[stored]?.(events, chance.below(events.length));
    if (changed) count(stored, !verifyChain(changed).ok);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `${events.length} events, ${checkpoints.length} saved checkpoints, ${ROUNDS} rounds each in ${seconds} s`,
  );
  let missed = 0;
  for (const [name, figures] of Object.entries(played)) {
    missed += figures.missed;
    console.log(`  ${name.padEnd(42)} ${String(figures.made).padStart(6)} made, ${figures.missed} not detected`);
  }
  return missed;
}

try {
  await server.start();
  const taken = await takeExport();
  process.exitCode = play(taken) === 0 ? 0 : 1;
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
