import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { solidText, textOfPages } from '../../adapters/pdf/pdf-text.fixture.ts';
import { joinOrganization, publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

type Run = { id: string; name: string; steps: { completedAt: string | null }[] };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function download(person: Person, query: string) {
  const response = await fetch(`${server.server.url}/api/audit/export.pdf${query}`, {
    headers: { authorization: `Bearer ${person.token}` },
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, bodyText: new TextDecoder().decode(bytes) };
}

async function rowsOf<T extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<T[]> {
  const client = new pg.Client(server.database.connection);
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

describe('the audit document of a run', () => {
  it('contains the run, its people, times and hashes, and the chain head', async () => {
    const { owner, orgId, reviewer } = await teamOf(server, ['reviewer']);
    await publish(owner, reviewer, 'close', stepsNamed('Собрать выписки', '四半期の締め'));
    const started = await owner.post<Run>('/api/runs', { key: 'close', name: 'Quarter close Łódź' });
    const run = await owner.post<Run>(`/api/runs/${started.id}/complete`, {
      stepId: 'step-1',
      output: { text: 'done' },
    });

    const { status, headers, bytes } = await download(owner, `?runId=${run.id}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="audit-${run.id.slice(0, 8)}.pdf"`);

    const solid = await solidText(bytes);
    for (const text of [
      'QuartercloseŁódź',
      'Собратьвыписки',
      '四半期の締め',
      run.id,
      run.steps[0]?.completedAt ?? 'none',
    ]) {
      expect(solid).toContain(text);
    }
    expect(solid).toContain('Thereviewer');
    const events = await rowsOf<{ seq: string; action: string; hash: string }>(
      `select seq, action, encode(hash, 'hex') as hash from audit_events where org_id = $1 order by seq`,
      [orgId],
    );
    const [exported, head] = events.toReversed();
    expect(exported?.action).toBe('audit.exported');
    // The export is recorded after the document's data was read, so the document shows the previous event as the chain
    // head.
    expect(solid).toContain(`Event${head?.seq}`);
    expect(solid).toContain(head?.hash ?? 'none');
    for (const { hash } of events.filter(({ action }) => action.startsWith('step.')))
      expect(solid).toContain(hash.slice(0, 16));
    const [version] = await rowsOf<{ content_hash: string }>(
      `select v.content_hash from runs r join workflow_versions v on v.org_id = r.org_id and v.id = r.version_id where r.id = $1`,
      [run.id],
    );
    expect(solid).toContain(version?.content_hash ?? 'none');
    expect(solid).toContain('Forthecontentofthisrun');
  });

  it('contains the notes on the run, with their steps and authors, as plain text', async () => {
    const { owner, reviewer, viewer } = await teamOf(server, ['reviewer', 'viewer']);
    await publish(owner, reviewer, 'close', stepsNamed('Collect', 'Post'));
    const run = await owner.post<Run>('/api/runs', { key: 'close', name: 'Noted' });
    await viewer.post(`/api/runs/${run.id}/notes`, {
      text: 'Which <b>bank</b>?\n@The reviewer\u202E',
      stepId: 'step-2',
    });
    await reviewer.post(`/api/runs/${run.id}/notes`, { text: `${'long '.repeat(1800)}end` });
    const solid = await solidText((await download(owner, `?runId=${run.id}`)).bytes);
    expect(solid).toMatch(/Theviewer[^]{0,60}NoteaddedPost/);
    expect(solid).toContain('Note:Which<b>bank</b>?@Thereviewer‹U+202E›');
    expect(solid).toMatch(/Note:(?:long){799}[^]*morecharacters:seeevent/);
    expect(solid).not.toMatch(/mentions|noteId/);
  });

  it('is recorded with its number of runs and events, and the next document contains this record', async () => {
    const owner = await server.signUp();
    await publish(owner, owner, 'close');
    const run = await owner.post<Run>('/api/runs', { key: 'close', name: 'Recorded' });
    await download(owner, `?runId=${run.id}`);
    const [event] = await rowsOf<{ payload: string; subject_type: string; actor: string }>(
      `select payload, subject_type, actor from audit_events where run_id = $1 and action = 'audit.exported'`,
      [run.id],
    );
    expect(event).toMatchObject({ subject_type: 'audit', actor: owner.user.id });
    const { data } = JSON.parse(event?.payload ?? '{}') as {
      data: { runs: number; events: number; headSeq: number; headHash: string };
    };
    const [head] = await rowsOf<{ hash: string }>(
      `select encode(hash, 'hex') as hash from audit_events where org_id = $1 and seq = $2`,
      [owner.user.currentOrgId, data.headSeq],
    );
    expect(data).toMatchObject({ runs: 1, events: 2, headHash: head?.hash });
    const again = await solidText((await download(owner, `?runId=${run.id}`)).bytes);
    expect(again).toContain('Auditexported');
    const { history } = await owner.get<{ history: { action: string }[] }>(`/api/runs/${run.id}`);
    expect(history.map(({ action }) => action)).toEqual(['run_started', 'activated']);
  });

  it('shows that an author approved their own work because there was no other reviewer', async () => {
    const owner = await server.signUp({ team: 'One-person team' });
    const draft = await owner.post<{ draftId: string }>('/api/workflows/solo/drafts', {
      metadata: { title: 'Solo' },
      steps: stepsNamed('Only'),
    });
    await owner.post(`/api/workflows/solo/drafts/${draft.draftId}/approve`, { comment: 'Looked twice' });
    await owner.post(`/api/workflows/solo/drafts/${draft.draftId}/merge`);
    const run = await owner.post<Run>('/api/runs', { key: 'solo', name: 'Alone' });
    const solid = await solidText((await download(owner, `?runId=${run.id}`)).bytes);
    expect(solid).toContain('self-approved:nootherreviewer');
    expect(solid).toContain('Lookedtwice');
  });

  it('is not found if the run belongs to another organization or doesn’t exist', async () => {
    const owner = await server.signUp();
    await publish(owner, owner, 'close');
    const run = await owner.post<Run>('/api/runs', { key: 'close', name: 'Mine' });
    const stranger = await server.signUp();
    for (const runId of [run.id, '0197a3c1-0000-7000-8000-000000000001']) {
      const { status, bodyText } = await download(stranger, `?runId=${runId}`);
      expect(status).toBe(404);
      expect(JSON.parse(bodyText)).toEqual({ error: 'Run not found', code: 'not_found' });
    }
    const exports = await rowsOf(`select from audit_events where org_id = $1 and action = 'audit.exported'`, [
      stranger.user.currentOrgId,
    ]);
    expect(exports).toEqual([]);
  });

  it('is available to editors, but not to viewers and reviewers', async () => {
    const { orgId, ...team } = await teamOf(server, ['viewer', 'reviewer', 'editor']);
    expect((await download(team.viewer, '')).status).toBe(403);
    expect((await download(team.reviewer, '')).status).toBe(403);
    expect((await download(team.editor, '')).status).toBe(200);
    await joinOrganization(server, team.viewer, orgId, 'admin');
    expect((await download(team.viewer, '')).status).toBe(200);
  });
});

describe('the audit document of a period', () => {
  it('contains only the runs that were started in the period, in order', async () => {
    const owner = await server.signUp();
    await publish(owner, owner, 'close');
    const names = ['First run', 'Second run', 'Third run'];
    const runs: Run[] = [];
    for (const name of names) runs.push(await owner.post<Run>('/api/runs', { key: 'close', name }));
    const [, second] = await rowsOf<{ created_at: Date }>(
      `select created_at from runs where org_id = $1 order by created_at, id`,
      [owner.user.currentOrgId],
    );
    const from = second?.created_at.toISOString() ?? '';
    const { bytes, headers } = await download(owner, `?from=${from}`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="audit-from-${from.slice(0, 10)}.pdf"`);
    const text = (await textOfPages(bytes)).join(' ');
    expect(text).not.toContain('First run');
    expect(text.indexOf('Second run')).toBeLessThan(text.indexOf('Third run'));
    expect(text).toContain('2 runs: 2 running');
    expect(text).toContain(runs[2]?.id);
  });

  it('is produced even if there was no run in the period', async () => {
    const owner = await server.signUp();
    const { status, bytes } = await download(owner, '?from=2001-01-01T00:00:00Z&to=2001-01-31T00:00:00Z');
    expect(status).toBe(200);
    const pages = await textOfPages(bytes);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain('No runs in this range');
  });

  it('refuses an invalid period', async () => {
    const owner = await server.signUp();
    const { status, bodyText } = await download(owner, '?from=yesterday');
    expect(status).toBe(400);
    expect(JSON.parse(bodyText)).toMatchObject({ code: 'invalid' });
  });
});

describe('the audit document of many runs', () => {
  const MANY = 1000;
  let owner: Person;
  beforeAll(async () => {
    owner = await server.signUp();
    await publish(owner, owner, 'close');
    await owner.post<Run>('/api/runs', { key: 'close', name: 'The only run that was started' });
    const [found] = await rowsOf<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
       where attrelid = 'runs'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [],
    );
    await rowsOf(
      `insert into runs (${found?.columns}) select ${found?.columns} from (select made.* from (select * from runs where org_id = $1) t cross join generate_series(1, $2) n
       cross join lateral jsonb_populate_record(null::runs, to_jsonb(t) || jsonb_build_object(
         'id', gen_random_uuid(), 'name', 'Copy ' || n, 'created_at', t.created_at + (n / 3) * interval '1 microsecond')) made) copies`,
      [owner.user.currentOrgId, MANY],
    );
  });

  it('contains all of them and their count', { timeout: 240_000 }, async () => {
    const { status, bytes, bodyText } = await download(owner, '');
    expect(status).toBe(200);
    const titles = [...bodyText.matchAll(/\/Title \(Copy (\d+)\)/g)].map(([, n]) => Number(n));
    expect(titles).toHaveLength(MANY);
    expect(new Set(titles).size).toBe(MANY);
    const [cover] = await textOfPages(bytes, 1);
    expect(cover).toContain('1,001 runs: 1,001 running');
    const [event] = await rowsOf<{ payload: string }>(
      `select payload from audit_events where org_id = $1 and action = 'audit.exported' order by seq desc limit 1`,
      [owner.user.currentOrgId],
    );
    expect(JSON.parse(event?.payload ?? '{}')).toMatchObject({ data: { runs: MANY + 1, events: 2 } });
  });

  it('is aborted if the reader disconnects, without blocking other requests', { timeout: 120_000 }, async () => {
    for (let n = 0; n < 3; n += 1) {
      const leaving = new AbortController();
      const response = await fetch(`${server.server.url}/api/audit/export.pdf`, {
        headers: { authorization: `Bearer ${owner.token}` },
        signal: leaving.signal,
      });
      expect(response.status).toBe(200);
      leaving.abort();
    }
    const other = await server.signUp();
    expect((await download(other, '')).status).toBe(200);
    await vi.waitFor(async () => {
      const open = await rowsOf(
        `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
        [],
      );
      expect(open).toEqual([]);
    }, 20_000);
  });
});
