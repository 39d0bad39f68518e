import type { Handlers } from '../../http/handler.ts';
import type { SessionActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import type { Administration, Deps } from '../../kernel/deps.ts';
import { Refused } from '../../kernel/refused.ts';
import { readSignUp } from '../../kernel/config.ts';
import { findSignUp } from '../accounts/index.ts';
import { changeSignUp, inWords } from './sign-up.ts';
import { changeJobs } from './jobs.ts';
import { changeDelivery } from './deliveries.ts';
import { listDeliveries, listJobs, listOrganizations, listPeople, reasonOf } from './lists.ts';
import { type Account, type By, changeDisabled, endSessions, sendResetLink } from './people.ts';

const MAX_LISTED = 100;

/** The access of administrators. Refuses with `not_found` if the installation has no administrators. */
function administrationOf({ administration }: Deps): Administration {
  if (!administration) throw new Refused({ code: 'not_found', what: 'route' });
  return administration;
}

const byOf = ({ userId: id, name, email }: SessionActor): By => ({ kind: 'user', id, name, email });

/** Reads one row more than fits on the page, to find out whether there is another page. */
const pageOf = ({ limit, cursor, q }: { limit: number; cursor?: string | undefined; q?: string | undefined }) => ({
  before: cursor ?? null,
  limit: limit + 1,
  q: q || null,
});

const answerPage = <Row extends { id: string }, Shown>(
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => Shown,
) => {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return answer(page.map(present), rows.length > limit && last ? { 'x-next-cursor': last.id } : {});
};

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const administrationHandlers = {
  'GET /api/installation': async (deps) => {
    const { version, config, gauges } = deps;
    const [[counts], { lastBackup, database }, { signUp, change }] = await Promise.all([
      administrationOf(deps).query<{ organizations: number; people: number }>(
        'select (select count(*)::int from organizations) as organizations, (select count(*)::int from users) as people',
      ),
      gauges(),
      findSignUp(deps),
    ]);
    const { success, failure } = lastBackup;
    return answer({
      ...version,
      signUp: signUp.kind,
      signUpDomains: signUp.kind === 'domains' ? [...signUp.domains] : [],
      signUpChange: change && { at: change.at.toISOString(), by: change.by },
      passwordSignIn: config.passwordSignIn,
      organizations: counts?.organizations ?? 0,
      people: counts?.people ?? 0,
      jobs: database?.jobs ?? { due: 0, running: 0, failed: 0 },
      backup: success && { at: success.at, bytes: success.bytes, verified: success.verified },
      backupProblem: failure?.problem ?? null,
    });
  },
  'GET /api/installation/organizations': async (deps, { query }) => {
    const rows = await listOrganizations(administrationOf(deps).query, pageOf(query));
    return answerPage(rows, query.limit, ({ lastEventAt, endsAt, ...row }) => ({
      ...row,
      lastEventAt: iso(lastEventAt),
      endsAt: iso(endsAt),
    }));
  },
  'GET /api/installation/people': async (deps, { query }) => {
    const rows = await listPeople(administrationOf(deps).query, pageOf(query));
    return answerPage(
      rows,
      query.limit,
      ({ id, email, name, lastSeenAt, sessions, provedBy, disabledAt, memberships }) => ({
        id,
        email,
        name,
        lastSeenAt: iso(lastSeenAt),
        sessions,
        isProved: provedBy !== null,
        disabledAt: iso(disabledAt),
        organizations: memberships.map(({ name: organization, role }) => ({ name: organization, role })),
      }),
    );
  },
  'POST /api/installation/people/{id}': async (deps, { actor, params, body }) => {
    const administration = administrationOf(deps);
    const [account] = await administration.query<Account>(
      `select id, email, name, selected_org(id) as "orgId", disabled_at is not null as "isDisabled" from users where id = $1`,
      [params.id],
    );
    if (!account) throw new Refused({ code: 'not_found', what: 'account' });
    if (body.action === 'disable' && account.id === actor.userId)
      throw new Refused({
        code: 'invalid',
        problems: [{ field: 'action', problem: 'can’t be used on your own account' }],
      });
    const message = await ACTIONS[body.action](administration, account, byOf(actor));
    log(deps, actor, { action: body.action, userId: account.id });
    deps.pokeOutbox();
    return answer({ message });
  },
  'GET /api/installation/jobs': async (deps) => {
    const states = ['failed', 'retrying'] as const;
    const rows = await listJobs(administrationOf(deps).query, { states, limit: MAX_LISTED });
    return answer(
      rows.map(({ id, task, state, attempts, runAt, reason }) => ({
        id,
        task,
        state,
        attempts,
        runAt: runAt.toISOString(),
        reason: reason?.split('\n', 1)[0] ?? null,
      })),
    );
  },
  'POST /api/installation/jobs/{id}': async (deps, { actor, params, body }) => {
    const [changed] = await changeJobs(administrationOf(deps), body.action, [params.id], { actor: byOf(actor) });
    if (!changed) throw new Refused({ code: 'not_found', what: 'job' });
    log(deps, actor, { action: `job_${body.action}`, job: params.id, task: changed.task });
    return answer({ message: body.action === 'retry' ? 'The job will be tried again now.' : 'The job was dropped.' });
  },
  'GET /api/installation/deliveries': async (deps) => {
    const rows = await listDeliveries(administrationOf(deps).query, MAX_LISTED);
    return answer(
      rows.map(({ id, organization, webhook, action, state, attempts, createdAt, ...row }) => ({
        id,
        organization,
        webhook,
        action,
        state,
        attempts,
        createdAt: createdAt.toISOString(),
        reason: reasonOf(row),
      })),
    );
  },
  'POST /api/installation/deliveries/{id}/retry': async (deps, { actor, params }) => {
    const outcome = await changeDelivery(administrationOf(deps), 'retry', params.id, byOf(actor));
    if (outcome !== 'changed') throw new Refused({ code: 'not_found', what: 'delivery' });
    log(deps, actor, { action: 'delivery_retry', delivery: params.id });
    deps.pokeOutbox();
    return answer({ message: 'The delivery will be sent now.' });
  },
  'POST /api/installation/deliveries/{id}/drop': async (deps, { actor, params }) => {
    const outcome = await changeDelivery(administrationOf(deps), 'drop', params.id, byOf(actor));
    if (outcome !== 'changed') throw new Refused({ code: 'not_found', what: 'delivery' });
    log(deps, actor, { action: 'delivery_drop', delivery: params.id });
    deps.pokeOutbox();
    return answer({ message: 'The delivery was dropped.' });
  },
  'POST /api/installation/sign-up': async (deps, { actor, body }) => {
    const { ownerDb } = administrationOf(deps);
    const read = body.signUp === null ? null : readSignUp(body.signUp);
    if (read !== null && 'problem' in read)
      throw new Refused({ code: 'invalid', problems: [{ field: 'signUp', problem: read.problem }] });
    await changeSignUp(ownerDb, body.signUp, actor.email);
    log(deps, actor, { action: 'sign_up', signUp: body.signUp ?? 'SIGN_UP' });
    return answer({ message: inWords(read ?? deps.config.signUp) });
  },
} satisfies Partial<Handlers>;

type Action = (administration: Administration, account: Account, by: By) => Promise<string>;

const ACTIONS: Record<'end_sessions' | 'send_reset_link' | 'disable' | 'enable', Action> = {
  end_sessions: async (administration, account, by) => {
    await endSessions(administration, account, by);
    return `All sessions of ${account.email} have ended.`;
  },
  send_reset_link: async (administration, account, by) => {
    if (account.isDisabled) throw new Refused({ code: 'account_disabled' });
    await sendResetLink(administration, account, by);
    return `A link will be sent to ${account.email}.`;
  },
  disable: async (administration, account, actor) => {
    await changeDisabled(administration, account, { isDisabled: true, actor });
    return `${account.email} is disabled: sessions and personal API tokens have ended.`;
  },
  enable: async (administration, account, actor) => {
    await changeDisabled(administration, account, { isDisabled: false, actor });
    return `${account.email} can sign in again.`;
  },
};

/** Logs an administrator's change, because a change that concerns no organization is in no trail. */
function log(deps: Deps, { userId, email }: SessionActor, done: object): void {
  deps.log.info(
    { event: 'administration', administrator: { userId, email }, ...done },
    'an administrator changed the installation',
  );
}
