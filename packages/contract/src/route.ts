import type { Permission } from '@stet/domain/access';
import type { z } from 'zod';

/**
 * Who may call a route: anyone (`public`), anyone signed in (`session`), or a holder of the permission in the
 * selected organization. A route without it doesn't compile, and the server doesn't start.
 */
export type RouteAccess = 'public' | 'session' | Permission;

/**
 * How often a route may be called within a window: from one address, and, with `perAccount`, for one account, which is
 * the signed-in person, else the e-mail or the token that the call names. Past it the answer is 429 (rulings, section 2).
 */
export type RateLimit = {
  /** Routes that share a name share their counts. */
  name: string;
  perAddress: number;
  perAccount?: number;
  windowSeconds: number;
};

/** One HTTP operation: what goes in, what comes out, who may call it. */
export type RouteSpec = {
  access: RouteAccess;
  /**
   * Which API tokens may make the call: where absent, all that have the permission, and none where that is `session`.
   * `personal` keeps out an organization's own, for what only a person can say or has.
   */
  tokens?: 'none' | 'personal' | 'any';
  /** One line for the API document. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** `text` where the body is a text of its own kind, `form` where it is a form, as it was sent; JSON where absent. */
  bodyKind?: 'text' | 'form';
  /** The answer's body; a content type where it isn't JSON. */
  ok: z.ZodType | { contentType: string };
  /** 200 where absent. */
  status?: 200 | 201 | 204 | 302;
  /** Bytes; the server's default where absent. */
  bodyLimit?: number;
  /** As often as one likes where absent. */
  rateLimit?: RateLimit;
};

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** `POST /api/runs/{id}/complete`. */
type RouteKey = `${Method} /${string}`;
export type Routes = Record<RouteKey, RouteSpec>;
