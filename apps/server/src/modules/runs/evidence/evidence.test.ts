import { randomBytes } from 'node:crypto';
import { FILE_LIMITS, MEGABYTE } from '@stet/domain/steps';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { changeBefore } from '../../../testing/delayed-change.ts';
import { refused } from '../../../testing/drafts.ts';
import { begin, chunkOf, digestOf, FILE_FIELD, finish, putChunk, upload } from '../../../testing/files.ts';
import { joinOrganization } from '../../../testing/organization.ts';
import { personalToken } from '../../../testing/api-tokens.ts';
import { startRunScene } from '../../../testing/run-scene.ts';
import { act, runOf } from '../../../testing/runs.ts';
import type { Client, Person } from '../../../testing/server.ts';
import { sweepUploads } from './sweep-uploads.job.ts';

const { server, owner, editor, reviewer, viewer, startOf } = await startRunScene({ FILE_SPACE_MB: '40' });

const orgId = owner.user.currentOrgId ?? '';

const { chunk } = FILE_LIMITS;
const attach = (id: string, more: object = {}) => ({
  id,
  title: id,
  config: { fields: [FILE_FIELD, { id: 'face', label: 'Face', kind: 'photo' }], ...more },
});
/** Two steps that take files, one after the other. */
const runWithFiles = async () => {
  const { id: runId } = await startOf(attach('first'), attach('second'));
  return { runId, stepId: 'first' };
};
const send = (person: Person, runId: string, stepId: string, fields: object) =>
  act(person, runId, stepId, 'complete', { output: { fields } });
const used = async () => (await owner.get<{ bytes: number }>('/api/file-usage')).bytes;
const download = (person: Person, id: string) =>
  fetch(`${server.server.url}/api/files/${id}`, { headers: { authorization: `Bearer ${person.token}` } });

describe('a file', () => {
  afterAll(() => server.stop());

  it('is uploaded in chunks, in any order and repeatedly, and its digest becomes part of the step’s output', async () => {
    const at = await runWithFiles();
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(2 * chunk + 7)]);
    const { status, body } = await begin(editor, at, bytes, { name: 'C:\\offers\\offer \u202Efdp.exe' });
    expect({ status, body }).toMatchObject({ status: 201, body: { chunkSize: chunk, chunks: [] } });
    for (const n of [2, 0, 0, 1])
      expect(await putChunk(server, editor, body.id, n, chunkOf(bytes, n))).toEqual({
        status: 200,
        body: { stored: n },
      });
    const evidence = {
      fileId: body.id,
      sha256: digestOf(bytes),
      size: bytes.length,
      name: 'offer _fdp.exe',
      mediaType: 'application/pdf',
    };
    // A repeated completion returns the same evidence.
    expect((await finish(editor, body.id)).body).toEqual(evidence);
    expect((await finish(editor, body.id)).body).toEqual(evidence);

    // Until the step is completed, only the uploader can download the file.
    expect((await download(viewer, body.id)).status).toBe(404);
    const done = await send(editor, at.runId, 'first', { offer: [body.id] });
    expect(done.body.run.steps[0]).toMatchObject({ state: 'completed', output: { fields: { offer: [evidence] } } });
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where run_id = $1 and action = 'step.completed'`,
      [at.runId],
    );
    expect(event?.payload).toContain(evidence.sha256);

    const response = await download(viewer, body.id);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="file"; filename*=UTF-8''offer%20_fdp.exe`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect((await fetch(`${server.server.url}/api/files/${body.id}`)).status).toBe(401);
  });

  it.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'photo.svg'],
    ['<!doctype html><script>alert(1)</script>', 'page.png'],
    ['GIF89', 'short.gif'],
  ])(
    'is served as bytes, and isn’t accepted as a photo, if its content isn’t known to be harmless: %s',
    async (text, name) => {
      const at = await runWithFiles();
      const id = await upload(server, editor, at, Buffer.from(text), { name });
      expect((await download(editor, id)).headers.get('content-type')).toBe('application/octet-stream');
      expect((await send(editor, at.runId, 'first', { offer: [], face: [id] })).body).toMatchObject({
        code: 'invalid_fields',
        details: expect.arrayContaining([expect.objectContaining({ problem: 'Face must be photos' })]) as unknown,
      });
    },
  );

  it('continues after an interruption with the chunks that are missing', async () => {
    const at = await runWithFiles();
    const bytes = randomBytes(3 * chunk);
    const { body } = await begin(editor, at, bytes);
    await putChunk(server, editor, body.id, 1, chunkOf(bytes, 1));
    expect(await finish(editor, body.id)).toMatchObject(refused(409, 'chunk_missing'));
    const before = await used();
    const again = await begin(editor, at, bytes);
    expect(again.body).toMatchObject({ id: body.id, chunks: [1] });
    expect(await used()).toBe(before);
    // The same file uploaded by someone else is a separate upload.
    expect((await begin(owner, at, bytes)).body).toMatchObject({ chunks: [] });
    for (const n of [0, 2]) await putChunk(server, editor, body.id, n, chunkOf(bytes, n));
    expect((await finish(editor, body.id)).status).toBe(200);
  });

  it('is refused if its bytes differ from the declared digest, and can be sent again', async () => {
    const at = await runWithFiles();
    const bytes = randomBytes(chunk + 1);
    const { body } = await begin(editor, at, bytes);
    const flipped = Buffer.from(bytes);
    flipped[5] = (flipped[5] ?? 0) ^ 1;
    for (const n of [0, 1]) await putChunk(server, editor, body.id, n, chunkOf(flipped, n));
    expect(await finish(editor, body.id)).toMatchObject(refused(400, 'wrong_digest'));
    expect((await send(editor, at.runId, 'first', { offer: [body.id] })).body).toMatchObject({
      details: [{ problem: 'Offer has offer.pdf, which isn’t completely uploaded' }],
    });
    await putChunk(server, editor, body.id, 0, chunkOf(bytes, 0));
    expect((await finish(editor, body.id)).status).toBe(200);
    // The chunks of a completed file can't be changed.
    await putChunk(server, editor, body.id, 0, chunkOf(flipped, 0));
    expect(digestOf(Buffer.from(await (await download(editor, body.id)).arrayBuffer()))).toBe(digestOf(bytes));
  });

  it('is refused if a chunk is out of range or has the wrong length, or if its size or digest is invalid', async () => {
    const at = await runWithFiles();
    const bytes = randomBytes(chunk + 10);
    const { body } = await begin(editor, at, bytes);
    for (const [n, sent] of [
      [2, 10],
      [99, 1],
      [1, 11],
      [1, 9],
      [0, 10],
    ] as const)
      expect(await putChunk(server, editor, body.id, n, bytes.subarray(0, sent))).toMatchObject(
        refused(400, 'wrong_chunk'),
      );
    for (const n of [100, -1, '1.5', 'x'])
      expect((await putChunk(server, editor, body.id, n, chunkOf(bytes, 0))).status).toBe(404);
    expect((await putChunk(server, editor, body.id, 0, randomBytes(chunk + 1))).status).toBe(413);
    const tooLarge = { size: FILE_LIMITS.bytes + 1 };
    expect((await begin(editor, at, bytes, tooLarge)).status).toBe(400);
    expect((await begin(editor, at, bytes, { size: 0 })).status).toBe(400);
    expect((await begin(editor, at, bytes, { sha256: 'ab' })).status).toBe(400);
  });

  it('accepts a chunk without a declared length, but rejects chunks that are incomplete or aren’t bytes', async () => {
    const at = await runWithFiles();
    const bytes = randomBytes(chunk);
    const { body } = await begin(editor, at, bytes);
    const url = `${server.server.url}/api/files/${body.id}/chunks/0`;
    const headers = { authorization: `Bearer ${editor.token}`, 'content-type': 'application/octet-stream' };
    const streamed = async (parts: Uint8Array[]) =>
      (await fetch(url, { method: 'POST', headers, body: ReadableStream.from(parts), duplex: 'half' })).status;
    expect(await streamed([bytes.subarray(0, 1000), bytes.subarray(1000, 9999)])).toBe(400);
    expect(await streamed([bytes, Buffer.from('one more')])).toBe(413);
    expect(await streamed([bytes.subarray(0, 1000), bytes.subarray(1000)])).toBe(200);
    const asText = { method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body: 'x' };
    expect((await fetch(url, asText)).status).toBe(415);

    // If a client disconnects in the middle of a chunk, nothing is stored, and its upload slot is free again.
    for (let n = 0; n < 20; n += 1) {
      const stop = new AbortController();
      const half = new ReadableStream({ start: (to) => to.enqueue(bytes.subarray(0, 5000)) });
      const sent = fetch(url, {
        method: 'POST',
        headers,
        body: half,
        duplex: 'half',
        signal: stop.signal,
      });
      setTimeout(() => stop.abort(), 20);
      await expect(sent).rejects.toThrow('aborted');
    }
    expect(await finish(editor, body.id)).toMatchObject({ status: 200, body: { sha256: digestOf(bytes) } });
  });

  it('exists only for its uploader until it is attached, and can’t be attached by others, elsewhere or twice', async () => {
    const [at, other] = [await runWithFiles(), await runWithFiles()];
    const bytes = randomBytes(20);
    const id = await upload(server, editor, at, bytes);
    const unknown = {
      details: [
        {
          problem:
            'Offer has a file that you haven’t uploaded for this step, or that was deleted. Remove it, then choose it again',
        },
      ],
    };
    for (const person of [owner, reviewer]) {
      expect((await putChunk(server, person, id, 0, bytes)).status).toBe(404);
      expect((await finish(person, id)).status).toBe(404);
      expect((await download(person, id)).status).toBe(404);
    }
    expect((await send(owner, at.runId, 'first', { offer: [id] })).body).toMatchObject(unknown);
    expect((await send(editor, other.runId, 'first', { offer: [id] })).body).toMatchObject(unknown);
    for (const odd of [['x'], [null], [{ fileId: 5 }], [crypto.randomUUID()]])
      expect((await send(editor, at.runId, 'first', { offer: odd })).body).toMatchObject(unknown);
    expect((await send(editor, at.runId, 'first', { offer: [id, id] })).body).toMatchObject({ code: 'invalid_fields' });

    // The server ignores a digest that the client sends with the input.
    const forged = [{ fileId: id, sha256: 'f'.repeat(64), size: 1, name: 'forged', mediaType: 'text/html' }];
    const done = await send(editor, at.runId, 'first', { offer: forged });
    expect(done.body.run.steps[0]?.output).toMatchObject({
      fields: { offer: [{ sha256: digestOf(bytes), size: 20 }] },
    });
    const next = await upload(server, editor, { ...at, stepId: 'second' }, bytes);
    expect(next).not.toBe(id);
    expect((await send(editor, at.runId, 'second', { offer: [id] })).body).toMatchObject(unknown);
    expect((await send(editor, at.runId, 'second', { offer: [next] })).status).toBe(200);
  });

  it('can be named again after its step is returned, but belongs to the activation that named it first', async () => {
    const { id: runId } = await startOf(
      attach('first', { requiresApproval: true }),
      { id: 'check', title: 'Check', type: 'approval', config: { onReject: 'first' } },
      attach('second'),
    );
    const place = { runId, stepId: 'first' };
    const bytes = Buffer.from('once');
    const id = await upload(server, editor, place, bytes);
    const give = (...ids: string[]) => send(editor, runId, 'first', { offer: ids });
    expect(await give(id)).toMatchObject({ status: 200 });
    expect((await act(owner, runId, 'first', 'reject', { comments: 'Is it signed?' })).status).toBe(200);
    expect(await give(id)).toMatchObject({ status: 200 });
    expect((await act(owner, runId, 'first', 'approve')).status).toBe(200);
    // Now the step has a second activation.
    expect((await act(reviewer, runId, 'check', 'reject', { comments: 'Add the annex' })).status).toBe(200);
    const annex = await upload(server, editor, place, Buffer.from('annex'));
    expect(await give(id, annex)).toMatchObject({ status: 200 });
    const done = await act(owner, runId, 'first', 'approve');
    expect(done.body.run.steps[0]).toMatchObject({
      state: 'completed',
      output: { fields: { offer: [{ fileId: id, sha256: digestOf(bytes) }, { fileId: annex }] } },
    });
    const activations = await server.sql('select activation from files where run_id = $1 order by id', [runId]);
    expect(activations).toEqual([{ activation: 1 }, { activation: 2 }]);
    // No other step can use it.
    expect((await act(reviewer, runId, 'check', 'approve')).status).toBe(200);
    expect((await send(editor, runId, 'second', { offer: [id] })).status).toBe(400);
  });

  it('is attached once, to the step it was uploaded for, if several requests name it at the same time', async () => {
    const { id: runId } = await startOf(
      { id: 'fork', title: 'Fork', next: ['left', 'right'] },
      { ...attach('left'), next: [] },
      { ...attach('right'), next: [] },
    );
    await act(editor, runId, 'fork', 'complete', { output: 'Go' });
    const id = await upload(server, editor, { runId, stepId: 'left' }, randomBytes(9));
    const replies = await Promise.all(
      ['left', 'right', 'left'].map((step) => send(editor, runId, step, { offer: [id] })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await runOf(owner, runId)).steps.map(({ state }) => state)).toEqual(['completed', 'completed', 'active']);
  });

  it('can be uploaded for a step only if the step is active and has a file field, by someone who may complete it', async () => {
    const at = await runWithFiles();
    const bytes = randomBytes(5);
    expect(await begin(editor, { ...at, stepId: 'second' }, bytes)).toMatchObject(refused(409, 'no_files_now'));
    expect(await begin(editor, { ...at, stepId: 'third' }, bytes)).toMatchObject(refused(404, 'unknown_step'));
    expect(await begin(editor, { ...at, runId: crypto.randomUUID() }, bytes)).toMatchObject(refused(404, 'not_found'));
    expect((await begin(viewer, at, bytes)).status).toBe(403);
    const { id: plain } = await startOf({ id: 'plain', title: 'Plain' });
    expect(await begin(editor, { runId: plain, stepId: 'plain' }, bytes)).toMatchObject(refused(409, 'no_files_now'));
  });

  it('can’t be uploaded for a step of a paused or finished run, and then uses no space', async () => {
    const at = await runWithFiles();
    const before = await used();
    await owner.post(`/api/runs/${at.runId}/pause`);
    expect(await begin(editor, at, randomBytes(5))).toMatchObject(refused(409, 'run_paused'));
    await owner.post(`/api/runs/${at.runId}/cancel`, { reason: 'Over' });
    expect(await begin(editor, at, randomBytes(5))).toMatchObject(refused(409, 'run_finished'));
    expect(await used()).toBe(before);
  });

  it('can’t be changed in the database once it is complete, or deleted once it is attached', async () => {
    const at = await runWithFiles();
    const id = await upload(server, editor, at, randomBytes(5));
    const change = (text: string) => server.sql(text, [id]);
    await expect(change(`update file_chunks set bytes = 'other' where file_id = $1`)).rejects.toThrow('immutable');
    await expect(change('delete from file_chunks where file_id = $1')).rejects.toThrow('immutable');
    await expect(change(`update files set sha256 = decode(repeat('00', 32), 'hex') where id = $1`)).rejects.toThrow(
      'immutable',
    );
    await expect(change(`update files set media_type = 'text/html' where id = $1`)).rejects.toThrow('immutable');
    await send(editor, at.runId, 'first', { offer: [id] });
    await expect(change('update files set activation = null where id = $1')).rejects.toThrow('immutable');
    await expect(change('delete from files where id = $1')).rejects.toThrow('never deleted');
  });

  it('is downloaded in parts, each with the right bytes, also across chunks', async () => {
    const at = await runWithFiles();
    const bytes = randomBytes(2 * chunk + 100);
    const id = await upload(server, editor, at, bytes);
    const part = async (headers: Record<string, string>) => {
      const url = `${server.server.url}/api/files/${id}`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${editor.token}`, ...headers } });
      return { response, body: Buffer.from(await response.arrayBuffer()) };
    };
    const whole = await part({});
    const etag = `"${digestOf(bytes)}"`;
    expect(Object.fromEntries(whole.response.headers)).toMatchObject({ 'accept-ranges': 'bytes', etag });
    for (const [from, to] of [
      [0, 0],
      [10, 40_000],
      [chunk - 1, chunk],
      [100, 2 * chunk + 99],
    ] as const) {
      const { response, body } = await part({ range: `bytes=${from}-${to}` });
      expect(response.status).toBe(206);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-range': `bytes ${from}-${to}/${bytes.length}`,
        'content-length': String(to - from + 1),
        'content-disposition': expect.stringContaining('attachment') as unknown,
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
      });
      expect(body.equals(bytes.subarray(from, to + 1))).toBe(true);
    }
    const beyond = await part({ range: `bytes=${bytes.length}-` });
    expect(beyond.response.status).toBe(416);
    expect(beyond.response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    // A client must not combine parts of two different files.
    expect((await part({ range: 'bytes=0-9', 'if-range': '"other"' })).response.status).toBe(200);
    expect((await part({ range: 'bytes=0-9', 'if-range': etag })).body).toHaveLength(10);
    expect((await part({ range: 'bytes=0-1,5-6' })).body.equals(bytes)).toBe(true);
  });

  it('can be deleted by its uploader until it is attached, which frees its space', async () => {
    const at = await runWithFiles();
    const before = await used();
    const [done, begun] = [
      await upload(server, editor, at, randomBytes(60)),
      (await begin(editor, at, randomBytes(40))).body.id,
    ];
    const remove = (person: Person, id: string) => person.call('DELETE', `/api/files/${id}`);
    expect(await used()).toBe(before + 100);
    for (const person of [owner, viewer]) expect(await remove(person, done)).toMatchObject(refused(404, 'not_found'));
    for (const id of [done, begun]) {
      expect((await remove(editor, id)).status).toBe(200);
      expect(await remove(editor, id)).toMatchObject(refused(404, 'not_found'));
      expect((await download(editor, id)).status).toBe(404);
    }
    expect(await used()).toBe(before);
    expect((await send(editor, at.runId, 'first', { offer: [done] })).status).toBe(400);

    const attached = await upload(server, editor, at, randomBytes(30));
    expect((await send(editor, at.runId, 'first', { offer: [attached] })).status).toBe(200);
    expect(await remove(editor, attached)).toMatchObject(refused(409, 'file_attached'));
    const noted = await upload(server, editor, { runId: at.runId }, randomBytes(10));
    await editor.post(`/api/runs/${at.runId}/notes`, { text: 'See this', files: [noted] });
    expect(await remove(editor, noted)).toMatchObject(refused(409, 'file_attached'));
    expect(await used()).toBe(before + 40);
  });

  it('isn’t deleted when a form removes it if its upload was begun again for another form', async () => {
    const at = await runWithFiles();
    const remove = (id: string) => editor.call('DELETE', `/api/files/${id}?keepReused=true`);
    for (const place of [at, { runId: at.runId }]) {
      const before = await used();
      const bytes = randomBytes(50);
      const once = await upload(server, editor, place, bytes);
      expect((await remove(once)).status).toBe(200);
      expect((await download(editor, once)).status).toBe(404);
      expect(await used()).toBe(before);
      // The same content is a new upload now, and then two forms contain it.
      const twice = await upload(server, editor, place, bytes);
      expect(twice).not.toBe(once);
      expect(await upload(server, editor, place, bytes)).toBe(twice);
      expect(await remove(twice)).toMatchObject({
        status: 200,
        body: { message: 'Not deleted, because it was begun more than once' },
      });
      expect((await download(editor, twice)).status).toBe(200);
      // Its uploader can still delete it explicitly.
      expect((await editor.call('DELETE', `/api/files/${twice}`)).status).toBe(200);
      expect(await used()).toBe(before);
    }
  });

  it('is never lost for a form that began it while another one removes it', async () => {
    for (let n = 0; n < 8; n += 1) {
      const at = await runWithFiles();
      const bytes = randomBytes(20);
      const id = await upload(server, editor, at, bytes);
      const [, again] = await Promise.all([
        editor.call('DELETE', `/api/files/${id}?keepReused=true`),
        begin(editor, at, bytes),
      ]);
      expect(again.status).toBe(201);
      // Either the upload stayed, or a new one was begun.
      await putChunk(server, editor, again.body.id, 0, bytes);
      expect((await finish(editor, again.body.id)).status).toBe(200);
      expect((await send(editor, at.runId, 'first', { offer: [again.body.id] })).status).toBe(200);
    }
  });

  it('exists with all its bytes once a step or note names it, whatever allowed calls follow', async () => {
    const people = [editor, owner];
    const counts = { named: 0, deleted: 0 };
    const calls = fc.array(
      fc.record({
        do: fc.constantFrom('upload', 'upload', 'remove', 'remove', 'submit', 'submit', 'note', 'return', 'approve'),
        person: fc.nat(1),
        content: fc.nat(2),
        stepId: fc.constantFrom('first', 'second', undefined),
        keepReused: fc.boolean(),
        file: fc.nat(20),
      }),
      { minLength: 12, maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(calls, async (sequence) => {
        const { id: runId } = await startOf(
          attach('first', { requiresApproval: true }),
          { id: 'check', title: 'Check', type: 'approval', config: { onReject: 'first' } },
          attach('second'),
        );
        const uploads: { id: string; bytes: Buffer }[] = [];
        const named = new Map<string, Buffer>();
        for (const call of sequence) {
          const person = people[call.person] ?? editor;
          const chosen = uploads[call.file % Math.max(1, uploads.length)];
          if (call.do === 'upload') {
            const bytes = Buffer.from(`content ${call.content}`);
            const place = { runId, ...(call.stepId !== undefined && { stepId: call.stepId }) };
            const { status, body } = await begin(person, place, bytes);
            if (status !== 201) continue;
            await putChunk(server, person, body.id, 0, bytes);
            if ((await finish(person, body.id)).status === 200) uploads.push({ id: body.id, bytes });
          } else if (call.do === 'return') {
            await act(owner, runId, 'first', 'reject', { comments: 'Again' });
            await act(reviewer, runId, 'check', 'reject', { comments: 'Again' });
          } else if (call.do === 'approve') {
            for (const each of people) await act(each, runId, 'first', 'approve');
          } else if (chosen && call.do === 'remove') {
            const query = call.keepReused ? '?keepReused=true' : '';
            const { status } = await person.call('DELETE', `/api/files/${chosen.id}${query}`);
            if (status === 200) counts.deleted += 1;
          } else if (chosen) {
            const reply =
              call.do === 'note'
                ? await person.call('POST', `/api/runs/${runId}/notes`, { text: 'See', files: [chosen.id] })
                : await send(person, runId, call.stepId ?? 'first', { offer: [chosen.id] });
            if (reply.status < 300) named.set(chosen.id, chosen.bytes);
          }
        }
        counts.named += named.size;
        for (const [id, bytes] of named) {
          const response = await download(viewer, id);
          expect({ id, status: response.status }).toEqual({ id, status: 200 });
          expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
        }
        const [sizes] = await server.sql<{ sum: number }>('select sum(size)::int as sum from files where org_id = $1', [
          orgId,
        ]);
        expect(await used()).toBe(sizes?.sum ?? 0);
      }),
      { numRuns: 15 },
    );
    expect(
      Object.values(counts).every((count) => count > 0),
      JSON.stringify(counts),
    ).toBe(true);
  });

  it('is either attached or deleted if both are requested at the same time', async () => {
    for (let n = 0; n < 5; n += 1) {
      const at = await runWithFiles();
      const id = await upload(server, editor, at, randomBytes(20));
      const [attached, deleted] = await Promise.all([
        send(editor, at.runId, 'first', { offer: [id] }),
        editor.call('DELETE', `/api/files/${id}`),
      ]);
      expect([attached.status, deleted.status]).toSatisfy(
        (both: number[]) => both.join() === '200,409' || both.join() === '400,200',
      );
      expect((await download(editor, id)).status).toBe(attached.status === 200 ? 200 : 404);
    }
  });

  it('can’t be continued, completed or deleted by a token that can only read', async () => {
    const at = await runWithFiles();
    const bytes = randomBytes(10);
    const readOnly = await personalToken(server, editor, ['workflow.read']);
    const forSteps = await personalToken(server, editor, ['workflow.read', 'step.act_assigned', 'step.act_any']);
    for (const [place, permission] of [
      [at, 'step.act_assigned'],
      [{ runId: at.runId }, 'run.note'],
    ] as const) {
      const { id } = (await begin(editor, place, bytes)).body;
      const scope = { ...refused(403, 'token_scope'), body: { code: 'token_scope', details: [{ permission }] } };
      const by = async (token: { secret: string } & Client) => [
        await putChunk(server, { ...editor, token: token.secret }, id, 0, bytes),
        await token.call('POST', `/api/files/${id}/complete`),
        await token.call('DELETE', `/api/files/${id}`),
      ];
      for (const reply of await by(readOnly)) expect(reply).toMatchObject(scope);
      const statuses = (await by(forSteps)).map(({ status }) => status);
      expect(statuses).toEqual(permission === 'run.note' ? [403, 403, 403] : [200, 200, 200]);
    }
  });

  it('isn’t begun by someone who is removed from the organization during the request', async () => {
    const at = await runWithFiles();
    const before = await used();
    for (const place of [at, { runId: at.runId }]) {
      const removed = {
        text: `delete from memberships where org_id = $1 and user_id = $2`,
        values: [orgId, editor.user.id],
        alone: true,
      };
      const reply = await changeBefore(server, orgId, removed, () => begin(editor, place, randomBytes(10)));
      await joinOrganization(server, editor, orgId, 'editor');
      expect(reply).toMatchObject(refused(403, 'forbidden'));
    }
    expect(await used()).toBe(before);
    expect((await begin(editor, at, randomBytes(10))).status).toBe(201);
  });

  it('frees its space if it is a stale upload, but is never removed if it is attached', async () => {
    const at = await runWithFiles();
    const before = await used();
    const kept = await upload(server, editor, at, randomBytes(100));
    await send(editor, at.runId, 'first', { offer: [kept] });
    const second = { ...at, stepId: 'second' };
    const unused = await upload(server, editor, second, randomBytes(70));
    const unfinished = (await begin(editor, second, randomBytes(50))).body.id;
    expect(await used()).toBe(before + 220);
    const age = (days: number) =>
      server.sql(`update files set created_at = now() - $2 * interval '1 day' where id = any ($1)`, [
        [kept, unused, unfinished],
        days,
      ]);
    await server.sql('alter table files disable trigger user');
    try {
      await age(3);
      await sweepUploads(server.server.deps);
      expect(await used()).toBe(before + 170);
      await age(30);
      await sweepUploads(server.server.deps);
    } finally {
      await server.sql('alter table files enable trigger user');
    }
    expect(await used()).toBe(before + 100);
    expect((await download(viewer, kept)).status).toBe(200);
    expect((await download(editor, unused)).status).toBe(404);
  });

  it('is refused if it would exceed the organization’s storage limit, however many uploads begin at once', async () => {
    const at = await runWithFiles();
    const quota = 40 * MEGABYTE;
    const size = 9_000_000;
    const free = Math.floor((quota - (await used())) / size);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => begin(editor, at, Buffer.from(String(n)), { size })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(free);
    expect(replies.find(({ status }) => status !== 201)).toMatchObject(refused(409, 'no_file_space'));
    expect(await used()).toBeLessThanOrEqual(quota);
  });

  it('is refused if it is one of more than twenty in a step’s input', async () => {
    const at = await runWithFiles();
    const ids: string[] = [];
    for (let n = 0; n < 21; n += 1) ids.push(await upload(server, editor, at, Buffer.from(`file ${n}`)));
    expect((await send(editor, at.runId, 'first', { offer: ids })).body).toMatchObject({
      details: [{ problem: 'A step can have at most 20 files' }],
    });
    expect((await send(editor, at.runId, 'first', { offer: ids.slice(1) })).status).toBe(200);
  });
});
