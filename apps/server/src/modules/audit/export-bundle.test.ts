import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBundleLine } from '@stet/domain/audit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditVerify } from '../../cli/audit-verify.ts';
import { COMMANDS } from '../../cli/commands.ts';
import { runCommand } from '../../cli/run-command.ts';
import { openAuditSigner } from './audit-signer.ts';
import { sealEachEvent } from '../../testing/checkpoints.ts';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type ProofScene, orgOf, statusOf, startProofScene } from '../../testing/proof-scene.ts';
import { complete, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

describe('the audit trail', () => {
  let scene: ProofScene;
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    scene = await startProofScene();
    ({ server, folder } = scene);
  });
  afterAll(() => scene.stop());

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
  async function cli(...args: string[]): Promise<{ code: number; out: string; stderr: string }> {
    let out = '';
    let stderr = '';
    const code = await runCommand(['audit', 'verify', ...args], COMMANDS, {
      env: {},
      out: async (text) => void (out += text),
      say: (line) => void (stderr += line),
      read: async () => '',
      askSecret: async () => null,
    });
    return { code, out, stderr };
  }

  describe('an export', () => {
    it('is verified by the command, with checkpoints and a key obtained elsewhere', async () => {
      const person = await scene.aPerson();
      await start(person, 'flow', 'Nordlicht “世界”');
      const file = fileWith(await exported(person));
      const { key, events } = await statusOf(person);
      const { code, out } = await cli(
        file,
        '--checkpoints',
        scene.checkpointFile(person),
        '--key',
        fileWith(`${key}\n`),
      );
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
      const macKey = join(server.dataDir, 'keys', 'audit-mac.key');
      const withMacs = await cli(file, '--mac-key', macKey, '--key', fileWith(`${key}\n`));
      expect(withMacs).toMatchObject({ code: 0, out: expect.stringContaining('created each event\n') as string });
      const byOther = await cli(file, '--mac-key', fileWith(`${Buffer.alloc(32).toString('base64')}\n`), '--json');
      expect(byOther.code).toBe(1);
      expect(JSON.parse(byOther.out)).toMatchObject({ macs: 'checked', verdict: 'tampered' });
      expect(byOther.out).toContain('was not appended by a server of this installation');
      expect((await cli(file)).out).toContain('MACs          not checked');
      expect((await cli(file)).out).toContain('Only consistency was checked, not origin');
      const byCheckpoints = await cli(file, '--checkpoints', scene.checkpointFile(person));
      expect(byCheckpoints).toMatchObject({ code: 0 });
      expect(byCheckpoints.out).toContain('the signer of the given checkpoints');
      expect(byCheckpoints.out).not.toContain('Only consistency');
    });

    it('ends with its own record that names the exporter', async () => {
      const person = await scene.aPerson();
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

    it('can also cover a period or a run, and then contains no other events', async () => {
      const person = await scene.aPerson();
      const wanted = await start(person, 'flow', 'Wanted');
      const other = await start(person, 'flow', 'Unwanted');
      await complete(person, other.id, 'step-1', 'Secret');
      await complete(person, wanted.id, 'step-1');
      await scene.seal(person);
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
          scene.checkpointFile(person),
          '--key',
          fileWith((await statusOf(person)).key),
        );
        expect({ query, code, out }).toMatchObject({ query, code: 0 });
      }
    });

    it('contains every checkpoint of its period, oldest first', async () => {
      const person = await scene.aPerson();
      const events = await sealEachEvent(server, orgOf(person), 1100);
      const [middle] = await server.sql<{ at: Date; seq: number }>(
        `select m.at, min(e.seq)::int as seq
         from (select date_trunc('milliseconds', at) as at from audit_events where org_id = $1 and seq = 6) m
         join audit_events e on e.org_id = $1 and e.at >= m.at group by m.at`,
        [orgOf(person)],
      );
      for (const [query, from] of [
        ['', 1],
        [`?from=${middle?.at.toISOString()}`, middle?.seq ?? 0],
      ] as const) {
        const text = await exported(person, query);
        const lines = text.trimEnd().split('\n').map(readBundleLine);
        const sizes = lines.flatMap((line) => (line?.type === 'checkpoint' ? [Number(line.note.split('\n')[1])] : []));
        expect(sizes.slice(0, events - from)).toEqual(Array.from({ length: events - from }, (_, n) => from + n));
        expect(await cli(fileWith(text), '--key', fileWith((await statusOf(person)).key))).toMatchObject({ code: 0 });
      }
    });

    describe('after the signing key was replaced', () => {
      let replaced: TestServer;
      let old: string;
      beforeAll(async () => {
        old = mkdtempSync(join(folder, 'old-'));
        const current = mkdtempSync(join(folder, 'current-'));
        for (const dataDir of [old, current]) mkdirSync(join(dataDir, 'keys'));
        openAuditSigner(old);
        copyFileSync(join(old, 'keys', 'audit-signing.pub'), join(current, 'keys', 'audit-old.pub'));
        replaced = await startTestServer({ DATA_DIR: current }, { sealEveryMs: 3_600_000 });
      });
      afterAll(() => replaced.stop());

      const checkpointSizes = (text: string): number[] =>
        text
          .trimEnd()
          .split('\n')
          .map(readBundleLine)
          .flatMap((line) => (line?.type === 'checkpoint' ? [Number(line.note.split('\n')[1])] : []));

      it('contains no checkpoints of the old key, and is intact', async () => {
        const person = await replaced.signUp({ team: 'Keys' });
        const events = await sealEachEvent(replaced, orgOf(person), 3, old);
        const text = await exported(person);
        expect(checkpointSizes(text)).toEqual([events + 1]);
        expect(await cli(fileWith(text), '--key', fileWith((await statusOf(person)).key))).toMatchObject({ code: 0 });
      });

      it('is intact if it contains a run, or only events from before', async () => {
        const person = await replaced.signUp();
        await publish(person, person, 'flow', stepsNamed('First'));
        const run = await start(person, 'flow', 'Wanted');
        await complete(person, run.id, 'step-1');
        const events = await sealEachEvent(replaced, orgOf(person), 3, old);
        const to = (await statusOf(person)).head?.at ?? '';
        // The events that follow are sealed by the new key.
        const later = await start(person, 'flow', 'Unwanted');
        const whole = await exported(person);
        const [sealed] = checkpointSizes(whole);
        const key = fileWith((await statusOf(person)).key);
        expect(sealed).toBeGreaterThan(events);
        for (const [query, contained] of [
          ['', later.id],
          [`?runId=${run.id}`, run.id],
          [`?runId=${run.id}&to=${to}`, run.id],
          [`?to=${to}`, run.id],
          [`?from=2000-01-01T00:00:00Z&to=2000-01-02T00:00:00Z`, '"events":0'],
        ] as const) {
          const text = await exported(person, query);
          expect(text).toContain(contained);
          if (query !== '') expect(text).not.toContain(later.id);
          const { code, out } = await cli(fileWith(text), '--key', key);
          expect({ query, code, out }).toMatchObject({ query, code: 0 });
          if (query.includes('to=')) expect(checkpointSizes(text)).toEqual([sealed]);
        }
      });
    });

    it('is reported as tampered or incomplete after a modification', async () => {
      const person = await scene.aPerson();
      const text = await exported(person);
      const key = fileWith((await statusOf(person)).key);
      const lines = text.trimEnd().split('\n');
      const changed = await cli(fileWith(text.replace('\\"key\\":\\"flow\\"', '\\"key\\":\\"flaw\\"')), '--key', key);
      expect(changed.code).toBe(1);
      expect(changed.out).toMatch(/TAMPERED[\s\S]*✗ Event \d+ differs from what was recorded/);
      const cut = await cli(
        fileWith(`${lines.slice(0, 4).join('\n')}\n`),
        '--key',
        key,
        '--checkpoints',
        scene.checkpointFile(person),
      );
      expect(cut.code).toBe(2);
      expect(cut.out).toMatch(
        /INCOMPLETE[\s\S]*Events are missing at the end: a checkpoint proves that they existed up to event \d+/,
      );
      const forged = openAuditSigner(mkdtempSync(join(folder, 'forger-')));
      const theirs = fileWith(Buffer.from(forged.keyOf('').publicKey).toString('base64'));
      expect((await cli(fileWith(text), '--key', theirs)).code).toBe(1);
      expect((await cli(join(folder, 'nowhere'))).code).toBe(3);
      expect((await cli(fileWith(text), '--key', fileWith('nonsense'))).code).toBe(3);
      expect((await cli()).code).toBe(2);
      expect(auditVerify.help).toContain('Exit codes');
    });

    it('isn’t verified with invalid checkpoints or with those of another organization, and the command says why', async () => {
      const [person, other] = [await scene.aPerson(), await scene.aPerson()];
      const file = fileWith(await exported(person));
      await scene.seal(other);
      const foreign = await cli(file, '--checkpoints', scene.checkpointFile(other));
      expect(foreign.code).toBe(2);
      expect(foreign.out).toContain('✗ None of the checkpoints belongs to this organization');
      for (const text of ['', '\n', 'nonsense', 'stet/nonsense\n']) {
        const { code, out, stderr } = await cli(file, '--checkpoints', fileWith(text));
        expect({ text, code, out }).toEqual({ text, code: 3, out: '' });
        expect(stderr).toMatch(/^The file given with --checkpoints contains /);
      }
    });

    it('is incomplete after an interrupted download, but not if a text editor added a byte order mark', async () => {
      const person = await scene.aPerson();
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

    it('also works for a broken trail, so the trail can be investigated', async () => {
      const person = await scene.aPerson();
      await scene.seal(person);
      await scene.tamper(
        `update audit_events set payload = replace(payload, 'flow', 'flaw') where org_id = $org and seq = 3`,
        orgOf(person),
      );
      await start(person, 'flow');
      const { code, out } = await cli(fileWith(await exported(person)));
      expect(code).toBe(1);
      expect(out).toContain('✗ Event 3 differs from what was recorded');
    });

    it("is refused for a run that doesn't exist, and for people without the permission", async () => {
      const { owner, viewer } = await teamOf(server, ['viewer']);
      const missing = await owner.call('GET', '/api/audit/export.ndjson?runId=01890000-0000-7000-8000-000000000001');
      expect(missing).toMatchObject({ status: 404, body: { code: 'not_found', error: 'Run not found' } });
      for (const path of ['export.ndjson', 'events', 'status'])
        expect((await viewer.call('GET', `/api/audit/${path}`)).status).toBe(403);
      expect((await viewer.call('POST', '/api/audit/verify')).status).toBe(403);
    });
  });
});
