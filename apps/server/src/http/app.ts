import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { problemWords } from '@stet/contract';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Config } from '../kernel/config.ts';
import type { Deps } from '../kernel/deps.ts';
import { Refused } from '../kernel/refused.ts';
import { bindRoutes } from './bind.ts';
import { answerError, answerErrors } from './errors.ts';
import type { Handlers } from './handler.ts';
import { openMetrics } from './metrics.ts';
import { serveApiDocument } from './openapi.ts';
import { serveWeb } from './static.ts';

/** The lifecycle of the process. Except for health checks and metrics, it accepts requests only when it is `ready`. */
export type Readiness = { state: 'starting' | 'ready' | 'stopping' };

const ALWAYS_ANSWERED = new Set(['/api/health', '/metrics']);

type AppParts = {
  deps: Deps;
  handlers: Handlers;
  readiness: Readiness;
  /** Directory of the built web app. If it is null, only the API is served. */
  webRoot: string | null;
};

/** Builds the HTTP server with all its routes. Throws if a route doesn't declare who can call it. */
export async function buildApp({ deps, handlers, readiness, webRoot }: AppParts): Promise<FastifyInstance> {
  const { log, config } = deps;
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({
    loggerInstance,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Our own proxies add the last entries of X-Forwarded-For. Clients can forge the entries before them.
    trustProxy: (_address, hop) => hop < config.trustProxy,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 256 * 1024,
    return503OnClosing: false,
    // A malformed URL matches no route. Without this, Fastify would respond with its own message.
    frameworkErrors: (error: FastifyError, request: unknown, reply: unknown) =>
      void answerError(error, request as FastifyRequest, reply as FastifyReply),
    routerOptions: { maxParamLength: 200 },
  });
  z.config({ customError: problemWords });
  app.setValidatorCompiler(absentBodies(validatorCompiler));
  // Routes don't accept plain text, except for those with their own parser.
  app.removeContentTypeParser('text/plain');
  app.setSerializerCompiler(serializerCompiler);
  answerErrors(app);
  const fixedHeaders = await securityHeaders(config);
  app.addHook('onRequest', async (request, reply) => {
    for (const [name, value] of fixedHeaders) reply.raw.setHeader(name, value);
    void reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store');
    const path = request.url.split('?', 1)[0] ?? '';
    if (readiness.state !== 'ready' && !ALWAYS_ANSWERED.has(path)) throw new Refused({ code: readiness.state });
    // The embedded PostgreSQL can still write to files that were deleted, so a change could seem to be saved and then
    // be lost.
    if (config.databaseUrl === undefined && deps.dataDirectoryProblem() !== null && !ALWAYS_ANSWERED.has(path))
      throw new Refused({ code: 'data_directory_unavailable' });
    // Compressed bodies are refused instead of decompressed, so that a small body can't expand to a very large one.
    const coding = request.headers['content-encoding'];
    if (coding !== undefined && coding !== 'identity') throw new Refused({ code: 'unsupported_media_type' });
  });
  app.addHook('onSend', async (_request, reply) => {
    // Idle keep-alive connections would delay a shutdown.
    if (readiness.state === 'stopping') void reply.header('connection', 'close');
  });
  app.addHook('onResponse', async (request, reply) => {
    // Logs the pattern of the route and never the URL, because paths and queries can contain tokens and addresses.
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });
  openMetrics(app, deps);
  await serveApiDocument(app);
  bindRoutes(app, deps, handlers);
  await serveWeb(app, webRoot);
  await app.ready();
  return app;
}

/**
 * The headers that protect browsers. They are the same for all responses, so they are determined once. The plugin would
 * build its policy again for every request.
 */
async function securityHeaders(config: Config): Promise<[string, string][]> {
  const app = Fastify();
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // The component library positions popups with style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: config.publicUrl?.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  app.get('/', async () => '');
  const { headers } = await app.inject('/');
  await app.close();
  const ofContent = ['content-type', 'content-length', 'date', 'connection'];
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || ofContent.includes(name) ? [] : [[name, String(value)]],
  );
}

/**
 * Fastify passes `null` to validation if a request has no body, but the schemas of optional bodies expect `undefined`.
 */
function absentBodies(compiler: typeof validatorCompiler): typeof validatorCompiler {
  return (route) => {
    const check = compiler(route);
    return route.httpPart === 'body' ? (body: unknown) => check(body ?? undefined) : check;
  };
}
