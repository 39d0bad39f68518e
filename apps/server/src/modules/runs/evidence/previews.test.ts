import { afterAll, describe, expect, it } from 'vitest';
import { FILE_FIELD, upload } from '../../../testing/files.ts';
import { decoded, jpegOf, pngBomb, pngOf } from '../../../testing/pictures.ts';
import { startRunScene } from '../../../testing/run-scene.ts';
import { act } from '../../../testing/runs.ts';
import type { Person } from '../../../testing/server.ts';
import { makePreview } from './make-preview.job.ts';

const { server, owner, editor, viewer, startOf } = await startRunScene();
const { deps } = server.server;

const runWithFiles = async () => {
  const { id: runId } = await startOf({ id: 'first', title: 'First', config: { fields: [FILE_FIELD] } });
  return { runId, stepId: 'first' };
};
const used = async () => (await owner.get<{ bytes: number }>('/api/file-usage')).bytes;
const preview = (person: Person, id: string) =>
  fetch(`${server.server.url}/api/files/${id}/preview`, { headers: { authorization: `Bearer ${person.token}` } });
const stored = (id: string) =>
  server.sql<{ size: number | null }>('select length(bytes) as size from file_previews where file_id = $1', [id]);
/** Waits until the job has been executed. */
const isTried = async (id: string): Promise<void> => {
  await expect.poll(() => stored(id)).toHaveLength(1);
};

// Each image is different, because a person who uploads the same one again continues that upload.
let images = 0;
const image = (width = 640, height = 400) => {
  images += 1;
  return pngOf(width, height, () => [images, 100, 200, 255]);
};

describe('the preview of a file', () => {
  afterAll(() => server.stop());

  it('is made of images after the upload, and is read by those who can read the file', async () => {
    const at = await runWithFiles();
    const id = await upload(server, editor, at, image(), { name: 'photo.exe' });
    await expect.poll(async () => (await preview(editor, id)).status).toBe(200);
    const response = await preview(editor, id);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="preview.jpg"',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(decoded(bytes)).toMatchObject({ width: 320, height: 200 });

    // Until the step is completed, only the uploader can read the file.
    for (const person of [owner, viewer]) expect((await preview(person, id)).status).toBe(404);
    await act(editor, at.runId, 'first', 'complete', { output: { fields: { offer: [id] } } });
    for (const person of [owner, viewer]) expect((await preview(person, id)).status).toBe(200);
    const stranger = await server.signUp({ team: 'Elsewhere' });
    expect((await preview(stranger, id)).status).toBe(404);
    expect((await fetch(`${server.server.url}/api/files/${id}/preview`)).status).toBe(401);
  });

  it('doesn’t exist for files of other types, whatever their names are, or for images that can’t be decoded', async () => {
    const at = await runWithFiles();
    const text = await upload(server, editor, at, Buffer.from('<svg onload="alert(1)"/>'), { name: 'photo.png' });
    const damaged = await upload(server, editor, at, pngBomb({ width: 60_000, height: 60_000, bytes: 10 }));
    await isTried(damaged);
    for (const id of [text, damaged]) {
      const response = await preview(editor, id);
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
      expect((await preview(viewer, id)).status).toBe(404);
    }
    expect(await stored(text)).toEqual([]);
    // It isn't decoded again.
    const previews = { ...deps.previews, make: () => Promise.reject(new Error('it is decoded again')) };
    const [row] = await server.sql<{ org_id: string }>('select org_id from files where id = $1', [damaged]);
    await makePreview({ db: deps.db, previews }, { orgId: row?.org_id, fileId: damaged });
  });

  it('counts as space in use, and is deleted with its file', async () => {
    const at = await runWithFiles();
    const before = await used();
    const bytes = image();
    const id = await upload(server, editor, at, bytes);
    await isTried(id);
    const [{ size } = { size: 0 }] = await stored(id);
    expect(size).toBeGreaterThan(100);
    expect(await used()).toBe(before + bytes.length + (size ?? 0));
    expect((await editor.call('DELETE', `/api/files/${id}`)).status).toBe(200);
    expect(await stored(id)).toEqual([]);
    expect(await used()).toBe(before);
  });

  it('is made by a later attempt if the first one fails, but not of files that don’t exist', async () => {
    const at = await runWithFiles();
    const { make } = deps.previews;
    let isOut = (): void => {};
    const failed = new Promise<void>((resolve) => (isOut = resolve));
    deps.previews.make = () => {
      isOut();
      return Promise.reject(new Error('the server was stopped'));
    };
    const id = await upload(
      server,
      editor,
      at,
      jpegOf(30, 20, () => [9, 9, 9, 255]),
    );
    await failed;
    deps.previews.make = make;
    await expect.poll(async () => (await preview(editor, id)).status).toBe(200);

    const gone = { orgId: crypto.randomUUID(), fileId: crypto.randomUUID() };
    await makePreview(deps, gone);
    expect(await stored(gone.fileId)).toEqual([]);
  });

  it('isn’t stored if the file is deleted while the preview is being made', async () => {
    const at = await runWithFiles();
    const before = await used();
    const { make } = deps.previews;
    const made: (Buffer | null)[] = [];
    let release = (): void => {};
    const deleted = new Promise<void>((resolve) => (release = resolve));
    deps.previews.make = async (bytes) => {
      made.push(await make(bytes));
      await deleted;
      return made[0] ?? null;
    };
    const id = await upload(server, editor, at, image());
    await expect.poll(() => made).toEqual([expect.any(Buffer)]);
    deps.previews.make = make;
    expect((await editor.call('DELETE', `/api/files/${id}`)).status).toBe(200);
    release();
    const next = await upload(server, editor, at, image());
    await isTried(next);
    expect(await stored(id)).toEqual([]);
    await editor.call('DELETE', `/api/files/${next}`);
    expect(await used()).toBe(before);
  });
});
