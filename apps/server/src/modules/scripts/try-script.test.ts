import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

type Trial = { ok: true; output: unknown; log: string[] } | { ok: false; reason: string; log: string[] };

describe('a script trial', () => {
  let server: TestServer;
  let person: Person;
  const attempt = (script: string, more: object = {}) =>
    person.post<Trial>('/api/workflows/script-trial', { script, ...more });

  beforeAll(async () => {
    server = await startTestServer();
    person = await server.signUp();
  });
  afterAll(() => server.stop());

  it('uses the given outputs, and returns its result and log', async () => {
    const outputs = { collect: { fields: { spend: 1200 } } };
    const script =
      "log('spend', outputs.collect.fields.spend); return { high: outputs.collect.fields.spend > 1000, run: run.name };";
    expect(await attempt(script, { outputs, run: { name: 'March' } })).toEqual({
      ok: true,
      output: { high: true, run: 'March' },
      log: [expect.stringContaining('1200') as string],
    });
  });

  it('gives the reason and the log of a failure', async () => {
    const failed = await attempt("log('before'); return outputs.nobody.text;");
    expect(failed).toMatchObject({ ok: false, log: [expect.stringContaining('before') as string] });
    expect(failed.ok ? '' : failed.reason).not.toBe('');
    expect(await attempt('return (')).toMatchObject({ ok: false });
  });

  it("is stopped if it doesn't end, without delaying other requests", async () => {
    let hasEnded = false;
    const endless = attempt('for (;;) {}', { timeout: 3 }).finally(() => (hasEnded = true));
    expect(await person.get('/api/workflows')).toEqual([]);
    expect(hasEnded).toBe(false);
    expect(await endless).toMatchObject({ ok: false });
    expect(await attempt('return 1')).toMatchObject({ ok: true, output: 1 });
  });
});
