import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_LIMITS } from '@stet/domain/steps';
import { afterAll, describe, expect, it } from 'vitest';
import { startBackupScene } from '../testing/backup-scene.ts';
import { FILE_FIELD, upload } from '../testing/files.ts';
import { publish, teamOf } from '../testing/organization.ts';
import { act, start } from '../testing/runs.ts';
import { verifyFiles } from './installation/verify-files.ts';
import { stet } from './stet.fixture.ts';

const scene = await startBackupScene();
const { server, inFolder } = scene;
const { owner, editor, reviewer } = await teamOf(server, ['editor', 'reviewer']);
await publish(owner, reviewer, 'offers', [
  { id: 'offer', title: 'Offer', config: { fields: [FILE_FIELD], requiresApproval: true } },
  { id: 'other', title: 'Other', config: { fields: [FILE_FIELD] } },
]);

const run = await start(owner, 'offers');
const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(FILE_LIMITS.chunk + 5)]);
const ids: string[] = [];
for (const [stepId, own] of [
  ['offer', bytes],
  ['other', Buffer.from('<script>')],
] as const) {
  const id = await upload(server, editor, { runId: run.id, stepId }, own, { name: `${stepId} “1”.exe` });
  ids.push(id);
  await act(editor, run.id, stepId, 'complete', { output: { fields: { offer: [id] } } });
  if (stepId === 'offer') await act(owner, run.id, stepId, 'approve', {});
}

// The file of a note is part of the trail, like the files of steps.
const noted = await upload(server, editor, { runId: run.id }, Buffer.from('noted'), { name: 'noted.txt' });
await editor.post(`/api/runs/${run.id}/notes`, { text: 'See the attached file', files: [noted] });
ids.push(noted);

const env = { STET_URL: server.server.url, STET_TOKEN: owner.token };
const trail = inFolder('trail.ndjson');
writeFileSync(trail, (await owner.call<string>('GET', '/api/audit/export.ndjson')).body);
const verify = (folder: string, ...more: string[]) => stet(['audit', 'verify', trail, '--files', folder, ...more]);

describe('the files of a trail', () => {
  afterAll(() => scene.stop());

  it('are downloaded by id, and verified with the trail but without the server', async () => {
    const folder = inFolder('files');
    expect(await stet(['audit', 'files', trail, folder], env)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('3 files downloaded') as string,
    });
    expect(readdirSync(folder).toSorted()).toEqual([`${ids[0]}.pdf`, `${ids[1]}`, noted].toSorted());
    expect(readFileSync(join(folder, `${ids[0]}.pdf`)).equals(bytes)).toBe(true);
    const { code, out } = await verify(folder);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('3 files named in the trail; all present and unchanged') as string,
    });
    // The second download transfers nothing.
    const again = await stet(['audit', 'files', trail, folder, '--json'], env);
    expect(JSON.parse(again.out)).toEqual({ downloaded: 0, present: 3, problems: [] });
  });

  it('are reported by name, id and event if they are changed or missing', async () => {
    const folder = inFolder('changed');
    await stet(['audit', 'files', trail, folder], env);
    const flipped = Buffer.from(bytes);
    flipped[FILE_LIMITS.chunk] = (flipped[FILE_LIMITS.chunk] ?? 0) ^ 1;
    writeFileSync(join(folder, `${ids[0]}.pdf`), flipped);
    const changed = await verify(folder);
    expect(changed).toMatchObject({ code: 1, out: expect.stringMatching(/^TAMPERED: files differ/) as string });
    expect(changed.out).toMatch(
      new RegExp(`✗ The file .*offer “1”.exe.* \\(${ids[0]}\\) of event \\d+ differs from the one that was recorded`),
    );
    rmSync(join(folder, `${ids[0]}.pdf`));
    const missing = await verify(folder, '--json');
    expect(missing.code).toBe(2);
    expect(JSON.parse(missing.out)).toMatchObject({
      verdict: 'incomplete',
      findings: [],
      files: { files: 3, findings: [{ problem: 'missing', file: { fileId: ids[0] } }] },
    });
    expect((await verify(inFolder('nowhere'))).code).toBe(3);
    // A download repairs the folder.
    await stet(['audit', 'files', trail, folder], env);
    expect((await verify(folder)).code).toBe(0);
  });

  it('don’t exist for another organization, and can’t be downloaded without a valid token', async () => {
    const stranger = await server.signUp();
    const outcome = await stet(['audit', 'files', trail, inFolder('stranger')], {
      ...env,
      STET_TOKEN: stranger.token,
    });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('is not on the server') as string });
    expect(readdirSync(inFolder('stranger'))).toEqual([]);
    expect((await stet(['audit', 'files', trail, inFolder('none')], { ...env, STET_TOKEN: 'x' })).code).toBe(4);
    expect((await stet(['audit', 'files', inFolder('nowhere'), inFolder('none')], env)).code).toBe(1);
  });

  it('are compared with the trail in the database: changed bytes and descriptions are found', async () => {
    const { connection } = server.database;
    expect(await verifyFiles(connection)).toEqual({ files: 3, problems: [] });
    const change = async (text: string, values: unknown[]): Promise<void> => {
      for (const table of ['files', 'file_chunks']) await server.sql(`alter table ${table} disable trigger user`);
      await server.sql(text, values);
      for (const table of ['files', 'file_chunks']) await server.sql(`alter table ${table} enable trigger user`);
    };
    const problemAfter = async (text: string, undo: string) => {
      await change(text, [ids[0]]);
      const { problems } = await verifyFiles(connection);
      await change(undo, [ids[0]]);
      expect(problems).toHaveLength(1);
      return problems[0];
    };
    const chunk =
      'update file_chunks set bytes = set_byte(bytes, 3, get_byte(bytes, 3) # 1) where file_id = $1 and n = 1';
    expect(await problemAfter(chunk, chunk)).toContain(`${ids[0]}`);
    expect(await problemAfter(chunk, chunk)).toContain('its bytes differ');
    const named = (name: string) => `update files set name = '${name}' where id = $1`;
    expect(await problemAfter(named('other.pdf'), named('offer “1”.exe'))).toContain('its description differs');
    expect((await verifyFiles(connection)).problems).toEqual([]);
  });
});
