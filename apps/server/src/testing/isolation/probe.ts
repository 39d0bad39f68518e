import type { ContractKey } from '@stet/contract';
import { type Inputs, addressOf, fieldsOf, routes } from '../routes.ts';
import type { Reply } from '../server.ts';
import { canCall, canDo } from './may-call.ts';
import { PROBES, type Probe } from './probes.ts';
import type { Principal } from './principals.ts';
import { KEY, NAME, type Theirs } from './zephyrine.ts';

/** Descriptions of the wrong responses that the caller got. Empty if all were correct. */
type Findings = string[];
/** Strings that must not appear in any response, unless the probe says that it repeats them (`echoes`). */
export type Canaries = readonly string[];

const ACCESS_REFUSALS = [
  'forbidden',
  'token_scope',
  'not_for_tokens',
  'no_organization',
  'not_assigned',
  'not_delegated',
  'owners_only',
];
const codeOf = ({ body }: Reply<unknown>): string => (body as { code?: string } | null)?.code ?? '';

export async function ask(who: Principal, key: ContractKey, inputs: Inputs): Promise<Reply<unknown>> {
  const { method, path } = addressOf(key, inputs);
  return who.client.call(method, path, inputs.body, inputs.headers);
}

/** A stranger requests Zephyrine's data. */
export async function reach(who: Principal, key: ContractKey, probe: Probe, canaries: Canaries): Promise<Findings> {
  const reply = await ask(who, key, probe);
  const { echoes = [] } = probe;
  const findings = leaksIn(
    reply,
    canaries.filter((canary) => !echoes.includes(canary)),
  );
  const isIn = canCall(who.standing, key);
  if (!isIn) findings.push(...accessRefusal(who, reply));
  else if ((probe.answer === 400 || probe.answer === 403 || probe.answer === 409) && reply.status !== probe.answer)
    findings.push(`${reply.status} instead of ${probe.answer}`);
  else if (probe.answer === 404 && codeOf(reply) !== 'not_found')
    findings.push(`${reply.status} ${codeOf(reply)} instead of 404`);
  else if (probe.answer === 'empty' && JSON.stringify(reply.body) !== '[]') findings.push('a list that is not empty');
  // Tokens may lack another permission that the call requires.
  else if (probe.answer === 'only mine' && who.standing.kind === 'person' && [401, 403].includes(reply.status))
    findings.push(`${reply.status} for the caller’s own data`);
  return findings.map((finding) => describe(who, key, probe, finding));
}

/** Sends a request with Zephyrine's ids, and the same request with unknown ids. The responses must not differ. */
export async function compareWithUnknownIds(
  who: Principal,
  key: ContractKey,
  probe: Probe,
  theirs: Theirs,
): Promise<Findings> {
  if (probe.answer !== 404 && probe.answer !== 400 && probe.answer !== 409) return [];
  const [one, other] = [await ask(who, key, probe), await ask(who, key, withUnknownIds(probe, theirs))];
  const same = one.status === other.status && JSON.stringify(one.body) === JSON.stringify(other.body);
  return same ? [] : [describe(who, key, probe, `${one.status}, but ${other.status} for an unknown id`)];
}

/** Sends requests with malformed ids, which the server must refuse. */
export async function sendMalformedIds(
  who: Principal,
  key: ContractKey,
  theirs: Theirs,
  canaries: Canaries,
): Promise<Findings[]> {
  const spec = routes.find(([known]) => known === key)?.[1];
  const names = fieldsOf(spec?.params);
  const queries = fieldsOf(spec?.query);
  const found: Findings[] = [];
  for (const value of [`' or '1'='1`, '../../x', '\u0000', `${theirs.runId.toUpperCase()} `, '{"$ne":null}']) {
    const inputs: Inputs = {
      params: Object.fromEntries(names.map((name) => [name, value])),
      // Any text is valid for a search.
      ...(names.length === 0 && {
        query: Object.fromEntries(queries.filter((name) => name !== 'q').map((name) => [name, value])),
      }),
    };
    if (names.length === 0 && queries.every((name) => name === 'q')) continue;
    const reply = await ask(who, key, inputs);
    const findings = leaksIn(reply, canaries);
    if (!canCall(who.standing, key)) findings.push(...accessRefusal(who, reply));
    else if (reply.status < 400) findings.push(`${reply.status} for an invalid id`);
    found.push(findings.map((finding) => describe(who, key, inputs, finding)));
  }
  return found;
}

/**
 * A stranger reads their own data. The response must contain none of Zephyrine's data. `isRead` is true if the request
 * succeeded.
 */
export async function readOwn(
  who: Principal,
  key: ContractKey,
  own: Probe,
  canaries: Canaries,
): Promise<{ findings: Findings; isRead: boolean }> {
  const reply = await ask(who, key, own);
  const findings = leaksIn(reply, canaries);
  if (!canCall(who.standing, key)) findings.push(...accessRefusal(who, reply));
  return { findings: findings.map((finding) => describe(who, key, own, finding)), isRead: reply.status < 300 };
}

/**
 * A member, or a token of the organization, tries a call without permission. Null if the call is allowed, in which case
 * it isn't tried.
 */
export async function overstep(who: Principal, key: ContractKey, theirs: Theirs): Promise<Findings | null> {
  if (canDo(who.standing, key)) return null;
  const isVote = key.endsWith('/approve') || key.endsWith('/reject');
  const at =
    isVote && key.includes('/steps/') ? { ...theirs, runId: theirs.voteRunId, stepId: theirs.voteStepId } : theirs;
  const findings: Findings = [];
  const probes = PROBES[key]?.(at) ?? [];
  // If the permission depends on the subject, only the first probe requires it.
  for (const probe of canCall(who.standing, key) ? probes.slice(0, 1) : probes.slice(0, 2)) {
    const reply = await ask(who, key, probe);
    findings.push(...accessRefusal(who, reply).map((finding) => describe(who, key, probe, finding)));
  }
  return findings;
}

function accessRefusal({ standing }: Principal, reply: Reply<unknown>): Findings {
  const due = standing.kind === 'nobody' ? 401 : standing.kind === 'no_organization' ? 409 : 403;
  const isRefused = reply.status === due && (due === 401 || ACCESS_REFUSALS.includes(codeOf(reply)));
  return isRefused ? [] : [`${reply.status} ${codeOf(reply)} instead of ${due}`];
}

function leaksIn(reply: Reply<unknown>, canaries: Canaries): Findings {
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
  const leaks = canaries.filter((canary) => text.includes(canary)).map((canary) => `contains ${canary}`);
  return reply.status >= 500 ? [...leaks, `${reply.status}`] : leaks;
}

function withUnknownIds(probe: Probe, theirs: Theirs): Probe {
  let text = JSON.stringify(probe).replaceAll(KEY, 'nobodys-hiring').replaceAll(NAME, 'Nobody');
  for (const [name, id] of Object.entries(theirs)) {
    if (name.startsWith('my')) continue;
    // Changes an id without changing its format: a UUID gets other digits, and a name gets a prefix.
    text = text.replaceAll(
      id,
      /^[0-9a-f-]{36}$/.test(id) ? `${id.slice(0, 19)}bfff-${id.slice(24, 35)}0` : `nobodys-${id}`,
    );
  }
  return JSON.parse(text) as Probe;
}

const describe = ({ name }: Principal, key: string, inputs: Inputs, finding: string): string =>
  `${key} by ${name}: ${finding} (${JSON.stringify(inputs)})`;
