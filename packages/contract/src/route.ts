import type { Permission } from '@stet/domain/access';
import type { z } from 'zod';

/**
 * The callers of a route: anyone (`public`), anyone signed in (`session`), administrators of the installation
 * (`installation`; everyone else gets 404), or anyone with the permission in the selected organization. A route without
 * access doesn't compile, and the server refuses to start.
 */
export type RouteAccess = 'public' | 'session' | 'installation' | Permission;

/**
 * The maximum number of calls of a route within a window: per address and, with `perAccount`, per account. The account
 * is the signed-in person, otherwise the email or token in the request. Above the limit the response is 429.
 */
export type RateLimit = {
  /** Routes with the same name share one limit. */
  name: string;
  perAddress: number;
  perAccount?: number;
  windowSeconds: number;
};

/** One HTTP operation: its input, its output and who may call it. */
export type RouteSpec = {
  access: RouteAccess;
  /**
   * Which API tokens may call the route. Default: every token with the permission, and none if the access is `session`
   * or `installation`. `personal` excludes an organization's own tokens, for calls that only a person can make.
   */
  tokens?: 'none' | 'personal' | 'any';
  /** One line for the API documentation. */
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** `text` for a plain-text body, `form` for an unparsed form, `bytes` for a part of a file; JSON by default. */
  bodyKind?: 'text' | 'form' | 'bytes';
  /** The response body's schema, or its content type if it isn't JSON. */
  ok: z.ZodType | { contentType: string };
  /** 200 by default. */
  status?: 200 | 201 | 204 | 302;
  /** In bytes. If absent, the server's default. */
  bodyLimit?: number;
  /** Unlimited if absent. */
  rateLimit?: RateLimit;
};

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
/** `POST /api/runs/{id}/complete`. */
type RouteKey = `${Method} /${string}`;
export type Routes = Record<RouteKey, RouteSpec>;
