import type { AuditStatus } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '../../testing/organization.ts';
import { start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

describe('the export of runs', () => {
  let server: TestServer;
  let person: Person;

  beforeAll(async () => {
    server = await startTestServer();
    person = await server.signUp();
    await publish(person, person, 'flow');
    await start(person, 'flow', '=HYPERLINK("http://evil")');
    await start(person, 'flow', 'Comma, and "quotes" - Production');
    await start(person, 'flow', 'Nightly - testing');
  });
  afterAll(() => server.stop());

  const exported = async (query = ''): Promise<{ head: string; lines: string[]; headers: Headers }> => {
    const { status, body, headers } = await person.call<string>('GET', `/api/runs/export.csv${query}`);
    expect(status).toBe(200);
    const [head = '', ...lines] = body.split('\r\n');
    return { head, lines: lines.filter((line) => line !== ''), headers };
  };

  it('has one line per run, newest first, and no cell that a spreadsheet would evaluate as a formula', async () => {
    const { head, lines, headers } = await exported();
    expect(head.replace('\u{feff}', '')).toMatch(
      /^"Run","Run Name","Workflow","Workflow Key","Version","Priority","Status","SLA",/,
    );
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('runs.csv');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('"Comma, and ""quotes"" - Production"');
    expect(lines[2]).toContain(`"'=HYPERLINK(""http://evil"")"`);
  });

  it('has the time of the last successful verification of the whole trail in a header', async () => {
    expect((await exported()).headers.get('x-stet-verified')).toBe('never');
    const state = async (): Promise<string | undefined> =>
      (await person.get<AuditStatus>('/api/audit/status')).verification?.state;
    const before = Date.now();
    await person.post('/api/audit/verify');
    await expect.poll(state, { timeout: 20_000 }).toBe('ok');
    const at = (await exported()).headers.get('x-stet-verified') ?? '';
    expect(new Date(at).toISOString()).toBe(at);
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now());
  });

  it('reports a broken trail in a header and in its first line', async () => {
    const owner = await server.signUp({ team: 'Broken' });
    await server.sql('update organizations set required_approvals = 0 where id = $1', [owner.user.currentOrgId]);
    // The seal job, which runs every minute, also detects the break but not its place, and replaces a verification that
    // is running. So we verify until the place is found.
    const found = async () => {
      const { verification } = await owner.get<AuditStatus>('/api/audit/status');
      const isOver = verification?.state !== 'running';
      if (isOver && !verification?.sentence?.includes('requiredApprovals')) await owner.post('/api/audit/verify');
      return verification;
    };
    await expect
      .poll(found, { timeout: 20_000, interval: 200 })
      .toMatchObject({ state: 'broken', sentence: expect.stringContaining('requiredApprovals') as string });
    const { body, headers } = await owner.call<string>('GET', '/api/runs/export.csv');
    expect(headers.get('x-stet-verified')).toBe('broken');
    const [first, second] = body.replace('\u{feff}', '').split('\r\n');
    expect(first).toBe(
      '"BROKEN: this is not what was recorded. The stored policy requiredApprovals is 0, but should be 1 according to its events"',
    );
    expect(second).toMatch(/^"Run","Run Name",/);
  });

  it('reports a change that no verification has seen yet', async () => {
    const owner = await server.signUp({ team: 'Changed' });
    await publish(owner, owner, 'changed');
    await start(owner, 'changed', 'Noon');
    await server.sql('alter table audit_events disable trigger audit_events_append_only');
    await server.sql(`update audit_events set payload = payload || ' ' where org_id = $1 and run_id is not null`, [
      owner.user.currentOrgId,
    ]);
    const { body, headers } = await owner.call<string>('GET', '/api/runs/export.csv');
    expect(headers.get('x-stet-verified')).toBe('broken');
    expect(body.replace('\u{feff}', '')).toMatch(/^"BROKEN: this is not what was recorded\. /);
  });

  it('can be filtered by environment, text and status like the list, but has no limit', async () => {
    expect((await exported('?env=production')).lines).toHaveLength(1);
    expect((await exported('?env=testing')).lines[0]).toContain('Nightly');
    expect((await exported('?q=comma')).lines).toHaveLength(1);
    expect((await exported('?status=completed')).lines).toEqual([]);
    expect((await person.call('GET', '/api/runs/export.csv?limit=1')).status).toBe(400);
  });

  it('contains all runs, even if they don’t fit on one page', async () => {
    const [columns] = await server.sql<{ names: string }>(
      `select string_agg(attname, ', ') as names from pg_attribute
       where attrelid = 'runs'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    );
    await server.sql(
      `insert into runs (${columns?.names}) select ${columns?.names.replaceAll(/\w+/g, 'made.$&')} from (select * from runs limit 1) r cross join generate_series(1, 1203) n
       cross join lateral jsonb_populate_record(null::runs, to_jsonb(r)
         || jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy ' || n, 'created_at', date_trunc('milliseconds', now()) - n / 3 * interval '1 second')) made`,
    );
    const { lines } = await exported();
    expect(lines).toHaveLength(1206);
    expect(new Set(lines.map((line) => line.slice(0, 38))).size).toBe(1206);
  });
});
