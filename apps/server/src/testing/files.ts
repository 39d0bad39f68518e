import { createHash } from 'node:crypto';
import { chunkLength, chunksOf, FILE_LIMITS } from '@stet/domain/steps';
import type { Person, Reply, TestServer } from './server.ts';

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A required form field for files. */
export const FILE_FIELD = { id: 'offer', label: 'Offer', kind: 'file', required: true } as const;

/** Without a step, the file is for a note. */
type Place = { runId: string; stepId?: string };
export type Begun = { id: string; chunkSize: number; chunks: number[] };

export const begin = (
  person: Person,
  place: Place,
  bytes: Uint8Array,
  more: object = {},
): Promise<Reply<Begun & { code?: string }>> =>
  person.call('POST', '/api/files', {
    name: 'offer.pdf',
    size: bytes.length,
    sha256: digestOf(bytes),
    ...place,
    ...more,
  });

/** Sends one chunk of a file, or other bytes as that chunk. */
export async function putChunk(
  { server }: TestServer,
  person: Person,
  fileId: string,
  n: number | string,
  bytes: Uint8Array,
): Promise<{ status: number; body: { code?: string; stored?: number } }> {
  const response = await fetch(`${server.url}/api/files/${fileId}/chunks/${n}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/octet-stream' },
    body: Buffer.from(bytes),
  });
  return { status: response.status, body: (await response.json()) as { code?: string; stored?: number } };
}

export const chunkOf = (bytes: Uint8Array, n: number): Uint8Array =>
  bytes.subarray(n * FILE_LIMITS.chunk, n * FILE_LIMITS.chunk + chunkLength(bytes.length, n));

export const finish = (person: Person, fileId: string): Promise<Reply<{ fileId: string; code?: string }>> =>
  person.call('POST', `/api/files/${fileId}/complete`);

/** Uploads a file completely and returns its id. */
export async function upload(
  server: TestServer,
  person: Person,
  place: Place,
  bytes: Uint8Array,
  more: object = {},
): Promise<string> {
  const { body } = await begin(person, place, bytes, more);
  for (let n = 0; n < chunksOf(bytes.length); n += 1) await putChunk(server, person, body.id, n, chunkOf(bytes, n));
  await finish(person, body.id);
  return body.id;
}
