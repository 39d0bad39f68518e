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

  it('has a line for each run, newest first, and nothing that a spreadsheet would run', async () => {
    const { head, lines, headers } = await exported();
    expect(head.replace('\u{feff}', '')).toMatch(/^Run,Run Name,Workflow,Workflow Key,Version,Priority,Status,SLA,/);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('runs.csv');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('"Comma, and ""quotes"" - Production"');
    expect(lines[2]).toContain(`"'=HYPERLINK(""http://evil"")"`);
  });

  it('takes the filters of the list', async () => {
    expect((await exported('?env=production')).lines).toHaveLength(1);
    expect((await exported('?env=testing')).lines[0]).toContain('Nightly');
    expect((await exported('?q=comma')).lines).toHaveLength(1);
    expect((await exported('?status=completed')).lines).toEqual([]);
    expect((await person.call('GET', '/api/runs/export.csv?limit=1')).status).toBe(400);
  });

  it('goes on past a page', async () => {
    await server.sql(
      `insert into runs select made.* from (select * from runs limit 1) r cross join generate_series(1, 1203) n
       cross join lateral jsonb_populate_record(null::runs, to_jsonb(r)
         || jsonb_build_object('id', gen_random_uuid(), 'name', 'Copy ' || n, 'created_at', date_trunc('milliseconds', now()) - n / 3 * interval '1 second')) made`,
    );
    const { lines } = await exported();
    expect(lines).toHaveLength(1206);
    expect(new Set(lines.map((line) => line.slice(0, 36))).size).toBe(1206);
  });
});
