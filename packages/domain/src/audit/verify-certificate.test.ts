import { describe, expect, it } from 'vitest';
import { certificateInWords } from '../drafts/certificate-words.ts';
import { canonicalJson } from '../workflows/canonical-json.ts';
import { chainOf, OTHER_ORG, ORG } from './audit.arbitrary.ts';
import { checkpointOver, FORGER, KEY } from './bundle.arbitrary.ts';
import { contentTitled, GRETA, issued, PRIYA, records, withProof, YAEL } from './certificate.arbitrary.ts';
import { EARLIER_CERTIFICATE } from './earlier-certificate.fixture.ts';
import type { AuditRecord } from './events.ts';
import { originOf } from './checkpoint.ts';
import { keyNamed, verifySignature } from './signing.arbitrary.ts';
import type { Certificate } from './verifier/certificate.ts';
import { verifyCertificate } from './verifier/verify-certificate.ts';

const { created, submitted, approved, merged, rolledBack, noise } = records;
const content = contentTitled('Expense approval');
const next = contentTitled('Expense approval, two approvers');
const emergency = { emergency: true, reason: 'The bank changed its form', pastReview: ['needs_approvals'] };

// Version 1 is replaced by version 2, and made live again in an emergency. Then version 3 replaces it.
const trail = chainOf([
  noise(1),
  created('v1', content),
  { ...approved('v1', content, YAEL), data: { key: 'expenses', contentHash: 'older', marks: ['address_not_proved'] } },
  submitted('v1'),
  noise(2),
  approved('v1', content, GRETA, { marks: ['added_by_author'] }),
  merged('v1', 1, content, { requiredApprovals: 1, approvals: [{ reviewerId: GRETA.id, marks: ['added_by_author'] }] }),
  noise(3),
  created('v2', next),
  approved('v2', next),
  merged('v2', 2, next, { replaces: 'v1' }),
  rolledBack('v2', 'v1', emergency),
  {
    actor: YAEL,
    action: 'emergency.ratified',
    subject: { type: 'version', id: 'v1' },
    data: { act: 'rollback', key: 'expenses' },
  },
  { ...created('other', content), data: { key: 'travel' } },
  noise(4),
  { ...merged('v3', 3, next, { replaces: 'v1' }), actor: PRIYA },
  { ...merged('t2', 2, content, { replaces: 'v1', key: 'travel' }), actor: PRIYA },
  noise(5),
  noise(6),
]);
const [seqs, size] = [{ approval: 6, merge: 7, rollback: 12, ratified: 13, end: 16 }, trail.length];
const certificate = issued(trail, { versionId: 'v1', content });

const verify = (text: string, keys = [KEY], checkpoints: string[] = []) =>
  verifyCertificate({ text, keys, checkpoints, verifySignature });
const problemOf = (text: string, keys = [KEY], checkpoints: string[] = []): string => {
  const report = verify(text, keys, checkpoints);
  return report.ok ? 'none' : report.problem.code;
};
/** The certificate with a change, as a forger without the key can make it. */
const forged = (change: (certificate: Certificate) => void): string => {
  const changed = JSON.parse(certificate) as Certificate;
  change(changed);
  return canonicalJson(changed);
};
const must = <T>(value: T | undefined | null): T => {
  if (value === undefined || value === null) throw new Error('missing');
  return value;
};
const eventIn = ({ events }: Certificate, seq: number) => must(events.find((event) => event.seq === seq));
const proofOf = (seq: number) => withProof(trail, must(trail[seq - 1]));
const approvalIn = ({ facts }: Certificate) => must(facts.approvals.find(({ seq }) => seq === seqs.approval));
const without = (certified: Certificate, seq: number): void => {
  certified.events = certified.events.filter((event) => event.seq !== seq);
};
const inPayload = (certified: Certificate, seq: number, from: string, to: string): void => {
  const event = eventIn(certified, seq);
  expect(event.payload).toContain(from);
  event.payload = event.payload.replace(from, to);
};
const added = (record: AuditRecord): ReturnType<typeof withProof> => {
  const other = chainOf(trail.map((_, n) => (n === 14 ? record : noise(n))));
  return withProof(other, must(other[14]));
};

type Valid = Extract<ReturnType<typeof verify>, { ok: true }>;
const words = ({ groups, delegators, certificate: { events } }: Valid) => ({
  groups,
  delegators,
  size,
  when: (at: string): string => `at ${events.find((event) => event.at === at)?.seq}`,
});
const person = ({ id, name, email }: { id: string; name: string; email: string }) => ({ id, name, email });
/** Lines of the certificate, without the characters that isolate names and set their direction. */
const linesOf = (report: Valid, wanted = 'Groups'): string[] =>
  certificateInWords(report.facts, words(report))
    .filter(([label]) => label === wanted)
    .flatMap(([, lines]) => lines.map((line) => line.replaceAll(/[\u200E\u2068\u2069]/g, '')));

describe('a certificate', () => {
  it('shows who wrote and approved the version, and when it was in force', () => {
    const report = verify(certificate);
    if (!report.ok) throw new Error(report.problem.sentence);
    const at = (seq: number): string => proofOf(seq).at;
    const by = ({ id, name, email }: { id: string; name: string; email: string }) => ({ id, name, email });
    expect(report.facts).toEqual({
      key: 'expenses',
      version: 1,
      versionId: 'v1',
      contentHash: report.facts.contentHash,
      authors: [{ by: by(PRIYA), at: at(2), seq: 2 }],
      submitted: { by: by(PRIYA), at: at(4), seq: 4 },
      summary: 'Two approvers above 5,000 EUR',
      approvals: [
        {
          by: by(YAEL),
          at: at(3),
          seq: 3,
          contentHash: 'older',
          marks: ['address_not_proved'],
          counts: false,
          because: 'draft_changed',
        },
        {
          by: by(GRETA),
          at: at(6),
          seq: 6,
          contentHash: report.facts.contentHash,
          addressProvedBy: 'mailbox',
          marks: ['added_by_author'],
          counts: true,
          because: null,
        },
      ],
      policy: { requiredApprovals: 1, strictReview: false },
      merged: { by: by(GRETA), at: at(7), seq: 7 },
      emergencies: [
        {
          act: 'rollback',
          by: by(GRETA),
          at: at(12),
          seq: 12,
          reason: 'The bank changed its form',
          pastReview: ['needs_approvals'],
          ratified: { by: by(YAEL), at: at(13), seq: 13 },
          refused: null,
        },
      ],
      periods: [
        { from: { at: at(7), seq: 7 }, until: { at: at(11), seq: 11, because: 'merge' } },
        { from: { at: at(12), seq: 12 }, until: { at: at(16), seq: 16, because: 'merge' } },
      ],
    });
    expect(report).toMatchObject({ trust: 'key', isSaved: false, checkpoint: { size, orgId: ORG } });
    expect(verify(certificate, [])).toMatchObject({ ok: true, trust: 'none' });
    expect(verify(certificate, [], [checkpointOver(trail, size)])).toMatchObject({ ok: true, trust: 'checkpoints' });
    expect(verify(certificate, [], [checkpointOver(trail, size - 1)])).toMatchObject({ ok: true, trust: 'none' });
  });

  it.each<[string, AuditRecord[], object]>([
    [
      'a first publication without review',
      [created('v', content), merged('v', 1, content, { requiredApprovals: 0, approvals: [] })],
      { approvals: [], submitted: null, policy: { requiredApprovals: 0 }, periods: [{ until: null }] },
    ],
    [
      'an emergency merge that was refused later',
      [
        created('v', content),
        merged('v', 1, content, { ...emergency, approvals: [] }),
        {
          actor: YAEL,
          action: 'confirmation.refused',
          subject: { type: 'version', id: 'v' },
          data: { key: 'expenses', kind: 'emergency', act: 'merge' },
        },
      ],
      { emergencies: [{ act: 'merge', ratified: null, refused: { by: { name: YAEL.name } } }] },
    ],
    [
      'a withdrawn approval, and one that did not count',
      [
        created('v', content),
        approved('v', content),
        {
          actor: GRETA,
          action: 'draft.approval_withdrawn',
          subject: { type: 'version', id: 'v' },
          data: { key: 'expenses' },
        },
        approved('v', content, YAEL, { addressProvedBy: null }),
        merged('v', 1, content, { requiredApprovals: 0, approvals: [] }),
      ],
      {
        approvals: [
          { counts: false, because: 'withdrawn' },
          { counts: false, because: 'not_counted', addressProvedBy: null },
        ],
      },
    ],
    [
      'an approval for someone, which the same person replaced by their own and then withdrew',
      [
        created('v', content),
        approved(
          'v',
          content,
          { ...GRETA, onBehalfOf: { id: YAEL.id, name: YAEL.name, email: YAEL.email } },
          { reviewId: 'one' },
        ),
        approved('v', content, GRETA, { reviewId: 'two' }),
        {
          actor: GRETA,
          action: 'draft.approval_withdrawn',
          subject: { type: 'version', id: 'v' },
          data: { key: 'expenses', reviewIds: ['one'] },
        },
        merged('v', 1, content, { approvals: [{ reviewerId: GRETA.id, marks: [] }] }),
      ],
      {
        approvals: [
          { counts: false, because: 'changed_their_mind' },
          { counts: true, because: null },
        ],
      },
    ],
    [
      'an approval by a personal token',
      [
        created('v', content),
        approved(
          'v',
          content,
          { kind: 'token', id: 'token-1', name: 'CI', email: GRETA.email, personId: GRETA.id },
          { marks: ['by_api_token'] },
        ),
        merged('v', 1, content, { approvals: [{ reviewerId: GRETA.id, marks: ['by_api_token'] }] }),
      ],
      { approvals: [{ counts: true, marks: ['by_api_token'], by: { name: 'CI' } }] },
    ],
    [
      'a version from before merges recorded their approvals',
      [
        created('v', content),
        {
          actor: GRETA,
          action: 'draft.approved',
          subject: { type: 'version', id: 'v' },
          data: { contentHash: 'filled in below' },
        },
        {
          actor: GRETA,
          action: 'draft.merged',
          subject: { type: 'version', id: 'v' },
          data: { key: 'expenses', version: 1, contentHash: 'filled in below', replaces: null },
        },
      ],
      {
        approvals: [{ counts: null, because: null, marks: [] }],
        policy: { requiredApprovals: null, strictReview: null },
        summary: null,
      },
    ],
    [
      'an archived workflow',
      [
        created('v', content),
        merged('v', 1, content),
        {
          actor: GRETA,
          action: 'workflow.archived',
          subject: { type: 'workflow', id: 'flow-1' },
          data: { key: 'expenses' },
        },
      ],
      { periods: [{ until: { seq: 4, because: 'archive' } }] },
    ],
  ])('is valid for %s', (_, events, facts) => {
    const hash = JSON.parse(certificate) as Certificate;
    const filled = events.map((event) => ({
      ...event,
      ...(event.data?.['contentHash'] === 'filled in below' && {
        data: { ...event.data, contentHash: hash.facts.contentHash },
      }),
    }));
    const own = chainOf([noise(1), ...filled, noise(2)]);
    const report = verify(issued(own, { versionId: 'v', content }));
    expect(report).toMatchObject({ ok: true, facts });
  });

  it('shows the groups that had to approve, and whose approval counted for each', () => {
    const byToken = { kind: 'token', id: 'token-1', name: 'CI', email: YAEL.email, personId: YAEL.id } as const;
    const own = chainOf([
      created('v', content),
      approved('v', content),
      approved('v', content, byToken),
      merged('v', 1, content, {
        requirements: [
          { group: 'compliance', name: 'Compliance', by: YAEL.id, because: ['clock_loosened'] },
          { group: null, by: GRETA.id, because: ['workflow_reviewers'] },
          { group: 'legal', name: 'Legal\u202E', by: null, because: ['step_removed'] },
        ],
      }),
    ]);
    const report = verify(issued(own, { versionId: 'v', content }));
    if (!report.ok) throw new Error(report.problem.sentence);
    expect(linesOf(report)).toEqual([
      'Compliance: approved by CI <yael@example.com>, at 3 (event 3)',
      'Reviewers of the workflow: approved by Greta Holm <greta@example.com>, at 2 (event 2)',
      'Legal⟨U+202E⟩: no approval (event 4)',
    ]);
  });

  it('names the delegators, and attributes a delegate’s approval to both people', () => {
    const forYael = { ...PRIYA, id: 'user-ben', name: 'Ben', email: 'ben@example.com', onBehalfOf: person(YAEL) };
    const own = chainOf([
      created('v', content),
      approved('v', content, YAEL),
      approved('v', content, forYael),
      approved('v', content),
      merged('v', 1, content, {
        approvals: [
          { reviewerId: forYael.id, onBehalfOf: YAEL.id, marks: [] },
          { reviewerId: GRETA.id, marks: [] },
        ],
        requirements: [{ group: 'compliance', name: 'Compliance', by: YAEL.id, because: ['clock_loosened'] }],
      }),
    ]);
    const report = verify(issued(own, { versionId: 'v', content }));
    if (!report.ok) throw new Error(report.problem.sentence);
    expect(report.delegators).toEqual([{ seq: 3, delegator: person(YAEL) }]);
    expect(report.facts.approvals.map(({ because, counts }) => [because, counts])).toEqual([
      ['changed_their_mind', false],
      [null, true],
      [null, true],
    ]);
    expect(linesOf(report)).toEqual([
      'Compliance: approved by Ben <ben@example.com> for יעל כהן <yael@example.com>, at 3 (event 3)',
    ]);
    const words = linesOf(report, 'Approvals');
    expect(words[1]).toBe(
      'Ben <ben@example.com> for יעל כהן <yael@example.com>, at 3 (event 3): counted; address proved by a code or link sent to it',
    );
  });

  it('that was issued before merges recorded the names of groups is valid, and shows their slugs', () => {
    const report = verify(EARLIER_CERTIFICATE);
    if (!report.ok) throw new Error(report.problem.sentence);
    expect(report.trust).toBe('key');
    expect(linesOf(report)).toEqual(['compliance: approved by יעל כהן <yael@example.com>, at 5 (event 5)']);
  });

  it('without groups doesn’t mention any', () => {
    const report = verify(certificate);
    expect(report.ok && report.groups).toEqual([]);
    expect(report.ok && certificateInWords(report.facts, words(report)).map(([label]) => label)).not.toContain(
      'Groups',
    );
  });

  it('is valid for every size of the tree since the merge', () => {
    for (let at = seqs.merge; at <= size; at++)
      expect(problemOf(issued(trail, { versionId: 'v1', content, size: at }))).toBe('none');
  });

  it.each<[string, string, (certificate: Certificate) => void]>([
    ['changed content', 'content', (it) => void (it.content.metadata = { title: 'No approval', description: '' })],
    ['a changed content hash', 'content_hash', (it) => void (it.facts.contentHash = 'ab'.repeat(32))],
    ['another approver', 'approver', (it) => void (approvalIn(it).by.name = 'Priya Nair')],
    [
      'another approver in the event',
      'event_altered',
      (it) => inPayload(it, seqs.approval, 'Greta Holm', 'Priya Nair'),
    ],
    ['an omitted approval', 'approval_removed', (it) => void it.facts.approvals.shift()],
    [
      'an invented approval',
      'approval_added',
      (it) => void it.facts.approvals.push({ ...approvalIn(it), seq: 5, by: { ...YAEL } }),
    ],
    ['a moved date', 'approval_date', (it) => void (approvalIn(it).at = '2026-01-01T00:00:00.000000Z')],
    ['a moved date in the event', 'event_altered', (it) => void (eventIn(it, 6).at = '2026-09-21T13:00:00.000000Z')],
    [
      'approved content that differs',
      'approved_content',
      (it) => void (must(it.facts.approvals[0]).contentHash = it.facts.contentHash),
    ],
    [
      'a better proof of an address',
      'address_proof',
      (it) => void (must(it.facts.approvals[0]).addressProvedBy = 'mailbox'),
    ],
    ['an approval that counts after all', 'counts', (it) => void (must(it.facts.approvals[0]).counts = true)],
    ['an approval of another version', 'event_of_other_version', (it) => void it.events.splice(5, 0, proofOf(10))],
    ['an event of another workflow', 'event_of_other_workflow', (it) => void it.events.push(proofOf(17))],
    [
      'an event of another organization',
      'event_organization',
      (it) => void it.events.push({ ...proofOf(18), orgId: OTHER_ORG }),
    ],
    ['another organization', 'organization', (it) => void (it.organization.id = OTHER_ORG)],
    ['a removed mark', 'marks', (it) => void (approvalIn(it).marks = [])],
    [
      'the proof of another event',
      'proof',
      (it) => void (eventIn(it, seqs.merge).proof = proofOf(seqs.merge + 1).proof),
    ],
    ['a truncated proof', 'proof_length', (it) => void eventIn(it, seqs.merge).proof.pop()],
    ['an empty proof', 'proof_length', (it) => void (eventIn(it, seqs.merge).proof = [])],
    ['an invented event', 'proof', (it) => void it.events.splice(-1, 0, added(approved('v1', content, YAEL)))],
    ['a checkpoint of another size', 'event_unsealed', (it) => void (it.checkpoint = checkpointOver(trail, 10))],
    [
      'a checkpoint of a larger size',
      'proof_length',
      (it) => void (it.checkpoint = checkpointOver(chainOf(Array.from({ length: 99 }, (_, n) => noise(n))), 99)),
    ],
    ['a checkpoint by another key', 'checkpoint', (it) => void (it.checkpoint = checkpointOver(trail, size, FORGER))],
    ['a longer period', 'period', (it) => void (must(it.facts.periods[1]).until = null)],
    [
      'a hidden end, in the facts and events',
      'signature',
      (it) => {
        without(it, seqs.end);
        must(it.facts.periods[1]).until = null;
      },
    ],
    ['an omitted rollback', 'emergency', (it) => without(it, seqs.rollback)],
    ['a weaker policy', 'policy', (it) => void (it.facts.policy.requiredApprovals = 0)],
    ['a stricter policy', 'policy', (it) => void (it.facts.policy.strictReview = true)],
    ['a hidden emergency', 'emergency_hidden', (it) => void (it.facts.emergencies = [])],
    ['an emergency that was not ratified', 'emergency', (it) => without(it, seqs.ratified)],
    ['an extra field', 'unknown_field', (it) => void Object.assign(it, { verified: true })],
    ['an extra fact', 'unknown_field', (it) => void Object.assign(it.facts, { legallyBinding: true })],
    ['an extra field of an approval', 'unknown_field', (it) => void Object.assign(approvalIn(it), { role: 'CFO' })],
    [
      'an extra field of an event',
      'unknown_field',
      (it) => void Object.assign(eventIn(it, 6), { note: 'approved twice' }),
    ],
    ['an extra part of the content', 'unknown_field', (it) => void Object.assign(it.content, { annex: 'A' })],
    ['another version number', 'version', (it) => void (it.facts.version = 2)],
    ['another workflow', 'workflow', (it) => void (it.facts.key = 'travel')],
    ['another version’s id', 'not_merged', (it) => void (it.facts.versionId = 'v9')],
    ['another author', 'authors', (it) => void (must(it.facts.authors[0]).by.name = 'Greta Holm')],
    ['another summary', 'submission', (it) => void (it.facts.summary = 'Nothing important')],
    ['another person who merged it', 'merge', (it) => void (it.facts.merged.by.name = 'Priya Nair')],
    ['an omitted merge', 'not_merged', (it) => without(it, seqs.merge)],
    ['an event twice', 'event_order', (it) => void it.events.push(eventIn(it, seqs.end))],
    ['another name of the organization', 'signature', (it) => void (it.organization.name = 'Halden Bank')],
    ['another time of issue', 'signature', (it) => void (it.issued.at = '2027-01-01T00:00:00.000Z')],
    ['a key that can’t be read', 'key', (it) => void (it.key = it.key.slice(1))],
  ])('with %s is refused: %s', (_, code, change) => {
    expect(problemOf(forged(change))).toBe(code);
  });

  it('is refused if a forger signed it or a saved checkpoint of the same size differs, but without both, a forgery is consistent', () => {
    const lie = chainOf([created('v1', content), approved('v1', content), merged('v1', 1, content)]);
    const signedLie = issued(lie, { versionId: 'v1', content, signer: FORGER });
    expect(problemOf(signedLie)).toBe('key');
    expect(problemOf(signedLie, [keyNamed(originOf(OTHER_ORG))])).toBe('key');
    expect(verify(signedLie, [])).toMatchObject({ ok: true, trust: 'none' });
    expect(problemOf(certificate, [KEY], [checkpointOver(chainOf(trail.map((_, n) => noise(n))), size)])).toBe(
      'rewritten',
    );
  });

  it('has to be in canonical form', () => {
    expect(problemOf(`${certificate} `)).toBe('unreadable');
    expect(problemOf(JSON.stringify(JSON.parse(certificate), null, 2))).toBe('unreadable');
    expect(problemOf(certificate.replace('{"certificate":1,', '{"certificate":1,"certificate":1,'))).toBe('unreadable');
    expect(problemOf(certificate.replace('{"certificate":1,', '{"certificate":2,'))).toBe('unreadable');
    expect(problemOf(certificate.slice(0, -9))).toBe('unreadable');
    expect(problemOf('[]')).toBe('unreadable');
  });

  it('is refused if one character is changed, for every 31st one', () => {
    for (let at = 0; at < certificate.length; at += 31) {
      const changed = `${certificate.slice(0, at)}${certificate[at] === 'x' ? 'y' : 'x'}${certificate.slice(at + 1)}`;
      expect(verify(changed).ok, `position ${at}`).toBe(false);
    }
  });
});
