import type { AuditEventView } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, teamOf } from '../../testing/organization.ts';
import { type ProofScene, orgOf, statusOf, startProofScene } from '../../testing/proof-scene.ts';
import { complete, start } from '../../testing/runs.ts';
import type { Person, Reply, TestServer } from '../../testing/server.ts';

describe('the audit trail', () => {
  let scene: ProofScene;
  let server: TestServer;
  beforeAll(async () => {
    scene = await startProofScene();
    ({ server } = scene);
  });
  afterAll(() => scene.stop());

  describe('the list of events', () => {
    const list = (person: Person, query = ''): Promise<AuditEventView[]> =>
      person.get<AuditEventView[]>(`/api/audit/events${query}`);

    it('returns the whole trail in pages, newest first', async () => {
      const person = await scene.aPerson();
      await start(person, 'flow');
      const { events } = await statusOf(person);
      const seqs: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: Reply<AuditEventView[]> = await person.call<AuditEventView[]>(
          'GET',
          `/api/audit/events?limit=3${cursor && `&cursor=${cursor}`}`,
        );
        seqs.push(...page.body.map(({ seq }) => seq));
        cursor = page.headers.get('x-next-cursor');
      }
      expect(seqs).toEqual(Array.from({ length: events }, (_, n) => events - n));
      expect((await person.call('GET', '/api/audit/events?cursor=nonsense')).status).toBe(400);
    });

    it('shows the actor, the action, the run, the step and the hash of the previous event', async () => {
      const person = await scene.aPerson();
      const run = await start(person, 'flow', 'Nordlicht');
      await complete(person, run.id, 'step-1');
      const [newest, , started] = (await list(person)).filter(({ run: of }) => of !== null);
      expect(newest).toMatchObject({
        action: 'step.activated',
        actor: { kind: expect.any(String) as string },
        run: { id: run.id, name: 'Nordlicht' },
        step: { id: 'step-2', title: 'Second' },
        isErased: false,
      });
      const all = await list(person);
      for (const [n, event] of all.entries()) expect(all[n + 1]?.hash ?? '0'.repeat(64)).toBe(event.prev);
      expect(started?.at).toMatch(/\.\d{6}Z$/);
    });

    it('finds all events of a run by a name with a quotation mark and a backslash', async () => {
      const person = await scene.aPerson();
      const run = await start(person, 'flow', String.raw`Pier "4" \ North`);
      await complete(person, run.id, 'step-1');
      const ofRun = (await list(person)).filter((event) => event.run?.id === run.id);
      expect(ofRun.length).toBeGreaterThan(2);
      expect(await list(person, `?q=${encodeURIComponent(String.raw`"4" \ n`)}`)).toEqual(ofRun);
    });

    it('can be filtered by actor, action, subject, period and text', async () => {
      const { owner, reviewer } = await teamOf(server, ['reviewer']);
      await publish(owner, reviewer, 'a-flow');
      const every = await list(owner);
      const only = async (query: string, is: (event: AuditEventView) => boolean): Promise<void> => {
        const found = await list(owner, query);
        expect(found.length, query).toBeGreaterThan(0);
        expect(found.map(({ seq }) => seq)).toEqual(every.filter(is).map(({ seq }) => seq));
      };
      await only(`?actor=${owner.user.id}`, ({ actor }) => actor.id === owner.user.id);
      await only('?action=draft.submitted', ({ action }) => action === 'draft.submitted');
      await only('?subject=version', ({ subject }) => subject.type === 'version');
      const version = every.find(({ subject }) => subject.type === 'version');
      await only(`?subjectId=${version?.subject.id}`, ({ subject }) => subject.id === version?.subject.id);
      await only('?q=A-FLOW', ({ data }) => JSON.stringify(data).includes('a-flow'));
      expect(await list(owner, '?q=a_flow')).toEqual([]);
      const at = (seq: number): number => Date.parse(every.find((event) => event.seq === seq)?.at ?? '');
      const from = new Date(at(3)).toISOString();
      await only(`?from=${from}`, (event) => Date.parse(event.at) >= at(3));
      expect(await list(owner, '?to=2000-01-01T00:00:00Z')).toEqual([]);
      expect((await statusOf(owner, `?from=${from}`)).eventsInRange).toBe((await list(owner, `?from=${from}`)).length);
      expect((await statusOf(owner, '?to=2000-01-01T00:00:00Z')).eventsInRange).toBe(0);
    });

    it('can be filtered by a run or a workflow, and names workflows', async () => {
      const { owner, reviewer } = await teamOf(server, ['reviewer']);
      await publish(owner, reviewer, 'one');
      await publish(owner, reviewer, 'another');
      const runs = [
        await start(owner, 'one', 'Run A'),
        await start(owner, 'one', 'Run B'),
        await start(owner, 'another', 'Run C'),
      ];
      const ofRun = await list(owner, `?runId=${runs[0]?.id}`);
      expect(ofRun.length).toBeGreaterThan(0);
      expect(new Set(ofRun.map(({ run }) => run?.id))).toEqual(new Set([runs[0]?.id]));
      const ofWorkflow = await list(owner, '?key=one');
      expect(new Set(ofWorkflow.flatMap(({ run }) => run?.name ?? []))).toEqual(new Set(['Run A', 'Run B']));
      const merged = ofWorkflow.filter(({ subject }) => subject.type === 'version');
      expect(merged.length).toBeGreaterThan(0);
      for (const { subject } of merged) expect(subject.name).toBe('Title of one');
      expect(await list(owner, '?key=on')).toEqual([]);
    });

    it('still works if an event was corrupted or erased', async () => {
      const person = await scene.aPerson();
      await scene.tamper(
        `update audit_events set payload = case seq when 2 then 'nonsense' else null end where org_id = $org and seq in (2, 3)`,
        orgOf(person),
      );
      const events = await list(person);
      expect(events.find(({ seq }) => seq === 2)).toMatchObject({ data: null, isErased: false });
      expect(events.find(({ seq }) => seq === 3)).toMatchObject({ data: null, isErased: true });
    });
  });
});
