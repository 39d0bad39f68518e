import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Certificate, inclusionProofRanges, merkleRoot } from '@stet/domain/audit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOfPages } from '../../adapters/pdf/pdf-text.fixture.ts';
import { COMMANDS } from '../../cli/commands.ts';
import { runCommand } from '../../cli/run-command.ts';
import { contentTitled, joinOrganization, publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { type ProofScene, orgOf, startProofScene, statusOf } from '../../testing/proof-scene.ts';
import type { Person, TestServer } from '../../testing/server.ts';
import { appendAudit } from '../audit/index.ts';
import { openInclusionProofs } from '../audit/inclusion-proofs.ts';
import { listEventHashes } from '../audit/proof.sql.ts';

type Team = { owner: Person; reviewer: Person; orgId: string };

describe('the certificate of a version', () => {
  let scene: ProofScene;
  let server: TestServer;
  let team: Team;
  beforeAll(async () => {
    scene = await startProofScene();
    ({ server } = scene);
    team = await teamOf(server, ['reviewer', 'viewer']);
  });
  afterAll(() => scene.stop());

  const addressOf = (key: string, version: number | string, format = 'json'): string =>
    `/api/workflows/${key}/versions/${version}/certificate?format=${format}`;
  const download = (person: Person, path: string): Promise<Response> =>
    fetch(`${server.server.url}${path}`, { headers: { authorization: `Bearer ${person.token}` } });
  /** Issues a certificate, and returns its file, its content, and the verifier’s reply. */
  async function issued(key: string, version: number | string, { owner }: Pick<Team, 'owner'> = team) {
    const response = await download(owner, addressOf(key, version));
    expect(response.status).toBe(200);
    const text = await response.text();
    const file = fileWith(text);
    const { key: publicKey } = await statusOf(owner);
    const reply = await cli(file, '--key', fileWith(`${publicKey}\n`));
    return { file, certificate: JSON.parse(text) as Certificate, ...reply };
  }
  let files = 0;
  const fileWith = (content: string | Buffer): string => {
    const path = join(scene.folder, `certificate-${(files += 1)}`);
    writeFileSync(path, content);
    return path;
  };
  async function cli(...args: string[]): Promise<{ code: number; out: string }> {
    let out = '';
    const code = await runCommand(['audit', 'verify', ...args], COMMANDS, {
      env: {},
      out: async (text) => void (out += text),
      say: (line) => void (out += line),
      read: async () => '',
      askSecret: async () => null,
    });
    return { code, out };
  }

  it('shows who wrote, approved and merged the version, and is verified by the command', async () => {
    const { owner, reviewer } = team;
    const { draftId } = await owner.post<{ draftId: string }>(
      '/api/workflows/expenses/drafts',
      contentTitled('Expenses'),
    );
    await owner.patch(`/api/workflows/expenses/drafts/${draftId}`, contentTitled('Expenses, again'));
    await owner.post(`/api/workflows/expenses/drafts/${draftId}/submit`, { summary: 'A second approver' });
    await reviewer.post(`/api/workflows/expenses/drafts/${draftId}/approve`);
    await reviewer.post(`/api/workflows/expenses/drafts/${draftId}/merge`);
    const { certificate, code, out, file } = await issued('expenses', 1);
    expect(out).toContain('Valid: every fact follows from the events.');
    expect(code).toBe(0);
    expect(certificate).toMatchObject({
      organization: { id: team.orgId },
      issued: { by: { id: owner.user.id, email: owner.user.email } },
      content: { metadata: { title: 'Expenses, again' }, steps: [{ title: 'First' }, { title: 'Second' }] },
      facts: {
        key: 'expenses',
        version: 1,
        versionId: draftId,
        authors: [{ by: { id: owner.user.id } }],
        summary: 'A second approver',
        approvals: [{ by: { id: reviewer.user.id }, counts: true, because: null, marks: [] }],
        policy: { requiredApprovals: 1, strictReview: false },
        merged: { by: { id: reviewer.user.id } },
        emergencies: [],
        periods: [{ until: null }],
      },
    });
    expect(Object.keys(certificate.facts.approvals[0] ?? {})).toContain('addressProvedBy');
    for (const line of [
      'Workflow      expenses, version 1',
      'A second approver',
      '1 required approval, strict review off',
      'no end recorded up to event',
    ])
      expect(out).toContain(line);
    const withoutKey = await cli(file);
    expect(withoutKey).toMatchObject({ code: 0, out: expect.stringContaining('not origin') as string });
    const saved = scene.checkpointFile(owner);
    expect(await cli(file, '--checkpoints', saved)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Valid: /) as string,
    });
    const other = scene.checkpointFile(
      await scene.aPerson().then(async (person) => (await scene.seal(person), person)),
    );
    expect(await cli(file, '--checkpoints', other)).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^INCOMPLETE: [^]*none was compared/) as string,
    });
    const bare = join(server.dataDir, 'keys', 'audit-signing.pub');
    expect((await cli(file, '--key', bare, '--json')).out).toContain('"trust": "key"');
    const changed = fileWith(JSON.stringify(certificate).replace('A second approver', 'No reason at all'));
    expect(await cli(changed)).toMatchObject({ code: 1, out: expect.stringMatching(/^REFUSED: /) as string });
  });

  it('shows each period in force, and the merge, rollback or archiving that ended it', async () => {
    const { owner, reviewer } = team;
    for (const title of ['One', 'Two']) await publish(owner, reviewer, 'returns', stepsNamed(title));
    await reviewer.post('/api/workflows/returns/versions/1/rollback', { reason: 'Two was wrong' });
    const first = await issued('returns', 1);
    expect(first).toMatchObject({
      code: 0,
      certificate: { facts: { periods: [{ until: { because: 'merge' } }, { until: null }] } },
    });
    const second = await issued('returns', 2);
    expect(second).toMatchObject({
      code: 0,
      certificate: { facts: { periods: [{ until: { because: 'rollback' } }] } },
    });
    await owner.call('DELETE', '/api/workflows/returns', { reason: 'No longer needed' });
    const archived = await issued('returns', 1);
    expect(archived).toMatchObject({
      code: 0,
      certificate: { facts: { periods: [{}, { until: { because: 'archive' } }] } },
    });
  });

  it('shows an emergency with its reason, the missing approvals, and who has ratified or refused it, if anyone', async () => {
    const { owner } = team;
    const { draftId } = await owner.post<{ draftId: string }>('/api/workflows/urgent/drafts', contentTitled('Urgent'));
    await owner.post(`/api/workflows/urgent/drafts/${draftId}/submit`);
    await owner.post(`/api/workflows/urgent/drafts/${draftId}/merge`, { emergency: { reason: 'The bank is closed' } });
    const { certificate, code, out } = await issued('urgent', draftId);
    expect(certificate.facts.emergencies).toMatchObject([
      { act: 'merge', reason: 'The bank is closed', ratified: null, refused: null, pastReview: ['needs_approvals'] },
    ]);
    expect(out).toContain('because: The bank is closed; passed over: approvals were missing; not ratified');
    expect(code).toBe(0);

    const admin = await server.signUp({ name: 'The ratifier' });
    await joinOrganization(server, admin, owner.user.currentOrgId ?? '', 'admin');
    const [waiting] = (await admin.get<{ id: string; subjectId: string }[]>('/api/confirmations')).filter(
      ({ subjectId }) => subjectId === draftId,
    );
    await admin.post(`/api/confirmations/${waiting?.id}/confirm`);
    const ratified = await issued('urgent', draftId);
    expect(ratified.certificate.facts.emergencies).toMatchObject([
      { act: 'merge', reason: 'The bank is closed', ratified: { by: { id: admin.user.id } }, refused: null },
    ]);
    expect(ratified.out).toMatch(/because: The bank is closed; .*ratified .*by The ratifier/);
    expect(ratified.code).toBe(0);

    const hasty = await owner.post<{ draftId: string }>('/api/workflows/hasty/drafts', contentTitled('Hasty'));
    const reason = 'Nobody answers';
    await owner.post(`/api/workflows/hasty/drafts/${hasty.draftId}/merge`, { emergency: { reason } });
    const asked = (await admin.get<{ id: string; subjectId: string }[]>('/api/confirmations')).find(
      ({ subjectId }) => subjectId === hasty.draftId,
    );
    await admin.post(`/api/confirmations/${asked?.id}/refuse`, { reason: 'It could have waited' });
    const refused = await issued('hasty', hasty.draftId);
    expect(refused.certificate.facts.emergencies).toMatchObject([
      { act: 'merge', reason, ratified: null, refused: { by: { id: admin.user.id } } },
    ]);
    expect(refused.out).toMatch(/because: Nobody answers; .*refused .*by The ratifier/);
    expect(refused.code).toBe(0);
  });

  it('shows people’s texts on one line, and spells out invisible characters and terminal codes', async () => {
    const { owner, reviewer } = team;
    const summary = 'Two approvers\nApprovals     Nobody: counted\n\u001B[8m\u202Enever\u202C';
    const { draftId } = await owner.post<{ draftId: string }>('/api/workflows/lines/drafts', contentTitled('Lines'));
    await owner.post(`/api/workflows/lines/drafts/${draftId}/submit`, { summary });
    await reviewer.post(`/api/workflows/lines/drafts/${draftId}/approve`);
    await owner.post(`/api/workflows/lines/drafts/${draftId}/merge`);
    const { code, out } = await issued('lines', 1);
    expect(code).toBe(0);
    expect(out).toContain('Two approvers ⏎ Approvals     Nobody: counted ⏎ ⟨U+001B⟩[8m⟨U+202E⟩never⟨U+202C⟩\n');
    expect(out.match(/^Approvals/gm)).toHaveLength(1);
  });

  it('is not issued while a trail that is known to be broken is verified again', async () => {
    const own = await teamOf(server, ['reviewer']);
    await publish(own.owner, own.reviewer, 'flow');
    await issued('flow', 1, own);
    await server.sql(
      `insert into audit_verifications (org_id, id, state, is_broken, first_bad_seq, problem)
       values ($1, gen_random_uuid(), 'running', true, 1, 'derived')
       on conflict (org_id) do update set state = 'running', is_broken = true, first_bad_seq = 1, problem = 'derived'`,
      [own.orgId],
    );
    expect(await own.owner.call('GET', addressOf('flow', 1))).toMatchObject({
      status: 409,
      body: { code: 'no_certificate' },
    });
  });

  it('is not issued if the event that ended the version’s period in force was hidden in the database', async () => {
    const own = await teamOf(server, ['reviewer']);
    await publish(own.owner, own.reviewer, 'flow');
    await publish(own.owner, own.reviewer, 'flow', stepsNamed('Another step'));
    await issued('flow', 1, own);
    await server.sql('alter table audit_events disable trigger user');
    await server.sql(
      `update audit_events set action = 'workflow.exported'
       where org_id = $1
         and seq = (select max(seq) from audit_events where org_id = $1 and action = 'draft.merged')`,
      [own.orgId],
    );
    await server.sql('alter table audit_events enable trigger user');
    expect(await own.owner.call('GET', addressOf('flow', 1))).toMatchObject({
      status: 409,
      body: { code: 'no_certificate' },
    });
  });

  it('is valid if it is issued after people have left, and isolates names that are written from right to left', async () => {
    const own = await teamOf(server, ['reviewer']);
    await own.reviewer.call('PATCH', '/api/users/me', { name: 'יעל כהן' });
    await publish(own.owner, own.reviewer, 'flow');
    await own.owner.call('DELETE', `/api/organizations/${own.orgId}/users/${own.reviewer.user.id}`);
    const { code, out } = await issued('flow', 1, own);
    expect(code).toBe(0);
    expect(out).toContain(`\u2068יעל כהן\u2069 <${own.reviewer.user.email}>`);
  });

  it('can be a PDF, which shows the same facts and contains the certificate', async () => {
    await publish(team.owner, team.reviewer, 'printed', stepsNamed('Check the invoice', 'Pay'));
    const response = await download(team.owner, addressOf('printed', 1, 'pdf'));
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toContain('printed-v1-certificate.pdf');
    const bytes = Buffer.from(await response.arrayBuffer());
    const file = fileWith(bytes);
    const bare = join(server.dataDir, 'keys', 'audit-signing.pub');
    expect(await cli(file, '--key', bare)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/printed, version 1[^]*Checked: the certificate attached to the PDF/) as string,
    });
    // Another program may write the entries of the attachment in a different order.
    const saved = bytes
      .toString('latin1')
      .replace(/(\/Type \/EmbeddedFile)([^]{0,400}?)(\n\/Filter \/FlateDecode)/, '$3$2\n$1');
    expect(await cli(fileWith(Buffer.from(saved, 'latin1')), '--key', bare)).toMatchObject({ code: 0 });
    const other = await download(team.owner, '/api/workflows/printed/versions/1/document?format=pdf');
    expect(await cli(fileWith(Buffer.from(await other.arrayBuffer())), '--key', bare)).toMatchObject({
      code: 3,
      out: expect.stringContaining('contains no certificate') as string,
    });
    const pages = await textOfPages(bytes);
    expect(pages[0]).toContain('Certificate of version 1');
    expect(pages[0]).toContain('What this proves');
    expect(pages.slice(1).join(' ')).toContain('Check the invoice');
  });

  it('is not issued for drafts, for altered content, or to people who may not export the audit trail', async () => {
    const { owner, reviewer } = team;
    const { draftId } = await owner.post<{ draftId: string }>('/api/workflows/open/drafts', contentTitled('Open'));
    expect(await owner.call('GET', addressOf('open', draftId))).toMatchObject({ status: 404 });
    expect(await owner.call('GET', addressOf('nowhere', 1))).toMatchObject({ status: 404 });
    await publish(owner, reviewer, 'altered');
    expect(await reviewer.call('GET', addressOf('altered', 1))).toMatchObject({ status: 403 });
    await server.sql('alter table workflow_versions disable trigger user');
    await server.sql(
      `update workflow_versions set metadata = jsonb_set(metadata::jsonb, '{title}', '"Other"')::json
       where org_id = $1 and metadata ->> 'title' = 'Title of altered'`,
      [team.orgId],
    );
    await server.sql('alter table workflow_versions enable trigger user');
    expect(await owner.call('GET', addressOf('altered', 1))).toMatchObject({
      status: 409,
      body: { code: 'no_certificate' },
    });
  });

  it('proves events of a long trail with subtrees from checkpoints', async () => {
    const person = await scene.aPerson();
    const orgId = orgOf(person);
    const { db } = server.server.deps;
    for (const count of [1500, 900, 2300, 700]) {
      await db.transaction({ orgId, userId: null }, async (tx) =>
        appendAudit(
          tx,
          Array.from({ length: count }, (_, n) => ({
            actor: { kind: 'system' as const, id: 'system', name: 'system' },
            action: 'session.signed_in' as const,
            subject: { type: 'user' as const, id: person.user.id },
            data: { n },
          })),
        ),
      );
      await scene.seal(person);
    }
    expect((await issued('flow', 1, { owner: person })).code).toBe(0);
    await db.transaction({ orgId, userId: null }, async (tx) => {
      const hashes = (await tx.many(listEventHashes, { orgId, from: 1, to: 10_000 })).map(({ hash }) => hash);
      const prove = openInclusionProofs(tx, orgId, hashes.length);
      for (const seq of [1, 2, 1023, 1024, 1025, 2048, 2049, 4096, 4097, hashes.length - 1, hashes.length])
        expect(
          (await prove(seq)).map((hash) => Buffer.from(hash).toString('hex')),
          `event ${seq}`,
        ).toEqual(
          inclusionProofRanges(seq - 1, hashes.length).map(({ from, to }) =>
            Buffer.from(merkleRoot(hashes.slice(from, to))).toString('hex'),
          ),
        );
    });
  });
});
