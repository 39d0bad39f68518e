import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBundleLine, splitNotes } from '@stet/domain/audit';
import { FILE_LIMITS } from '@stet/domain/steps';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { personalToken } from '../../testing/api-tokens.ts';
import { sealEachEvent } from '../../testing/checkpoints.ts';
import { FILE_FIELD, upload } from '../../testing/files.ts';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { act, complete, start } from '../../testing/runs.ts';
import { startTestServer } from '../../testing/server.ts';
import { givenTrust } from '../audit-verify.ts';
import { stet } from '../stet.fixture.ts';
import { EXPORTED_TABLES, OTHER_TABLES } from './exported-tables.ts';
import { listTar, paddingOf, tarHeader } from './tar.ts';
import { verifyOpenedArchive } from './verify.ts';

const server = await startTestServer();
const folder = mkdtempSync(join(tmpdir(), 'stet-organization-'));
const { owner, editor, reviewer, orgId } = await teamOf(server, ['editor', 'reviewer']);
const other = await teamOf(server, ['editor', 'reviewer']);

const [{ slug } = { slug: '' }] = await server.sql<{ slug: string }>('select slug from organizations where id = $1', [
  orgId,
]);
await publish(owner, reviewer, 'offers', [
  { id: 'offer', title: 'Offer', config: { fields: [FILE_FIELD] } },
  ...stepsNamed('Check, =SUM(A1)'),
]);
await publish(editor, reviewer, 'OFFERS');
await owner.post('/api/workflows/offers/drafts', {
  metadata: { title: 'Second thoughts' },
  steps: stepsNamed('Only <b>draft</b>'),
});
const run = await start(owner, 'offers', 'Acme “世界” Ltd');
const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(5 * FILE_LIMITS.chunk + 5)]);
const fileId = await upload(server, editor, { runId: run.id, stepId: 'offer' }, bytes, { name: 'offer.pdf' });
await act(editor, run.id, 'offer', 'complete', { output: { fields: { offer: [fileId] } } });
await complete(editor, run.id, 'step-1', 'Checked by hand');
await editor.post(`/api/runs/${run.id}/notes`, { text: 'Call them first' });
const { secret: apiToken } = await personalToken(server, owner);
await publish(other.owner, other.reviewer, 'foreign', stepsNamed('Foreign step'));
await start(other.owner, 'foreign', 'Foreign run');

const env = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir };
const key = ['--key', join(server.dataDir, 'keys', 'audit-signing.pub')];
const archive = join(folder, 'team.tar');
const exported = await stet(['organization', 'export', slug, archive, '--json'], env);
const extracted = join(folder, 'extracted');
mkdirSync(extracted);
if (exported.code === 0) execFileSync('tar', ['-xf', archive, '-C', extracted]);
const text = (path: string): string => readFileSync(join(extracted, path), 'utf8');
// Verification needs no environment.
const verify = (path: string, ...more: string[]) => stet(['organization', 'verify', path, ...more]);

const spans = () => {
  const file = openSync(archive, 'r');
  try {
    return listTar(file, statSync(archive).size).files;
  } finally {
    closeSync(file);
  }
};
/** The files of an archive with their contents. */
const partsOf = (path: string): Map<string, Buffer> => {
  const whole = readFileSync(path);
  return new Map([...spans()].map(([name, { start, size }]) => [name, whole.subarray(start, start + size)]));
};
const archiveOf = (parts: readonly (readonly [path: string, content: Buffer])[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([path, content]) => [
      tarHeader({ path, size: content.length, at: 1_795_228_967 }),
      content,
      Buffer.alloc(paddingOf(content.length)),
    ]),
    Buffer.alloc(1024),
  ]);
const flippedAt = (content: Buffer, at: number, mask: number): Buffer => {
  const changed = Buffer.from(content);
  changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ mask;
  return changed;
};
/** Verifies an archive in this process. `found` are the paths of its findings, sorted. */
const verifiedHere = (content: Buffer): { verdict: string; found: string[] } => {
  const path = join(folder, 'verified.tar');
  writeFileSync(path, content);
  const { verdict, archive: report } = verifyOpenedArchive(path, givenTrust({ key: key[1] ?? '' }));
  return { verdict, found: report.findings.flatMap((finding) => finding.path ?? []).toSorted() };
};
const changedAt = (at: number): string => {
  const path = join(folder, 'changed.tar');
  const changed = readFileSync(archive);
  changed[at] = (changed[at] ?? 0) ^ 1;
  writeFileSync(path, changed);
  return path;
};

describe('an archive of an organization', () => {
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('contains versions and drafts, runs with steps, outputs and notes, people, files and the trail', () => {
    expect({ code: exported.code, stderr: exported.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(exported.out)).toMatchObject({
      file: archive,
      counts: { runs: 1, workflows: 2, workflow_versions: 3, attachedFiles: 1, people: 3 },
    });
    expect(text('workflows/offers/v1.yaml')).toContain('title: Offer');
    const folders = readdirSync(join(extracted, 'workflows'));
    // The keys differ only in case.
    expect(new Set(folders.map((name) => name.toLowerCase())).size).toBe(2);
    const drafts = folders.flatMap((name) => readdirSync(join(extracted, 'workflows', name)));
    expect(drafts.filter((name) => name.startsWith('draft-'))).toHaveLength(1);
    expect(text('runs.csv')).toContain('Acme “世界” Ltd');
    expect(text('steps.csv')).toMatch(/"Check,'=SUM\(A1\)"|"Check, '=SUM\(A1\)"/);
    expect(text('steps.csv')).toContain('Checked by hand');
    expect(text('notes.csv')).toContain('Call them first');
    expect(text('people.csv')).toContain(editor.user.email);
    expect(text('files.csv')).toContain(`files/${fileId}.pdf`);
    expect(readFileSync(join(extracted, 'files', `${fileId}.pdf`)).equals(bytes)).toBe(true);
    expect(text('events.csv').trimEnd().split('\r\n').at(-1)).toContain('"audit.exported"');
    expect(text('index.html')).toContain('<a href="workflows/offers/v1.yaml">v1.yaml</a> (the workflow is live)');
    expect(text('README.txt')).toContain(orgId);
    expect(text('README.txt')).toContain('Not in the archive: unfinished uploads');
    expect(text('steps.csv')).toContain(fileId);
  });

  it('is recorded in the trail', async () => {
    const [event] = await owner.get<unknown[]>('/api/audit/events?limit=1');
    expect(event).toMatchObject({
      action: 'audit.exported',
      actor: { kind: 'system' },
      data: { format: 'archive', by: 'administrator' },
    });
  });

  it('can be extracted with tar and checked with sha256sum', () => {
    const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: extracted,
      encoding: 'utf8',
    });
    expect(checked.trimEnd().split('\n').length).toBe(spans().size - 2);
  });

  it('contains nothing of another organization', () => {
    const everything = readFileSync(archive).toString('latin1');
    for (const word of [other.orgId, other.owner.user.email, other.editor.user.id, 'Foreign', 'foreign'])
      expect({ word, found: everything.includes(word) }).toEqual({ word, found: false });
    expect(everything).toContain(orgId);
  });

  it('contains no secrets', async () => {
    const everything = readFileSync(archive).toString('latin1');
    const [secrets] = await server.sql<Record<string, string>>(
      `select u.password_hash, encode(t.hash, 'hex') as hash from users u join api_tokens t on t.user_id = u.id where u.id = $1`,
      [owner.user.id],
    );
    expect(Object.values(secrets ?? {})).toHaveLength(2);
    for (const secret of [...Object.values(secrets ?? {}), apiToken, owner.token])
      expect({ secret, found: everything.includes(secret) }).toEqual({ secret, found: false });
    expect(text('data/api_tokens.ndjson')).toContain('"name":"CI"');
    const columns = await server.sql<{ at: string }>(
      `select table_name || '.' || column_name as at from information_schema.columns
       where table_schema = 'public' and table_name = any ($1) and column_name ~ 'hash|token|secret|password|salt|url'`,
      [Object.keys(EXPORTED_TABLES)],
    );
    const contained = columns
      .map(({ at }) => at)
      .filter((at) => !EXPORTED_TABLES[at.split('.')[0] ?? '']?.includes(at.split('.')[1] ?? ''));
    // These columns are hashes of contents, the names of tokens, and whether a token acted.
    expect(contained.toSorted()).toEqual([
      'draft_contents.content_hash',
      'draft_contributors.tokens',
      'draft_objections.content_hash',
      'draft_reviews.by_token',
      'draft_reviews.content_hash',
      'workflow_versions.content_hash',
    ]);
  });

  it('accounts for every table that has an organization', async () => {
    const tables = await server.sql<{ name: string }>(
      `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and c.column_name = 'org_id' and t.table_type = 'BASE TABLE' order by 1`,
    );
    expect([...Object.keys(EXPORTED_TABLES), ...Object.keys(OTHER_TABLES)].toSorted()).toEqual(
      tables.map(({ name }) => name).toSorted(),
    );
    for (const table of Object.keys(EXPORTED_TABLES)) {
      const [stored] = await server.sql<{ n: number }>(`select count(*)::int as n from ${table} where org_id = $1`, [
        orgId,
      ]);
      const lines = text(`data/${table}.ndjson`).split('\n').length - 1;
      expect({ table, lines }).toEqual({ table, lines: stored?.n });
    }
  });

  it('is verified without a server, with a key from another source', async () => {
    const { code, out } = await verify(archive, ...key);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^Intact: /) as string });
    expect(out).toContain('signed with the given key');
    expect(out).toContain('1 file named in the trail; all present and unchanged');
    expect(out).toContain(' by an administrator of the installation\n');
    const macKey = join(server.dataDir, 'keys', 'audit-mac.key');
    const json = await verify(
      archive,
      ...key,
      '--mac-key',
      macKey,
      '--checkpoints',
      join(extracted, 'audit/checkpoints.txt'),
      '--json',
    );
    expect(JSON.parse(json.out)).toMatchObject({
      verdict: 'intact',
      archive: { findings: [], isSigned: true },
      trail: { verdict: 'intact', trust: 'key', macs: 'checked' },
    });
    expect((await verify(archive)).out).toContain('Only consistency was checked, not origin');
    const foreign = join(folder, 'foreign.pub');
    writeFileSync(foreign, `${randomBytes(32).toString('base64')}\n`);
    expect(await verify(archive, '--key', foreign)).toMatchObject({
      code: 1,
      out: expect.stringContaining('SHA256SUMS.signed is not signed with a trusted key') as string,
    });
  });

  it('names any file that was changed, removed or added', () => {
    const original = partsOf(archive);
    const paths = [...original.keys()];
    const free = paths.filter((path) => path !== 'SHA256SUMS' && path !== 'SHA256SUMS.signed');
    const changes = fc.record({
      // A position in the content, and the bits to flip there.
      flipped: fc.dictionary(fc.constantFrom(...free), fc.tuple(fc.nat(10_000_000), fc.integer({ min: 1, max: 255 }))),
      removed: fc.uniqueArray(fc.constantFrom(...free), { maxLength: 8 }),
      added: fc.uniqueArray(
        fc.constantFrom('added.txt', 'data/added.ndjson', 'files/added.pdf', 'workflows/x/v1.yaml'),
        {
          maxLength: 3,
        },
      ),
      isSwapped: fc.boolean(),
    });
    fc.assert(
      fc.property(changes, ({ flipped, removed, added, isSwapped }) => {
        const parts = new Map(original);
        const expected = new Set([...added, ...removed]);
        for (const [path, [at, mask]] of Object.entries(flipped)) {
          if (parts.get(path)?.length === 0) continue;
          parts.set(path, flippedAt(parts.get(path) ?? Buffer.alloc(0), at, mask));
          expected.add(path);
        }
        for (const path of removed) parts.delete(path);
        for (const path of added) parts.set(path, Buffer.from('something'));
        // The order of the files has no meaning.
        const written = isSwapped ? [...parts].toReversed() : [...parts];
        const { verdict, found } = verifiedHere(archiveOf(written));
        expect(found).toEqual([...expected].toSorted());
        expect(verdict === 'intact').toBe(expected.size === 0);
      }),
      { numRuns: 100 },
    );
  });

  it('names the changed file if one byte of any file was changed', () => {
    const original = partsOf(archive);
    for (const [path, content] of original) {
      if (content.length === 0) continue;
      const parts = new Map(original).set(path, flippedAt(content, Math.floor(content.length / 2), 1));
      const { verdict, found } = verifiedHere(archiveOf([...parts]));
      expect({ path, verdict, named: found.includes(path) }).toEqual({ path, verdict: 'tampered', named: true });
      // A change in the list can make a file that it names seem changed.
      expect(found.filter((each) => each !== path).length).toBeLessThanOrEqual(path === 'SHA256SUMS' ? 2 : 0);
    }
  });

  it('names the list or its signature if it was changed or removed, and other changed or removed files as well', () => {
    const csv = flippedAt(readFileSync(join(extracted, 'runs.csv')), 3, 1);
    const list = readFileSync(join(extracted, 'SHA256SUMS'));
    const signature = readFileSync(join(extracted, 'SHA256SUMS.signed'));
    const cases: [string, Record<string, Buffer | null>, readonly string[]][] = [
      ['a changed list', { SHA256SUMS: flippedAt(list, list.length - 1, 1) }, ['SHA256SUMS']],
      ['no list', { SHA256SUMS: null, 'manifest.json': null }, ['SHA256SUMS', 'manifest.json']],
      [
        'a changed signature',
        { 'SHA256SUMS.signed': flippedAt(signature, signature.length - 8, 1) },
        ['SHA256SUMS.signed'],
      ],
      ['no signature', { 'SHA256SUMS.signed': null, 'runs.csv': csv }, ['SHA256SUMS.signed', 'runs.csv']],
      ['both', { 'SHA256SUMS.signed': null, 'runs.csv': null }, ['SHA256SUMS.signed', 'runs.csv']],
    ];
    for (const [name, changes, expected] of cases) {
      const parts = new Map<string, Buffer | null>([...partsOf(archive), ...Object.entries(changes)]);
      const left = [...parts].filter((part): part is [string, Buffer] => part[1] !== null);
      expect({ name, found: verifiedHere(archiveOf(left)).found }).toEqual({ name, found: [...expected].toSorted() });
    }
    const shorter = list.toString().split('\n').slice(1).join('\n');
    expect(
      verifiedHere(
        archiveOf(
          [...partsOf(archive)].map(([path, bytesOf]) => [
            path,
            path === 'SHA256SUMS' ? Buffer.from(shorter) : bytesOf,
          ]),
        ),
      ).found,
    ).toEqual(['README.txt', 'SHA256SUMS']);
  });

  it('names a file whose description or padding was changed, and still checks the other files', () => {
    const whole = readFileSync(archive);
    const at = [...spans()].flatMap(([path, { start, size }]) => [
      { path, at: start - 512 },
      { path, at: start - 364 },
      { path, at: start - 512 + 124 },
      ...(size % 512 === 0 ? [] : [{ path, at: start + size }]),
    ]);
    fc.assert(
      fc.property(fc.constantFrom(...at), fc.constantFrom(...spans().keys()), ({ path, at: first }, other) => {
        fc.pre(
          other !== path &&
            path !== 'SHA256SUMS' &&
            !other.startsWith('SHA256SUMS') &&
            (spans().get(other)?.size ?? 0) > 0,
        );
        const changed = Buffer.from(whole);
        changed[first] = (changed[first] ?? 0) ^ 1;
        const content = spans().get(other)?.start ?? 0;
        changed[content] = (changed[content] ?? 0) ^ 1;
        expect(verifiedHere(changed)).toEqual({ verdict: 'tampered', found: [path, other].toSorted() });
      }),
      { numRuns: 100 },
    );
  });

  it('names a file that another program added', () => {
    const path = join(folder, 'appended.tar');
    execFileSync('cp', [archive, path]);
    writeFileSync(join(folder, 'note.txt'), 'a note');
    execFileSync('tar', ['--append', '-f', path, '-C', folder, 'note.txt']);
    expect(verifiedHere(readFileSync(path))).toEqual({ verdict: 'tampered', found: ['note.txt'] });
  });

  it('is incomplete if it was cut off, and a damaged description is reported with the name of the file before it', async () => {
    const whole = readFileSync(archive);
    const cut = join(folder, 'cut.tar');
    writeFileSync(cut, whole.subarray(0, Math.floor(whole.length / 2)));
    const { code, out } = await verify(cut);
    expect({ code, out }).toMatchObject({
      code: 2,
      out: expect.stringMatching(/INCOMPLETE[\s\S]*is truncated/) as string,
    });
    const csv = spans().get('people.csv');
    const damaged = await verify(changedAt((csv?.start ?? 0) - 400), ...key);
    expect(damaged).toMatchObject({
      code: 1,
      out: expect.stringContaining('The description of the next file is damaged after README.txt.') as string,
    });
  });

  it('is refused if it was rebuilt with a changed file and an unsigned new list', async () => {
    const copy = join(folder, 'forged');
    execFileSync('cp', ['-r', extracted, copy]);
    writeFileSync(join(copy, 'runs.csv'), text('runs.csv').replace('Acme', 'Nobody'));
    const sums = execFileSync('sh', ['-c', `cut -c67- SHA256SUMS | xargs -d '\\n' sha256sum`], { cwd: copy });
    writeFileSync(join(copy, 'SHA256SUMS'), sums);
    const { openTarWriter } = await import('./tar-writer.ts');
    const forged = join(folder, 'forged.tar');
    const writer = await openTarWriter(forged, { replace: false, at: 0 });
    for (const path of spans().keys()) await writer.add(path, [readFileSync(join(copy, path))]);
    await writer.finish();
    expect(await verify(forged)).toMatchObject({
      code: 1,
      out: expect.stringContaining('SHA256SUMS differs from what was exported.') as string,
    });
  });

  it('is written to a folder under a name with the time, and replaces no file without --force', async () => {
    expect(await stet(['organization', 'export', orgId, `${folder}/`], env)).toMatchObject({ code: 0 });
    expect(readdirSync(folder).filter((name) => name.startsWith(`stet-organization-${slug}-20`))).toHaveLength(1);
    expect(await stet(['organization', 'export', slug, archive], env)).toMatchObject({
      code: 1,
      stderr: `${archive} already exists. Use --force to replace it.\n`,
    });
    const replaced = join(folder, 'replaced.tar');
    writeFileSync(replaced, 'mine');
    expect(await stet(['organization', 'export', slug, replaced], env)).toMatchObject({ code: 1 });
    expect(readFileSync(replaced, 'utf8')).toBe('mine');
    expect(await stet(['organization', 'export', slug, replaced, '--force'], env)).toMatchObject({ code: 0 });
    expect(await verify(replaced, ...key)).toMatchObject({ code: 0 });
    expect(await stet(['organization', 'export', 'nobody', join(folder, 'x.tar')], env)).toMatchObject({
      code: 1,
      stderr: 'There is no organization with the URL prefix or id nobody.\n',
    });
    expect(readdirSync(folder).filter((name) => name.includes('unfinished') || name === 'x.tar')).toEqual([]);
    expect(await verify(join(folder, 'nothing.tar'))).toMatchObject({ code: 3 });
    expect(await verify(join(extracted, 'runs.csv'))).toMatchObject({ code: 3 });
  });

  it('contains every checkpoint, oldest first', async () => {
    const events = await sealEachEvent(server, other.orgId, 1100);
    const file = join(folder, 'checkpoints.tar');
    expect(await stet(['organization', 'export', other.orgId, file], env)).toMatchObject({ code: 0 });
    const into = join(folder, 'checkpoints');
    mkdirSync(into);
    execFileSync('tar', ['-xf', file, '-C', into, 'audit']);
    const read = (path: string): string => readFileSync(join(into, path), 'utf8');
    // The export's own event is also sealed.
    const sizes = Array.from({ length: events + 1 }, (_, n) => String(n + 1));
    const sizesOf = (notes: readonly string[]): unknown[] => notes.map((note) => note.split('\n')[1]);
    expect(sizesOf(splitNotes(read('audit/checkpoints.txt')))).toEqual(sizes);
    const lines = read('audit/trail.ndjson').trimEnd().split('\n').map(readBundleLine);
    expect(sizesOf(lines.flatMap((line) => (line?.type === 'checkpoint' ? [line.note] : [])))).toEqual(sizes);
    expect(await verify(file, ...key)).toMatchObject({ code: 0 });
  });

  it('contains an empty line for a note that was erased', async () => {
    await server.sql('alter table audit_events disable trigger audit_events_append_only');
    await server.sql(
      `update audit_events set payload = null, salt = null where run_id = $1 and action = 'note.added'`,
      [run.id],
    );
    await server.sql('alter table audit_events enable trigger audit_events_append_only');
    const erased = join(folder, 'erased.tar');
    expect(await stet(['organization', 'export', slug, erased], env)).toMatchObject({ code: 0 });
    const notes = execFileSync('tar', ['-xOf', erased, '--wildcards', '*notes.csv'], { encoding: 'utf8' });
    const lines = notes.trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(run.id);
    expect(notes).not.toContain('Call them first');
  });
});
