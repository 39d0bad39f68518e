import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diff, DraftImpact, WorkflowSummary } from '@stet/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { storableContent } from '../../testing/workflow-content.ts';
import { graphProblems } from '../../modules/drafts/index.ts';
import { stet } from '../stet.fixture.ts';
import type { FileDiff } from './diff-words.ts';

type Entry = { key: string; result: string; draftId: string | null };
const stderr = (text: string) => expect.stringContaining(text) as string;

describe('a folder of workflows', () => {
  let server: TestServer;
  let editor: Person;
  let reviewer: Person;
  let folder: string;
  let env: Record<string, string>;

  const path = (key: string): string => join(folder, `${key}.yaml`);
  const edit = (key: string, from: string, to: string): void =>
    writeFileSync(path(key), readFileSync(path(key), 'utf8').replace(from, to));
  const entries = async (...args: string[]): Promise<{ code: number; of: Record<string, Entry> }> => {
    const { code, out, stderr: why } = await stet(['workflows', ...args, '--json'], env);
    if (out === '') throw new Error(why);
    return { code, of: Object.fromEntries((JSON.parse(out) as Entry[]).map((entry) => [entry.key, entry])) };
  };
  /** Counts all events except those of pulls. */
  const events = async (): Promise<number> => count(`action <> 'workflow.exported'`);
  const exports = async (): Promise<number> => count(`action = 'workflow.exported'`);
  const count = async (where: string): Promise<number> =>
    (await server.sql<{ n: number }>(`select count(*)::int as n from audit_events where ${where}`))[0]?.n ?? 0;
  const fresh = (): string => (folder = mkdtempSync(join(tmpdir(), 'stet-cli-folder-')));
  const folders: string[] = [];

  beforeAll(async () => {
    server = await startTestServer();
    ({ editor, reviewer } = await teamOf(server, ['editor', 'reviewer']));
    env = { STET_URL: server.server.url, STET_TOKEN: editor.token };
  });
  afterAll(async () => {
    await server.stop();
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });
  const newFolder = (): void => void folders.push(fresh());

  it('changes nothing if it is pulled and pushed without an edit', async () => {
    newFolder();
    await publish(editor, reviewer, 'hiring');
    await publish(editor, reviewer, 'leaving');
    await editor.post('/api/workflows/never-live/drafts', {
      metadata: { title: 'Never live' },
      steps: stepsNamed('One'),
    });
    const contents = fc
      .sample(storableContent, { numRuns: 60, seed: 8 })
      .filter(({ steps }) => graphProblems(steps).length === 0);
    for (const [n, content] of contents.entries()) await editor.post(`/api/workflows/any-${n}/drafts`, content);
    const before = await events();

    const pulled = await entries('pull', folder);
    expect(pulled.code).toBe(0);
    expect(Object.keys(pulled.of)).toEqual(expect.arrayContaining(['hiring', 'leaving', 'never-live']));
    expect(readdirSync(folder)).toHaveLength(Object.keys(pulled.of).length + 1);
    for (const options of [[], ['--submit'], ['--force']]) {
      const pushed = await entries('push', folder, ...options);
      expect(pushed.code).toBe(0);
      expect(new Set(Object.values(pushed.of).map(({ result }) => result))).toEqual(new Set(['unchanged']));
    }
    const again = await entries('pull', folder);
    expect(new Set(Object.values(again.of).map(({ result }) => result))).toEqual(new Set(['same']));
    expect(await events()).toBe(before);
    // Each pull exports every workflow, except for the two unchanged live ones at the second pull.
    expect(await exports()).toBe(2 * Object.keys(pulled.of).length - 2);
  });

  it('shows the same diff as the review of its drafts', async () => {
    newFolder();
    await publish(editor, reviewer, 'reviewed', stepsNamed('Ask', 'Answer', 'File'));
    await entries('pull', folder);
    edit('reviewed', 'title: Answer', 'title: Answer in writing');
    edit('reviewed', 'sla: 1 day', 'sla: 2 days');
    const { out } = await stet(['workflows', 'diff', folder, 'reviewed', '--json'], env);
    const [shown] = JSON.parse(out) as FileDiff[];
    const words = await stet(['workflows', 'diff', folder, 'reviewed', '--exit-code'], env);
    expect(words.code).toBe(1);
    expect(words.out).toContain('0 added · 0 removed · 2 modified · 1 unchanged');
    expect(words.out).toMatch(/~ 2 Answer in writing {2}\[step-2\]\n +Step:\n +- Answer\n +\+ Answer in writing/);
    expect(words.out).toContain('SLA impact: 1 day longer');

    const { draftId } = (await entries('push', folder, 'reviewed')).of['reviewed'] ?? {};
    const at = `/api/workflows/reviewed/drafts/${draftId}`;
    const { against, summary, total, detailed, metadata } = await editor.get<Diff>(
      `${at}/diff?against=live&limit=1000`,
    );
    expect(shown).toMatchObject({ against: against.version, summary, total, detailed, metadata });
    const { openRuns: _, warnings: __, ...impact } = await editor.get<DraftImpact>(`${at}/impact`);
    expect(shown?.impact).toEqual(impact);
  });

  it('creates a draft, updates it with another push, submits it for review, and detects when it is live', async () => {
    newFolder();
    await publish(editor, reviewer, 'pushed');
    await entries('pull', folder);
    edit('pushed', 'title: Second', 'title: Second and last');
    expect(await stet(['workflows', 'push', folder, '--dry-run', 'pushed'], env)).toMatchObject({
      code: 0,
      out: stderr('would create a draft'),
    });
    const first = (await entries('push', folder, 'pushed')).of['pushed'];
    expect(first?.result).toBe('created');
    expect((await entries('push', folder, 'pushed')).of['pushed']).toMatchObject({
      result: 'unchanged',
      draftId: first?.draftId,
    });
    edit('pushed', 'title: First', 'title: First of all');
    expect((await entries('push', folder, 'pushed')).of['pushed']).toMatchObject({
      result: 'saved',
      draftId: first?.draftId,
    });
    expect((await entries('push', folder, 'pushed', '--submit')).of['pushed']).toMatchObject({
      result: 'submitted',
      draftId: first?.draftId,
    });

    const at = `/api/workflows/pushed/drafts/${first?.draftId}`;
    await reviewer.post(`${at}/approve`);
    await reviewer.post(`${at}/merge`);
    expect((await entries('push', folder, 'pushed')).of['pushed']).toMatchObject({ result: 'unchanged' });
    edit('pushed', 'title: First of all', 'title: First');
    expect((await entries('push', folder, 'pushed')).of['pushed']).toMatchObject({ result: 'created' });
    const [summary] = (await editor.get<WorkflowSummary[]>('/api/workflows?q=pushed')).filter(
      ({ key }) => key === 'pushed',
    );
    expect(summary).toMatchObject({ version: { number: 2 }, versions: [{ status: 'draft' }, { status: 'live' }] });
  });

  it('creates a workflow from a new file, with the file’s name as its key', async () => {
    newFolder();
    writeFileSync(path('brand-new'), 'metadata:\n  title: Brand new\nsteps:\n  - id: one\n    title: One\n');
    expect((await entries('push', folder, '--submit')).of['brand-new']).toMatchObject({ result: 'submitted' });
    expect((await entries('push', folder)).of['brand-new']).toMatchObject({ result: 'unchanged' });
    expect((await entries('pull', folder, 'brand-new')).of['brand-new']).toMatchObject({ result: 'same' });
  });

  it('refuses a push if a different version went live after the pull, and keeps both contents', async () => {
    newFolder();
    await publish(editor, reviewer, 'moved');
    await entries('pull', folder, 'moved');
    await publish(editor, reviewer, 'moved', stepsNamed('First', 'Third'));
    edit('moved', 'title: Second', 'title: Mine');
    const before = await events();
    const mine = readFileSync(path('moved'), 'utf8');
    expect(await stet(['workflows', 'push', folder], env)).toMatchObject({
      code: 3,
      out: stderr('v2 is live now, but the file is based on v1'),
    });
    expect((await entries('diff', folder)).of['moved']).toMatchObject({ conflict: stderr('v2 is live now') });
    expect((await entries('pull', folder, 'moved')).code).toBe(3);
    expect(readFileSync(path('moved'), 'utf8')).toBe(mine);
    expect(await events()).toBe(before);
    expect((await entries('pull', folder, 'moved', '--force')).of['moved']).toMatchObject({ result: 'replaced' });
    expect(readFileSync(`${path('moved')}.orig`, 'utf8')).toBe(mine);
    expect(readFileSync(path('moved'), 'utf8')).toContain('Third');
    expect((await entries('push', folder)).of['moved']).toMatchObject({ result: 'unchanged' });

    await publish(editor, reviewer, 'moved', stepsNamed('First', 'Fourth'));
    edit('moved', 'title: Third', 'title: My second edit');
    expect((await entries('pull', folder, 'moved', '--force')).of['moved']).toMatchObject({ result: 'replaced' });
    expect(readFileSync(`${path('moved')}.orig`, 'utf8')).toBe(mine);
    expect(readFileSync(`${path('moved')}.orig.2`, 'utf8')).toContain('My second edit');
  });

  it('does not overwrite a draft that someone else has changed', async () => {
    newFolder();
    await publish(editor, reviewer, 'shared');
    await entries('pull', folder, 'shared');
    edit('shared', 'title: Second', 'title: Mine');
    const { draftId } = (await entries('push', folder)).of['shared'] ?? {};
    await editor.patch(`/api/workflows/shared/drafts/${draftId}`, {
      metadata: { title: 'Theirs' },
      steps: stepsNamed('Theirs'),
    });
    edit('shared', 'title: Mine', 'title: My second edit');
    expect((await entries('push', folder)).of['shared']).toMatchObject({ result: 'conflict' });
    const forced = (await entries('push', folder, '--force')).of['shared'];
    expect(forced).toMatchObject({ result: 'created' });
    expect(forced?.draftId).not.toBe(draftId);
  });

  it('pushes nothing if a file can’t be read, and reports each problem’s position', async () => {
    newFolder();
    await publish(editor, reviewer, 'sound');
    await entries('pull', folder, 'sound');
    edit('sound', 'title: Second', 'title: Edited');
    writeFileSync(path('broken'), 'steps:\n  - id: one\n    titel: One\n');
    writeFileSync(
      path('circle'),
      'metadata: {title: A}\nsteps:\n  - {id: a, title: A, next: [b]}\n  - {id: b, title: B, next: [a]}\n',
    );
    const before = await events();
    const { code, out, stderr: why } = await stet(['workflows', 'push', folder], env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(why).toMatch(/^broken\.yaml: Line \d+, column \d+: .*\ncircle\.yaml: Line \d+, column \d+: /);
    expect(await events()).toBe(before);
  });

  it('belongs to one organization, and has only one file per key', async () => {
    newFolder();
    await publish(editor, reviewer, 'bound');
    await entries('pull', folder, 'bound');
    const elsewhere = await server.signUp({ team: 'Elsewhere' });
    const config = mkdtempSync(join(tmpdir(), 'stet-cli-config-'));
    folders.push(config);
    const login = (token: string) =>
      stet(['login', server.server.url, '--token'], { XDG_CONFIG_HOME: config }, { input: token });
    await login(editor.token);
    expect(await stet(['workflows', 'pull', folder, 'bound'], { XDG_CONFIG_HOME: config })).toMatchObject({ code: 0 });
    await login(elsewhere.token);
    expect(await stet(['workflows', 'push', folder], { XDG_CONFIG_HOME: config })).toMatchObject({
      code: 1,
      stderr: stderr('was pulled from'),
    });
    writeFileSync(path('twin'), readFileSync(path('bound'), 'utf8'));
    expect(await stet(['workflows', 'push', folder], env)).toMatchObject({
      code: 1,
      stderr: stderr('both have the key "bound"'),
    });
    expect(await stet(['workflows', 'pull', folder, 'nonsense'], env)).toMatchObject({
      code: 1,
      stderr: stderr('"bound"'),
    });
  });

  it('escapes characters that would control the terminal', async () => {
    newFolder();
    writeFileSync(
      path('esc'),
      'metadata:\n  title: "\\e[31mred\\u202e"\nsteps:\n  - id: one\n    title: "\\e]0;owned\\a"\n',
    );
    const { out } = await stet(['workflows', 'diff', folder], env);
    expect(out).toContain('⟨U+001B⟩[31mred⟨U+202E⟩');

    expect(out).not.toMatch(/(?![\n\t])\p{Cc}|\u202e/u);
  });
});
