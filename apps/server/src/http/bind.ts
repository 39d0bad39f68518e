import { type ContractKey, type RouteSpec, contract } from '@stet/contract';
import { ORG_ROLES, PERMISSION_NAMES } from '@stet/domain/access';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assertMay } from './assert-may.ts';
import { answerOnce } from './idempotency.ts';
import type { Once } from '../kernel/database.ts';
import { type Actor, isInstallationAdmin } from '../kernel/actor.ts';
import { type Answer, savedText } from '../kernel/answer.ts';
import type { Deps } from '../kernel/deps.ts';
import { freeBuffer } from '../kernel/memory.ts';
import { Refused } from '../kernel/refused.ts';
import { authenticate } from './authenticate.ts';
import type { Handlers } from './handler.ts';
import { limitRate, networkOf } from './rate-limit.ts';
import { readBytes } from './read-bytes.ts';
import { assertStorable } from './storable.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
}

type AnyHandler = (deps: Deps, request: Record<string, unknown>) => Promise<Answer<unknown>>;

const DEFAULT_BODY_LIMIT = 256 * 1024;
const TEXT_TYPES = [
  'text/yaml',
  'text/x-yaml',
  'application/yaml',
  'application/x-yaml',
  'text/plain',
  'text/xml',
  'application/xml',
  'application/bpmn+xml',
  'application/json',
];

/** Binds every route of the contract to its use case. Throws if a route doesn't declare who can call it. */
export function bindRoutes(app: FastifyInstance, deps: Deps, handlers: Handlers): void {
  app.decorateRequest('actor', null);
  const all = Object.entries(contract) as [ContractKey, RouteSpec][];
  for (const [key, spec] of all) assertDeclared(key, spec);
  bindAll(
    app,
    deps,
    handlers,
    all.filter(([, { bodyKind }]) => bodyKind === undefined),
  );
  // Fastify selects body parsers by scope. In this scope, the text of a file remains text, even if it is JSON.
  void app.register(async (files) => {
    takeTexts(files);
    bindAll(
      files,
      deps,
      handlers,
      all.filter(([, { bodyKind }]) => bodyKind === 'text'),
    );
  });
  // A form isn't parsed, because Slack's signature covers its exact bytes.
  void app.register(async (forms) => {
    takeTexts(forms, ['application/x-www-form-urlencoded']);
    bindAll(
      forms,
      deps,
      handlers,
      all.filter(([, { bodyKind }]) => bodyKind === 'form'),
    );
  });
  void app.register(async (chunks) => {
    takeBytes(chunks);
    bindAll(
      chunks,
      deps,
      handlers,
      all.filter(([, { bodyKind }]) => bodyKind === 'bytes'),
    );
  });
}

function takeBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // The handler reads the body when it is the request's turn. Until then, the client waits.
  app.addContentTypeParser('application/octet-stream', (_request, _body, done) => done(null));
}

function takeTexts(app: FastifyInstance, types = TEXT_TYPES): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(types, { parseAs: 'string' }, (_request, body, done) => done(null, body));
}

function bindAll(app: FastifyInstance, deps: Deps, handlers: Handlers, routes: [ContractKey, RouteSpec][]): void {
  for (const [key, spec] of routes) {
    const [method = '', path = ''] = key.split(' ');
    const handler = handlers[key] as unknown as AnyHandler;
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: spec.bodyLimit ?? DEFAULT_BODY_LIMIT,
      schema: {
        summary: spec.summary,
        ...(spec.params && { params: spec.params }),
        ...(spec.query && { querystring: spec.query }),
        ...(spec.body && spec.bodyKind !== 'bytes' && { body: spec.body }),
      },
      config: { contractKey: key },
      // Token, session, membership and permission are checked before the body is read.
      onRequest: async (request) => {
        if (spec.access === 'public') return;
        const asks = spec.access === 'installation' ? 'session' : spec.access;
        request.actor = await authenticate(deps, request.headers.authorization, asks);
        assertAdministers(deps, request.actor, spec);
        assertTakesToken(request.actor, spec);
        assertMayCall(request.actor, spec);
        assertSameOrganization(request.actor, spec, request.headers['stet-organization']);
      },
      preValidation: async (request) => {
        // Fastify passes null for a missing body, but handlers expect undefined.
        if (request.body === null) request.body = undefined;
        assertStorable([request.params, request.query, request.body]);
      },
      // The rate limit is checked after validation, which is cheap, and before the use case, which may hash a password.
      preHandler: async (request) => {
        if (spec.rateLimit) await limitRate(deps, spec.rateLimit, request);
      },
      handler: async (request, reply) => {
        const given = requestOf(deps, request, reply, spec);
        const { actor } = request;
        const work = () =>
          spec.bodyKind === 'bytes'
            ? withBytes(deps, request, spec, (body) => handler(deps, { ...given, body }))
            : handler(deps, given);
        const once = spec.access === 'session' ? given.once : null;
        return send(reply, spec, actor && once ? await answerOnce(deps.db, actor.userId, once, work) : await work());
      },
    });
  }
}

function assertDeclared(key: string, spec: RouteSpec): void {
  const known: readonly string[] = ['public', 'session', 'installation', ...PERMISSION_NAMES];
  if (!known.includes(spec.access)) throw new Error(`${key} doesn't declare who can call it`);
}

/** For other signed-in people, the routes of the installation's administrators seem not to exist. */
function assertAdministers({ config }: Deps, actor: Actor, { access }: RouteSpec): void {
  if (access === 'installation' && !isInstallationAdmin(config, actor))
    throw new Refused({ code: 'not_found', what: 'route' });
}

function assertMayCall(actor: Actor, spec: RouteSpec): void {
  if (spec.access === 'public' || spec.access === 'session' || spec.access === 'installation') return;
  if (actor.orgId === null || actor.orgRole === null || !ORG_ROLES.includes(actor.orgRole)) {
    throw new Refused({ code: 'no_organization' });
  }
  assertMay({ ...actor, orgId: actor.orgId, orgRole: actor.orgRole }, spec.access);
}

/** Refuses API tokens, whatever their scopes, on routes that are only for sessions or for people. */
function assertTakesToken({ token }: Actor, { access, tokens }: RouteSpec): void {
  const takes = tokens ?? (access === 'session' ? 'none' : 'any');
  if (token && (takes === 'none' || (takes === 'personal' && token.kind !== 'personal')))
    throw new Refused({ code: 'not_for_tokens' });
}

/**
 * Refuses if the client names an organization other than the selected one. The person may have switched since the page
 * was loaded.
 */
function assertSameOrganization(actor: Actor, { access }: RouteSpec, shown: string | string[] | undefined): void {
  if (access !== 'session' && access !== 'installation' && shown !== undefined && shown !== actor.orgId)
    throw new Refused({ code: 'organization_changed' });
}

function requestOf(deps: Deps, request: FastifyRequest, reply: FastifyReply, spec: RouteSpec) {
  return {
    actor: request.actor,
    params: spec.params && request.params,
    query: spec.query && request.query,
    body: spec.body && request.body,
    // Chunks are idempotent because of their number, and they are too large to be compared as text.
    once: spec.access === 'public' || spec.bodyKind === 'bytes' ? null : onceOf(deps, request),
    ifMatch: ifMatchOf(request),
    ifNew: request.headers['if-none-match'] === '*',
    userAgent: request.headers['user-agent'] ?? '',
    headers: request.headers,
    address: networkOf(request.ip),
    // A function, because only a few use cases need the signal. With a getter, V8 would create a hidden class for each
    // request, which refers to the request and is collected only with the old generation.
    disconnection: () => disconnectionOf(reply),
  };
}

/** Reads a body of bytes when it is the organization's turn, so that all bodies together need little memory. */
async function withBytes<T>(
  { byteQueue }: Deps,
  { actor, raw }: FastifyRequest,
  { bodyLimit = DEFAULT_BODY_LIMIT }: RouteSpec,
  work: (body: Buffer) => Promise<T>,
): Promise<T> {
  const owner = actor?.orgId ?? '';
  return byteQueue.at(owner, async () => {
    const body = await readBytes(raw, bodyLimit);
    const result = await work(body);
    // If saving fails, PostgreSQL's socket may still be sending the bytes, so the buffer is freed only after a success.
    freeBuffer(body);
    return result;
  });
}

function disconnectionOf({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!raw.writableFinished) controller.abort();
  };
  if (raw.destroyed) onClose();
  else raw.once('close', onClose);
  return controller.signal;
}

function onceOf({ derive }: Deps, request: FastifyRequest): Once | null {
  const key = request.headers['idempotency-key'];
  if (request.method !== 'POST' || key === undefined) return null;
  if (typeof key !== 'string' || key.length < 1 || key.length > 200) {
    throw new Refused({
      code: 'invalid',
      problems: [{ field: 'Idempotency-Key', problem: 'must be 1 to 200 characters long' }],
    });
  }
  // The digest is keyed because a body may contain a password, which could be guessed from a plain digest.
  const digest = derive('request', request.url, JSON.stringify(request.body ?? null)).toString('hex');
  return { key, digest };
}

function ifMatchOf(request: FastifyRequest): number | null {
  const header = request.headers['if-match'];
  if (header === undefined || header === '*') return null;
  const revision = /^(?:W\/)?"(\d{1,9})"$/.exec(header)?.[1];
  if (revision === undefined) {
    throw new Refused({
      code: 'invalid',
      problems: [{ field: 'If-Match', problem: 'must be a revision, for example "3"' }],
    });
  }
  return Number(revision);
}

function send(reply: FastifyReply, spec: RouteSpec, { body, headers, status }: Answer<unknown>): FastifyReply {
  void reply.code(status ?? spec.status ?? 200).headers(headers ?? {});
  // If a route has several formats, the handler sets the content type.
  if ('contentType' in spec.ok && !reply.hasHeader('content-type')) void reply.type(spec.ok.contentType);
  const text = savedText(body);
  return text === undefined ? reply.send(body) : reply.type('application/json; charset=utf-8').send(text);
}
