import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

/** A long document, so that more requests arrive while the first PDF is being written. */
const STEPS = 150;
const PDF = '/api/workflows/long/versions/1/document?format=pdf';
const AUDIT = '/api/audit/export.pdf';

const steps = Array.from({ length: STEPS }, (_, n) => ({
  id: `step-${n}`,
  title: `Step ${n}`,
  description: 'A task that takes some lines on paper, so that its document is long. '.repeat(8),
}));

describe('requests for PDFs', () => {
  let server: TestServer;
  let busyOrg: Person;
  let other: Person;

  beforeAll(async () => {
    server = await startTestServer();
    [busyOrg, other] = await Promise.all([server.signUp(), server.signUp()]);
    await publish(busyOrg, busyOrg, 'long', steps);
    await publish(other, other, 'long', steps.slice(0, 3));
  });
  afterAll(() => server.stop());

  const requestPdf = async (person: Person, path = PDF, signal?: AbortSignal): Promise<Response> =>
    fetch(server.server.url + path, { headers: { authorization: `Bearer ${person.token}` }, signal: signal ?? null });
  const countResponses = async (status: number): Promise<number> => {
    const text = await (await fetch(`${server.server.url}/metrics`)).text();
    return text
      .split('\n')
      .filter((line) => line.startsWith('http_request_duration_seconds_count{') && line.includes(`status="${status}"`))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };

  it('are queued up to a limit per organization, and further requests get a 429 with Retry-After', async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => requestPdf(busyOrg)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(6);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await answer.json()).toMatchObject({ code: 'too_many_requests', error: expect.any(String) as string });
    }
    for (const answer of answers) await answer.body?.cancel().catch(() => undefined);
  });

  it('free their places if the client disconnects, whether they are queued or in progress', async () => {
    for (const path of [PDF, AUDIT]) {
      const leaving = Array.from({ length: 6 }, () => new AbortController());
      const left = Promise.allSettled(leaving.map(({ signal }) => requestPdf(busyOrg, path, signal)));
      // Another organization gets its PDF while these clients are still connected.
      expect((await requestPdf(other)).status).toBe(200);
      for (const each of leaving) each.abort();
      await left;
      // The queue is empty again, so it accepts six more requests.
      await expect
        .poll(async () => {
          const more = await Promise.all(Array.from({ length: 6 }, () => requestPdf(busyOrg)));
          await Promise.all(more.map((answer) => answer.arrayBuffer()));
          return more.map(({ status }) => status);
        })
        .toEqual([200, 200, 200, 200, 200, 200]);
    }
    expect(await countResponses(500)).toBe(0);
  });

  it('get a 503, never a 500, if too many are queued across all organizations', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => server.signUp()));
    for (const person of people) await publish(person, person, 'long', steps.slice(0, 20));
    const statuses = await Promise.all(
      people.flatMap((person) =>
        Array.from({ length: 6 }, async () => {
          const answer = await requestPdf(person);
          await answer.arrayBuffer();
          if (answer.status !== 200) {
            expect([429, 503]).toContain(answer.status);
            expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
          }
          return answer.status;
        }),
      ),
    );
    expect(statuses).toContain(503);
    expect(await countResponses(500)).toBe(0);
  });
});
