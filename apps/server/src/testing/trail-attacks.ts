import { createHash, randomUUID } from 'node:crypto';
import { SYSTEM_ACTOR, auditPayload, derivedColumns, eventHash, payloadDigest } from '@stet/domain/audit';
import pg from 'pg';
import { appendAudit } from '../modules/audit/append-audit.ts';
import { verdictOn } from '../modules/audit/verification.ts';
import { sealTrail } from '../modules/audit/seal-trail.ts';
import { absence } from './delegations.ts';
import { publish, stepsNamed, teamOf } from './organization.ts';
import { complete, start } from './runs.ts';
import type { TestServer } from './server.ts';

type Row = Record<string, unknown>;
type Event = {
  seq: number;
  at: bigint;
  payload: string | null;
  salt: Buffer | null;
  digest: Buffer;
  mac: Buffer | null;
  made_at: string | null;
  run_id: string | null;
};
type Attempt = { name: string; found: string | null };

/** Pseudo-random numbers from a seed (mulberry32). */
function randomOf(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[below(from.length)];
    if (picked === undefined) throw new Error('there is nothing to choose from');
    return picked;
  };
  return { below, pick, coin: () => next() < 0.5 };
}
type Random = ReturnType<typeof randomOf>;

const TABLES = [
  'audit_events',
  'audit_heads',
  'audit_checkpoints',
  'memberships',
  'groups',
  'group_members',
  'delegations',
  'organizations',
  'workflows',
  'workflow_versions',
  'draft_reviews',
  'draft_contents',
  'runs',
  'run_steps',
] as const;

/**
 * An attacker with every right on the database, but without access to the server's files. Triggers and foreign keys
 * don't stop them.
 */
type Attacker = {
  sql: (text: string, values?: unknown[]) => Promise<Row[]>;
  orgId: string;
  otherOrg: string;
  random: Random;
};

const EVENT_COLUMNS =
  'seq::int as seq, (extract(epoch from at) * 1000000)::bigint::text as at, payload, salt, digest, mac, made_at::text, run_id';

async function eventsOf({ sql, orgId }: Attacker): Promise<Event[]> {
  const rows = await sql(`select ${EVENT_COLUMNS} from audit_events where org_id = $1 order by seq`, [orgId]);
  return rows.map((row) => ({ ...(row as unknown as Event), at: BigInt(String(row['at'])) }));
}

/** Rewrites a trail with matching columns, digests, hashes and head, and removes its checkpoints. */
async function rewrite({ sql, orgId }: Attacker, events: readonly Event[]): Promise<void> {
  await sql('delete from audit_events where org_id = $1', [orgId]);
  let prev: Uint8Array = Buffer.alloc(32);
  for (const [index, event] of events.entries()) {
    const record = event.payload === null ? null : (JSON.parse(event.payload) as Parameters<typeof derivedColumns>[0]);
    const { actor, action, subjectType, subjectId, runId } = record
      ? derivedColumns(record)
      : { actor: 'x', action: 'x', subjectType: 'x', subjectId: 'x', runId: null };
    const digest = event.payload !== null && event.salt ? payloadDigest(event.salt, event.payload) : event.digest;
    const hash = eventHash({ orgId, seq: index + 1, at: event.at, prev, digest });
    await sql(
      `insert into audit_events (org_id, seq, at, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash, mac, made_at)
       values ($1, $2, 'epoch'::timestamptz + $3::bigint * interval '1 microsecond', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [
        orgId,
        index + 1,
        String(event.at),
        actor,
        action,
        subjectType,
        subjectId,
        runId,
        event.payload,
        event.salt,
        Buffer.from(digest),
        Buffer.from(prev),
        Buffer.from(hash),
        event.mac,
        event.made_at,
      ],
    );
    prev = hash;
  }
  await sql(
    `update audit_heads set seq = $2, hash = $3, at = (select max(at) from audit_events where org_id = $1) where org_id = $1`,
    [orgId, events.length, Buffer.from(prev)],
  );
  await sql('delete from audit_checkpoints where org_id = $1', [orgId]);
}

const forgedPayload = ({ random }: Attacker, payload: string): string => {
  const record = JSON.parse(payload) as { actor: Row; data?: Row };
  if (random.coin()) record.actor['name'] = 'Someone Else';
  else record.data = { ...record.data, contentHash: 'f'.repeat(64), after: { role: 'owner' } };
  return auditPayload(record as unknown as Parameters<typeof auditPayload>[0]);
};

/** A random row of the organization. */
async function anyOf({ sql, orgId, random }: Attacker, table: string): Promise<Row> {
  const rows = await sql(`select * from ${table} where org_id = $1`, [orgId]);
  return random.pick(rows);
}

const ATTEMPTS: Readonly<Record<string, (attacker: Attacker) => Promise<unknown>>> = {
  'change the content of an event': async (attacker) => {
    const { seq, payload } = attacker.random.pick(await eventsOf(attacker));
    await attacker.sql('update audit_events set payload = $3 where org_id = $1 and seq = $2', [
      attacker.orgId,
      seq,
      forgedPayload(attacker, payload ?? ''),
    ]);
  },
  'change a column of an event': async (attacker) => {
    const column = attacker.random.pick(['actor', 'action', 'subject_type', 'subject_id']);
    const { seq } = attacker.random.pick(await eventsOf(attacker));
    await attacker.sql(`update audit_events set ${column} = 'other' where org_id = $1 and seq = $2`, [
      attacker.orgId,
      seq,
    ]);
  },
  'move an event in time': async (attacker) => {
    const { seq } = attacker.random.pick(await eventsOf(attacker));
    const column = attacker.random.pick(['at', 'made_at']);
    await attacker.sql(
      `update audit_events set ${column} = ${column} + interval '1 millisecond' where org_id = $1 and seq = $2`,
      [attacker.orgId, seq],
    );
  },
  'assign an event to another run': async (attacker) => {
    const { seq } = attacker.random.pick(await eventsOf(attacker));
    await attacker.sql('update audit_events set run_id = $3 where org_id = $1 and seq = $2', [
      attacker.orgId,
      seq,
      randomUUID(),
    ]);
  },
  'move an event to another organization': async (attacker) => {
    const events = await eventsOf(attacker);
    const { seq } = attacker.random.pick(events);
    await attacker.sql('update audit_events set org_id = $3, seq = seq + 100000 where org_id = $1 and seq = $2', [
      attacker.orgId,
      seq,
      attacker.otherOrg,
    ]);
    if (attacker.random.coin())
      await rewrite(
        attacker,
        events.filter((event) => event.seq !== seq),
      );
  },
  'empty an event': async (attacker) => {
    const { seq } = attacker.random.pick(await eventsOf(attacker));
    const what = attacker.random.pick([
      'payload = null, salt = null',
      'payload = null',
      'salt = null',
      'mac = null, made_at = null',
    ]);
    await attacker.sql(`update audit_events set ${what} where org_id = $1 and seq = $2`, [attacker.orgId, seq]);
  },
  'replace an event and rewrite the trail': async (attacker) => {
    const events = await eventsOf(attacker);
    const at = attacker.random.below(events.length);
    const mac = attacker.random.pick([events[at]?.mac ?? null, createHash('sha256').update('forged').digest()]);
    await rewrite(
      attacker,
      events.map((event, n) =>
        n === at ? { ...event, payload: forgedPayload(attacker, event.payload ?? ''), mac } : event,
      ),
    );
  },
  'remove events and rewrite the trail': async (attacker) => {
    const events = await eventsOf(attacker);
    const from = attacker.random.below(events.length);
    await rewrite(attacker, events.toSpliced(from, 1 + attacker.random.below(3)));
  },
  'truncate the trail': async (attacker) => {
    const events = await eventsOf(attacker);
    await rewrite(attacker, events.slice(0, 1 + attacker.random.below(events.length - 1)));
  },
  'swap two events and rewrite the trail': async (attacker) => {
    const events = await eventsOf(attacker);
    const one = attacker.random.below(events.length - 1);
    const [first, second] = [events[one], events[one + 1]];
    if (!first || !second) throw new Error('no events');
    await rewrite(attacker, events.with(one, { ...second, at: first.at }).with(one + 1, { ...first, at: second.at }));
  },
  'append a forged event': async (attacker) => {
    const events = await eventsOf(attacker);
    const [like, last] = [attacker.random.pick(events), events.at(-1)];
    const mac = attacker.random.pick([like.mac, createHash('sha256').update('forged').digest()]);
    const forged = {
      ...like,
      at: (last?.at ?? 0n) + 1_000_000n,
      payload: forgedPayload(attacker, like.payload ?? ''),
      mac,
    };
    await rewrite(attacker, [...events, forged]);
  },
  'append an event again': async (attacker) => {
    const events = await eventsOf(attacker);
    await rewrite(attacker, [
      ...events,
      { ...attacker.random.pick(events), at: (events.at(-1)?.at ?? 0n) + 1_000_000n },
    ]);
  },
  'change a content': async (attacker) => {
    const { id } = await anyOf(attacker, 'workflow_versions');
    const set = attacker.random.pick([
      `steps = replace(steps::text, 'First', 'Worst')::json`,
      `metadata = jsonb_set(metadata, '{title}', '"Other"')`,
      `steps = replace(steps::text, 'First', 'Worst')::json, content_hash = '${'f'.repeat(64)}'`,
      `content_hash = '${'f'.repeat(64)}'`,
    ]);
    await attacker.sql(`update workflow_versions set ${set} where org_id = $1 and id = $2`, [attacker.orgId, id]);
  },
  'change the content that was approved': async (attacker) => {
    const { draft_id: id } = await anyOf(attacker, 'draft_contents');
    await attacker.sql(
      `update draft_contents set steps = replace(steps::text, 'First', 'Worst')::json where org_id = $1 and draft_id = $2`,
      [attacker.orgId, id],
    );
  },
  'change a review': async (attacker) => {
    const { id } = await anyOf(attacker, 'draft_reviews');
    const set = attacker.random.pick([
      `at = at - interval '3 days'`,
      `verdict = case verdict when 'approved' then 'changes_requested' else 'approved' end`,
      `reviewer_id = (select user_id from memberships m where m.org_id = $1 and m.user_id <> reviewer_id limit 1)`,
      `on_behalf_of = (select user_id from memberships m where m.org_id = $1 and m.user_id is distinct from on_behalf_of limit 1)`,
      `content_hash = '${'f'.repeat(64)}'`,
      `dismissed = not dismissed`,
      `by_token = not by_token`,
      `comment = comment || '!'`,
    ]);
    await attacker.sql(`update draft_reviews set ${set} where org_id = $1 and id = $2`, [attacker.orgId, id]);
  },
  'create or remove a review': async (attacker) => {
    const { id } = await anyOf(attacker, 'draft_reviews');
    if (attacker.random.coin())
      return attacker.sql('delete from draft_reviews where org_id = $1 and id = $2', [attacker.orgId, id]);
    return attacker.sql(
      `insert into draft_reviews (org_id, id, draft_id, reviewer_id, verdict, content_hash, at)
       select r.org_id, gen_random_uuid(), r.draft_id, m.user_id, 'approved', r.content_hash, r.at - interval '1 hour'
       from draft_reviews r join memberships m on m.org_id = r.org_id where r.org_id = $1 and r.id = $2 limit 1`,
      [attacker.orgId, id],
    );
  },
  'make another version live': async ({ sql, orgId, random }) => {
    const other = random.pick([
      'null',
      `(select id from workflow_versions v where v.org_id = $1 and v.id <> live_version_id and v.workflow_id = w.id limit 1)`,
    ]);
    await sql(`update workflows w set live_version_id = ${other} where org_id = $1 and live_version_id is not null`, [
      orgId,
    ]);
  },
  'change a membership': async (attacker) => {
    const { user_id: id, role } = await anyOf(attacker, 'memberships');
    if (attacker.random.coin())
      return attacker.sql('delete from memberships where org_id = $1 and user_id = $2', [attacker.orgId, id]);
    const other = attacker.random.pick(
      ['owner', 'admin', 'editor', 'reviewer', 'viewer'].filter((one) => one !== role),
    );
    return attacker.sql('update memberships set role = $3 where org_id = $1 and user_id = $2', [
      attacker.orgId,
      id,
      other,
    ]);
  },
  'change a group': async ({ sql, orgId, random }) => {
    const change = random.pick([
      `delete from group_members where org_id = $1`,
      `update group_members set added_at = added_at - interval '1 day' where org_id = $1`,
      `update group_members set added_by = array[user_id] where org_id = $1`,
      `insert into group_members select m.org_id, g.id, m.user_id, now(), array[m.user_id]
       from memberships m join groups g on g.org_id = m.org_id where m.org_id = $1 and m.role = 'editor'`,
      `update groups set slug = 'legal' where org_id = $1`,
      `delete from groups where org_id = $1`,
    ]);
    await sql(change, [orgId]);
  },
  'change a delegation': async ({ sql, orgId, random }) => {
    const change = random.pick([
      `delete from delegations where org_id = $1`,
      `update delegations set ends_at = ends_at + interval '1 day' where org_id = $1`,
      `update delegations set kinds = '{tasks,votes,reviews}' where org_id = $1`,
      `update delegations set ended_at = now() where org_id = $1`,
      `update delegations set from_user_id = to_user_id, to_user_id = from_user_id where org_id = $1`,
      `insert into delegations select org_id, gen_random_uuid(), to_user_id, from_user_id, starts_at, ends_at, null, kinds, null, reason
       from delegations where org_id = $1`,
    ]);
    await sql(change, [orgId]);
  },
  'become a member': ({ sql, orgId, otherOrg }) =>
    sql(
      `insert into memberships (org_id, user_id, role) select $1, user_id, 'owner' from memberships where org_id = $2 limit 1`,
      [orgId, otherOrg],
    ),
  'change a role, with a matching event': async (attacker) => {
    const { user_id: id } = await anyOf(attacker, 'memberships');
    await attacker.sql(
      `update memberships set role = case role when 'owner' then 'admin' else 'owner' end where org_id = $1 and user_id = $2`,
      [attacker.orgId, id],
    );
    const events = await eventsOf(attacker);
    const like = attacker.random.pick(events);
    const payload = auditPayload({
      actor: SYSTEM_ACTOR,
      action: 'member.role_changed',
      subject: { type: 'user', id: String(id) },
      data: { after: { role: 'owner' } },
    });
    await rewrite(attacker, [...events, { ...like, payload, at: (events.at(-1)?.at ?? 0n) + 1_000_000n }]);
  },
  'change a policy': ({ sql, orgId, random }) =>
    sql(
      `update organizations set ${random.pick([
        'required_approvals = required_approvals + 1',
        'required_approvals = 0',
        'strict = not strict',
        'editors_may_help = not editors_may_help',
        'resolved_comments = not resolved_comments',
        `simulated_steps = case simulated_steps when 'allowed' then 'refused' else 'allowed' end`,
        `working_hours = '{"timeZone":"UTC","week":[[],[],[],[],[],[],[]],"holidays":[]}'`,
      ])} where id = $1`,
      [orgId],
    ),
  'change the state of a run': async (attacker) => {
    const { id } = await anyOf(attacker, 'runs');
    const set = attacker.random.pick([
      `status = 'cancelled'`,
      `state = jsonb_set(state, '{status}', '"cancelled"'), status = 'cancelled'`,
      `state = jsonb_set(state, '{steps,step-1,state}', '"skipped"')`,
      `state = jsonb_set(state, '{startedAt}', '1')`,
      `state = state #- '{steps,step-2}'`,
    ]);
    await attacker.sql(`update runs set ${set} where org_id = $1 and id = $2`, [attacker.orgId, id]);
  },
  'store an unreadable value': async ({ sql, orgId, random }) => {
    const change = random.pick([
      `update runs set state = 'null' where org_id = $1`,
      `update audit_events set made_at = 'infinity' where org_id = $1 and seq = 3`,
      `update audit_events set payload = '{' where org_id = $1`,
      `update audit_events set at = '-infinity' where org_id = $1 and seq = 2`,
      `update workflow_versions set steps = '1' where org_id = $1`,
    ]);
    await sql(change, [orgId]);
  },
  'change who has a step': async ({ sql, orgId }) => {
    await sql('update run_steps set held_by = array[gen_random_uuid()] where org_id = $1', [orgId]);
  },
  'remove a run': async (attacker) => {
    const { id } = await anyOf(attacker, 'runs');
    await attacker.sql('delete from run_steps where org_id = $1 and run_id = $2', [attacker.orgId, id]);
    await attacker.sql('delete from runs where org_id = $1 and id = $2', [attacker.orgId, id]);
  },
};

/** Creates a team with members, a group, a delegation, versions, reviews and runs, and seals its trail. */
async function attackedTeam(server: TestServer): Promise<{ orgId: string; otherOrg: string }> {
  const { owner, orgId, ...members } = await teamOf(server, ['admin', 'editor', 'reviewer']);
  const other = await server.signUp();
  const { db } = server.server.deps;
  for (const [role, { user }] of Object.entries(members))
    await db.transaction({ orgId, userId: null }, async (tx) =>
      appendAudit(tx, [
        { actor: SYSTEM_ACTOR, action: 'member.joined', subject: { type: 'user', id: user.id }, data: { role } },
      ]),
    );
  await owner.post('/api/delegations', absence(members.reviewer));
  await owner.post('/api/groups', { name: 'Finance', slug: 'finance', members: [members.reviewer.user.id] });
  await publish(members.editor, members.reviewer, 'flow', stepsNamed('First', 'Second'));
  await publish(members.editor, members.reviewer, 'flow', stepsNamed('First', 'Second', 'Third'));
  for (let n = 0; n < 3; n += 1) {
    const { id } = await start(owner, 'flow');
    if (n > 0) await complete(owner, id, 'step-1');
  }
  await sealTrail(server.server.deps, orgId);
  return { orgId, otherOrg: other.user.currentOrgId ?? '' };
}

/**
 * Attacks the trail of a team with SQL as a superuser, `attempts` times, each time from the same state. `found` is the
 * finding of a full verification, or null if there is none. The unmodified trail is verified first.
 */
export async function attackTrail(
  server: TestServer,
  { seed, attempts }: { seed: number; attempts: number },
): Promise<Attempt[]> {
  const { orgId, otherOrg } = await attackedTeam(server);
  const random = randomOf(seed);
  const client = new pg.Client(server.database.connection);
  await client.connect();
  const sql = async (text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows;
  const verdict = async (): Promise<string | null> => {
    const ended = await verdictOn(server.server.deps, orgId);
    return ended.is === 'ended' && ended.found ? (ended.found.detail ?? ended.found.problem) : null;
  };
  const tried: Attempt[] = [];
  try {
    await sql('set session_replication_role = replica');
    for (const table of TABLES) await sql(`create table kept_${table} as select * from ${table}`);
    const intact = await verdict();
    if (intact !== null) throw new Error(`the trail is not intact before the attack: ${intact}`);
    for (let n = 0; n < attempts; n += 1) {
      const name = random.pick(Object.keys(ATTEMPTS));
      await ATTEMPTS[name]?.({ sql, orgId, otherOrg, random });
      tried.push({ name, found: await verdict() });
      for (const table of TABLES) await sql(`delete from ${table}`);
      for (const table of TABLES) {
        const columns = await storedColumns(sql, table);
        await sql(`insert into ${table} (${columns}) select ${columns} from kept_${table}`);
      }
    }
    return tried;
  } finally {
    await client.end();
  }
}

/** The columns of a table except generated ones, separated by commas. */
async function storedColumns(
  sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>,
  table: string,
): Promise<string> {
  const [found] = await sql(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return String(found?.['columns']);
}
