import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { BodyOf, Contract, ContractKey, OkOf, ParamsOf, QueryOf } from '@stet/contract';
import type { Once } from '../kernel/database.ts';
import type { Actor, OrgActor, SessionActor } from '../kernel/actor.ts';
import type { Answer } from '../kernel/answer.ts';
import type { Deps } from '../kernel/deps.ts';

type ActorOf<K extends ContractKey> = Contract[K]['access'] extends 'public'
  ? null
  : Contract[K]['access'] extends 'session' | 'installation'
    ? Contract[K] extends { tokens: 'any' }
      ? Actor
      : SessionActor
    : Contract[K] extends { tokens: 'none' }
      ? OrgActor & SessionActor
      : OrgActor;

/** The input of a use case: the validated values and the actor. */
export type RequestOf<K extends ContractKey> = {
  actor: ActorOf<K>;
  params: ParamsOf<K>;
  query: QueryOf<K>;
  body: BodyOf<K>;
  /** The idempotency key of a POST request. Null if none was sent, on public routes and for chunks of a file. */
  once: Once | null;
  /** The revision in the If-Match header. Null if none was sent, and for `*`. */
  ifMatch: number | null;
  /** True for `If-None-Match: *`, which requires a new resource. */
  ifNew: boolean;
  /** The User-Agent header; empty if absent. */
  userAgent: string;
  /** The network of the caller: an IPv4 address, or the /64 of an IPv6 address. */
  address: string;
  /** Returns a signal that is aborted if the client disconnects before it has received the whole response. */
  disconnection: () => AbortSignal;
  /** Request headers, for values outside the contract: cookies, and signatures of requests from Slack. */
  headers: IncomingHttpHeaders;
};

/** A use case that is bound to a route. Responses that aren't JSON are bytes or a stream of bytes. */
export type Handler<K extends ContractKey> = (
  deps: Deps,
  request: RequestOf<K>,
) => Promise<Answer<OkOf<K> extends undefined ? Buffer | Readable : OkOf<K>>>;

/** A handler for every route of the contract. If one is missing, the code doesn't compile. */
export type Handlers = { [K in ContractKey]: Handler<K> };
