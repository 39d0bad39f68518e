import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEventView, AuditStatus } from '@stet/contract';
import { readBundleLine, readCheckpoint, openNote, readNoteKey, splitNotes } from '@stet/domain/audit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditVerify } from '../../cli/audit-verify.ts';
import { COMMANDS } from '../../cli/commands.ts';
import { runCommand } from '../../cli/run-command.ts';
import { openAuditSigner, verifyEd25519 } from '../../kernel/audit-signer.ts';
import { eventually } from '../../testing/mailbox.ts';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { complete, start } from '../../testing/runs.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';
import { BrokenTrail, sealTrail } from './seal-trail.ts';
import { sealTrails } from './seal-trails.job.ts';

describe('the proof of the audit trail', () => {
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    server = await startTestServer();
    folder = mkdtempSync(join(tmpdir(), 'stet-audit-'));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const orgOf = (person: Person): string => person.user.currentOrgId ?? '';
  const aPerson = async (): Promise<Person> => {
    const person = await server.signUp();
    await publish(person, person, 'flow', stepsNamed('First', 'Second'));
    return person;
  };
  const seal = (person: Person): Promise<number> => sealTrail(server.server.deps, orgOf(person));
  const statusOf = (person: Person, query = ''): Promise<AuditStatus> =>
    person.get<AuditStatus>(`/api/audit/status${query}`);
  const checkpointFile = (person: Person): string => join(server.dataDir, 'checkpoints', `${orgOf(person)}.txt`);
  const exported = async (person: Person, query = ''): Promise<string> => {
    const { status, body, headers } = await person.call<string>('GET', `/api/audit/export.ndjson${query}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    return body;
  };
  let files = 0;
  const fileWith = (text: string): string => {
    const path = join(folder, `file-${(files += 1)}`);
    writeFileSync(path, text);
    return path;
  };
  async function cli(...args: string[]): Promise<{ code: number; out: string; said: string }> {
    let out = '';
    let said = '';
    const code = await runCommand(['audit', 'verify', ...args], COMMANDS, {
      env: {},
      out: async (text) => void (out += text),
      say: (line) => void (said += line),
      read: async () => '',
      askSecret: async () => null,
    });
    return { code, out, said };
  }
  async function verified(person: Person): Promise<AuditStatus['verification']> {
    await person.post('/api/audit/verify');
    return eventually(async () => {
      const { verification } = await statusOf(person);
      return verification?.state === 'running' ? undefined : verification;
    });
  }
  /** Changes what is stored, past every right and trigger. */
  async function tamper(change: string, orgId: string): Promise<void> {
    for (const table of ['audit_events', 'audit_checkpoints'])
      await server.sql(`alter table ${table} disable trigger user`);
    await server.sql(change.replaceAll('$org', `'${orgId}'`));
    for (const table of ['audit_events', 'audit_checkpoints'])
      await server.sql(`alter table ${table} enable trigger user`);
  }

  describe('checkpoints', () => {
    it('are signed over all that is new, in the database and in a file outside it', async () => {
      const person = await aPerson();
      const first = await seal(person);
      expect(await seal(person)).toBe(first);
      await start(person, 'flow');
      const second = await seal(person);
      expect(second).toBeGreaterThan(first);

      const { checkpoint, events, key } = await statusOf(person);
      expect(checkpoint?.size).toBe(events);
      const notes = splitNotes(readFileSync(checkpointFile(person), 'utf8'));
      expect(notes.at(-1)).toBe(checkpoint?.note);
      const known = readNoteKey(key);
      const sizes = notes.map((note) => {
        const opened = openNote(note, known ? [known] : [], verifyEd25519);
        const said = opened.ok ? readCheckpoint(opened.text) : null;
        expect(said).toMatchObject({ orgId: orgOf(person) });
        return said?.size;
      });
      // The job that runs by the minute may have made one of its own between the two.
      expect(sizes).toEqual(expect.arrayContaining([first, second]));
      expect(sizes).toEqual([...new Set(sizes)]);
      expect(statSync(checkpointFile(person)).mode & 0o777).toBe(0o600);
    });

    it('grow from what the last one kept, and hold against the tree grown from the start', async () => {
      const person = await aPerson();
      for (let n = 0; n < 6; n += 1) {
        await start(person, 'flow');
        await seal(person);
      }
      expect(await verified(person)).toMatchObject({ state: 'ok', firstBadSeq: null });
    });

    it('come by the job, of every organization that has something new, and by any number of servers at once', async () => {
      const [one, other] = [await aPerson(), await aPerson()];
      const { deps } = server.server;
      await Promise.all([sealTrails(deps), sealTrails(deps), seal(one), seal(other)]);
      for (const person of [one, other]) {
        const { checkpoint, events } = await statusOf(person);
        expect(checkpoint?.size).toBe(events);
        const sizes = await server.sql<{ size: string }>('select size from audit_checkpoints where org_id = $1', [
          orgOf(person),
        ]);
        expect(new Set(sizes.map(({ size }) => size)).size).toBe(sizes.length);
        expect(await verified(person)).toMatchObject({ state: 'ok' });
      }
    });

    it('come with each thousandth event, without waiting for the minute, and keep no other job from its turn', async () => {
      const person = await aPerson();
      const payload =
        '{"action":"sla.at_risk","actor":{"id":"system","kind":"system","name":"system"},"subject":{"id":"r","type":"run"}}';
      const columns = { actor: 'system', action: 'sla.at_risk', subject_type: 'run', subject_id: 'r', run_id: null };
      const events = Array.from({ length: 1000 }, () => ({ ...columns, payload, salt: '00'.repeat(16) }));
      for (let n = 0; n < 3; n += 1) {
        await server.sql(
          `with tenant as materialized (select set_config('stet.org_id', $1, true) as set)
           select audit_append($2::jsonb) from tenant where set is not null`,
          [orgOf(person), JSON.stringify(events)],
        );
      }
      await eventually(async () => ((await statusOf(person)).checkpoint?.size ?? 0) >= 3000 || undefined);
      await eventually(async () => (await server.sql('select from outbox')).length === 0 || undefined);
      expect(await verified(person)).toMatchObject({ state: 'ok' });
    });

    it('are never signed over a trail that is broken, nor over one that was sealed otherwise before', async () => {
      const edited = await aPerson();
      await tamper(
        `update audit_events set payload = replace(payload, 'flow', 'flaw') where org_id = $org and seq = 3`,
        orgOf(edited),
      );
      await expect(seal(edited)).rejects.toThrow(BrokenTrail);

      const cut = await aPerson();
      const size = await seal(cut);
      await tamper(
        `delete from audit_checkpoints where org_id = $org; delete from audit_events where org_id = $org and seq = ${size};
         update audit_heads h set seq = e.seq, hash = e.hash, at = e.at from audit_events e
         where h.org_id = $org and e.org_id = $org and e.seq = ${size - 1}`,
        orgOf(cut),
      );
      await expect(seal(cut)).rejects.toMatchObject({ problem: 'truncation', firstBadSeq: size });
      // Once new events took the place of those that were removed, the numbers are as before and the root is not.
      await start(cut, 'flow');
      await expect(seal(cut)).rejects.toMatchObject({ problem: 'rewrite', firstBadSeq: size });
      await sealTrails(server.server.deps);
      expect((await statusOf(cut)).verification).toMatchObject({
        state: 'broken',
        firstBadSeq: size,
        problem: 'rewrite',
      });
    });

    it('can be added by the server’s role and neither changed nor removed, by nobody while the triggers are there', async () => {
      const person = await aPerson();
      await seal(person);
      const role = new pg.Client({ ...server.database.connection, options: '-c role=stet_app' });
      await role.connect();
      for (const text of [
        'update audit_checkpoints set size = 1',
        'delete from audit_checkpoints',
        'truncate audit_checkpoints',
      ]) {
        await expect(server.sql(text), text).rejects.toThrow('append only');
        await expect(role.query(text), text).rejects.toMatchObject({ code: '42501' });
      }
      await role.end();
    });
  });

  describe('the signing key', () => {
    it('is made once, whoever comes first, and only its owner can read it', () => {
      const own = mkdtempSync(join(folder, 'keys-'));
      const [one, other] = [openAuditSigner(own), openAuditSigner(own)];
      expect(other.keyOf('a')).toEqual(one.keyOf('a'));
      expect(statSync(join(own, 'keys', 'audit-signing.key')).mode & 0o777).toBe(0o600);
      const message = new TextEncoder().encode('message');
      const { publicKey } = one.keyOf('a');
      const signature = new Uint8Array(one.sign(message));
      expect(verifyEd25519({ publicKey, message, signature })).toBe(true);
      expect(verifyEd25519({ publicKey, message, signature: signature.with(0, (signature[0] ?? 0) ^ 1) })).toBe(false);
      expect(verifyEd25519({ publicKey: new Uint8Array(3), message, signature })).toBe(false);
    });

    it('is trusted beside those whose public halves were put next to it', () => {
      const [own, theirs] = [mkdtempSync(join(folder, 'keys-')), mkdtempSync(join(folder, 'keys-'))];
      openAuditSigner(own);
      const other = openAuditSigner(theirs);
      writeFileSync(join(own, 'keys', 'audit-old.pub'), readFileSync(join(theirs, 'keys', 'audit-signing.pub')));
      expect(openAuditSigner(own).trustedKeysOf('a')).toEqual([openAuditSigner(own).keyOf('a'), other.keyOf('a')]);
    });
  });

  describe('verification by the server', () => {
    it('finds what someone with all rights on the database did, and names the first bad event', async () => {
      for (const [change, firstBadSeq, problem] of [
        [
          `update audit_events set payload = replace(payload, 'flow', 'flaw') where org_id = $org and seq = 3`,
          3,
          'digest',
        ],
        [`update audit_events set actor = 'other' where org_id = $org and seq = 2`, 2, 'derived'],
        [`delete from audit_events where org_id = $org and seq = 2`, 2, 'gap'],
        [
          `update audit_checkpoints set note = replace(note, 'signed 2', 'signed 3') where org_id = $org`,
          null,
          'signature',
        ],
      ] as const) {
        const person = await aPerson();
        await seal(person);
        expect(await verified(person)).toMatchObject({ state: 'ok' });
        await tamper(change, orgOf(person));
        const { events } = await statusOf(person);
        expect(await verified(person), change).toMatchObject({
          state: 'broken',
          firstBadSeq: firstBadSeq ?? events,
          problem,
        });
      }
    });

    it('finds a trail that was cut short or written anew, by the checkpoints outside the database', async () => {
      const person = await aPerson();
      const size = await seal(person);
      await tamper(
        `delete from audit_checkpoints where org_id = $org; delete from audit_events where org_id = $org and seq > 4;
         update audit_heads h set seq = e.seq, hash = e.hash, at = e.at from audit_events e
         where h.org_id = $org and e.org_id = $org and e.seq = 4`,
        orgOf(person),
      );
      expect(await verified(person)).toMatchObject({ state: 'broken', firstBadSeq: 5, problem: 'truncation' });
      for (let n = 0; n < size; n += 1) await start(person, 'flow');
      expect(await verified(person)).toMatchObject({ state: 'broken', firstBadSeq: size, problem: 'rewrite' });
    });

    it('is one at a time, and can be begun again where its process was lost', async () => {
      const person = await aPerson();
      const state = (at: string): Promise<unknown> =>
        server.sql(
          `insert into audit_verifications (org_id, id, state, updated_at) values ($1, gen_random_uuid(), 'running', ${at})
           on conflict (org_id) do update set state = 'running', problem = null, updated_at = excluded.updated_at`,
          [orgOf(person)],
        );
      await state('clock_timestamp()');
      expect((await person.post<AuditStatus>('/api/audit/verify')).verification).toMatchObject({
        state: 'running',
        total: 0,
      });
      await state(`clock_timestamp() - interval '2 minutes'`);
      expect((await statusOf(person)).verification).toMatchObject({ state: 'interrupted' });
      expect(await verified(person)).toMatchObject({ state: 'ok' });
    });
  });

  describe('an export', () => {
    it('is verified by the command, with the checkpoints and the key from elsewhere', async () => {
      const person = await aPerson();
      await start(person, 'flow', 'Nordlicht “世界”');
      const file = fileWith(await exported(person));
      const { key, events } = await statusOf(person);
      const { code, out } = await cli(file, '--checkpoints', checkpointFile(person), '--key', fileWith(`${key}\n`));
      expect(out).toContain('Intact: every event is as it was recorded');
      expect(out).toContain(`${events} events`);
      expect(code).toBe(0);
      const json = await cli(file, '--json', '--key', join(server.dataDir, 'keys', 'audit-signing.pub'));
      expect(JSON.parse(json.out)).toMatchObject({
        verdict: 'intact',
        events,
        trust: 'key',
        findings: [],
        sealed: { size: events },
      });
      expect((await cli(file)).out).toContain('Only consistency was checked, not origin');
      const byCheckpoints = await cli(file, '--checkpoints', checkpointFile(person));
      expect(byCheckpoints).toMatchObject({ code: 0 });
      expect(byCheckpoints.out).toContain('whoever signed the given checkpoints');
      expect(byCheckpoints.out).not.toContain('Only consistency');
    });

    it('ends with the record of itself, and says who took what', async () => {
      const person = await aPerson();
      const lines = (await exported(person)).trimEnd().split('\n').map(readBundleLine);
      const events = lines.flatMap((line) => (line?.type === 'event' ? [line.event] : []));
      expect(events.at(-1)).toMatchObject({ action: 'audit.exported', actor: person.user.id });
      expect(JSON.parse(events.at(-1)?.payload ?? '')).toMatchObject({
        data: { format: 'ndjson', events: events.length - 1, headSeq: events.length - 1 },
      });
      expect(lines[0]).toMatchObject({
        type: 'header',
        org: { id: orgOf(person) },
        exportedBy: { email: person.user.email },
        events: events.length,
      });
    });

    it('of a period or of one run is verified too, and shows nothing else', async () => {
      const person = await aPerson();
      const wanted = await start(person, 'flow', 'Wanted');
      const other = await start(person, 'flow', 'Unwanted');
      await complete(person, other.id, 'step-1', 'Secret');
      await complete(person, wanted.id, 'step-1');
      await seal(person);
      const [middle] = await server.sql<{ at: Date }>(`select at from audit_events where org_id = $1 and seq = 6`, [
        orgOf(person),
      ]);
      const moment = middle?.at.toISOString() ?? '';
      for (const [query, seen, unseen] of [
        [`?runId=${wanted.id}`, wanted.id, 'Secret'],
        [`?from=${moment}`, 'Secret', '"seq":5,'],
        [`?to=${moment}`, '"seq":5,', 'Secret'],
        [`?from=2000-01-01T00:00:00Z&to=2000-01-02T00:00:00Z`, '"events":0', '"type":"event"'],
        [`?from=2100-01-01T00:00:00Z`, '"events":0', '"type":"event"'],
      ] as const) {
        const text = await exported(person, query);
        expect(text).toContain(seen);
        expect(text).not.toContain(unseen);
        const { code, out } = await cli(
          fileWith(text),
          '--checkpoints',
          checkpointFile(person),
          '--key',
          fileWith((await statusOf(person)).key),
        );
        expect({ query, code, out }).toMatchObject({ query, code: 0 });
      }
    });

    it('is tampered or incomplete to the command where it was touched', async () => {
      const person = await aPerson();
      const text = await exported(person);
      const key = fileWith((await statusOf(person)).key);
      const lines = text.trimEnd().split('\n');
      const changed = await cli(fileWith(text.replace('\\"key\\":\\"flow\\"', '\\"key\\":\\"flaw\\"')), '--key', key);
      expect(changed.code).toBe(1);
      expect(changed.out).toMatch(/TAMPERED[\s\S]*✗ Event \d+ says something else than what was recorded/);
      const cut = await cli(
        fileWith(`${lines.slice(0, 4).join('\n')}\n`),
        '--key',
        key,
        '--checkpoints',
        checkpointFile(person),
      );
      expect(cut.code).toBe(2);
      expect(cut.out).toMatch(
        /INCOMPLETE[\s\S]*Events are missing at the end: a checkpoint proves them up to event \d+/,
      );
      const forged = openAuditSigner(mkdtempSync(join(folder, 'forger-')));
      const theirs = fileWith(Buffer.from(forged.keyOf('').publicKey).toString('base64'));
      expect((await cli(fileWith(text), '--key', theirs)).code).toBe(1);
      expect((await cli(join(folder, 'nowhere'))).code).toBe(3);
      expect((await cli(fileWith(text), '--key', fileWith('nonsense'))).code).toBe(3);
      expect((await cli()).code).toBe(2);
      expect(auditVerify.help).toContain('Exit codes');
    });

    it('shows nothing with checkpoints that are none, or none of this organization, and the command says so', async () => {
      const [person, other] = [await aPerson(), await aPerson()];
      const file = fileWith(await exported(person));
      await seal(other);
      const foreign = await cli(file, '--checkpoints', checkpointFile(other));
      expect(foreign.code).toBe(2);
      expect(foreign.out).toContain('✗ None of the checkpoints is of this organization');
      for (const text of ['', '\n', 'nonsense', 'stet/nonsense\n']) {
        const { code, out, said } = await cli(file, '--checkpoints', fileWith(text));
        expect({ text, code, out }).toEqual({ text, code: 3, out: '' });
        expect(said).toMatch(/^The file that --checkpoints names holds /);
      }
    });

    it('is incomplete where the download was interrupted, and the same with a mark that an editor put before it', async () => {
      const person = await aPerson();
      const text = await exported(person);
      const key = fileWith((await statusOf(person)).key);
      for (const left of [0, 8, 400, Math.floor(text.length / 2), text.length - 20]) {
        const { code, out } = await cli(fileWith(text.slice(0, left)), '--key', key);
        expect({ left, code }).toEqual({ left, code: 2 });
        expect(out).toContain('The file is cut off: its signed end is missing');
      }
      expect((await cli(fileWith(`\u{feff}${text}`), '--key', key)).code).toBe(0);
      const unreadable = text.split('\n').map((line, at) => (at === 3 ? line.slice(1) : line));
      const { code, out } = await cli(fileWith(unreadable.join('\n')), '--key', key);
      expect(code).toBe(1);
      expect(out).toMatch(/Sealed[^\n]*\n {2}✗ Event 3 can't be read/);
    });

    it('goes on where the trail is broken, so that there is something to look into', async () => {
      const person = await aPerson();
      await seal(person);
      await tamper(
        `update audit_events set payload = replace(payload, 'flow', 'flaw') where org_id = $org and seq = 3`,
        orgOf(person),
      );
      await start(person, 'flow');
      const { code, out } = await cli(fileWith(await exported(person)));
      expect(code).toBe(1);
      expect(out).toContain('✗ Event 3 says something else than what was recorded');
    });

    it('is refused for a run that is not there, and for those who may not', async () => {
      const { owner, viewer } = await teamOf(server, ['viewer']);
      const missing = await owner.call('GET', '/api/audit/export.ndjson?runId=01890000-0000-7000-8000-000000000001');
      expect(missing).toMatchObject({ status: 404, body: { code: 'not_found', error: 'Run not found' } });
      for (const path of ['export.ndjson', 'events', 'status'])
        expect((await viewer.call('GET', `/api/audit/${path}`)).status).toBe(403);
      expect((await viewer.call('POST', '/api/audit/verify')).status).toBe(403);
    });
  });

  describe('the list', () => {
    const list = (person: Person, query = ''): Promise<AuditEventView[]> =>
      person.get<AuditEventView[]>(`/api/audit/events${query}`);

    it('goes through the whole trail by its numbers, newest first', async () => {
      const person = await aPerson();
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

    it('shows who did what on what, and what each event follows', async () => {
      const person = await aPerson();
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

    it('is narrowed by actor, action, subject, period and words', async () => {
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

    it('still answers where someone made nonsense of an event', async () => {
      const person = await aPerson();
      await tamper(
        `update audit_events set payload = case seq when 2 then 'nonsense' else null end where org_id = $org and seq in (2, 3)`,
        orgOf(person),
      );
      const events = await list(person);
      expect(events.find(({ seq }) => seq === 2)).toMatchObject({ data: null, isErased: false });
      expect(events.find(({ seq }) => seq === 3)).toMatchObject({ data: null, isErased: true });
    });
  });
});
