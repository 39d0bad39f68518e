import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { refusalOf } from '../db/refusal-of.ts';
import { type Refusal, Refused } from '../kernel/refused.ts';
import { answerTo } from './refusals.ts';

/** Maximum number of bytes that are read and discarded if a body is too large. */
const DRAINED_BYTES = 16 * 1024 * 1024;

/**
 * Responds to every error with `{error, code, details?}`. An unexpected error is logged, and the response reveals
 * nothing about it.
 */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => answerError(error, request, reply));
}

/** Responds to a single error. This includes errors that the router raises before it has found a route. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalFor(error);
  if (refusal.code === 'internal')
    request.log.error({ err: error, route: request.routeOptions.url }, 'unexpected failure');
  if (refusal.code === 'database_unavailable' || refusal.code === 'starting') void reply.header('retry-after', '1');
  if (refusal.code === 'too_many_requests' || refusal.code === 'busy')
    void reply.header('retry-after', String(refusal.retryAfterSeconds));
  if (refusal.code === 'range_not_satisfiable') void reply.header('content-range', `bytes */${refusal.size}`);
  // If the connection were closed while the client is still sending, the client would lose the response: a proxy would
  // respond with 502, and a browser would get nothing.
  if (refusal.code === 'too_large' && Number(request.headers['content-length']) <= DRAINED_BYTES)
    void reply.removeHeader('connection');
  const { status, body } = answerTo(refusal);
  return reply.code(status).send(body);
}

function refusalFor(error: FastifyError): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (hasZodFastifySchemaValidationErrors(error)) {
    // An id with the wrong format matches nothing.
    if (error.validationContext === 'params') return { code: 'not_found', what: 'route' };
    const problems = error.validation.slice(0, 50).map(({ instancePath, message }) => ({
      field: instancePath.replace(/^\//, '').replaceAll('/', '.'),
      problem: message ?? 'is not valid',
    }));
    return { code: 'invalid', problems };
  }
  const lost = refusalOf(error);
  if (lost) return lost.refusal;
  switch (error.statusCode) {
    case 413:
      return { code: 'too_large' };
    case 415:
      return { code: 'unsupported_media_type' };
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? { code: 'malformed_request' }
        : { code: 'internal' };
  }
}
