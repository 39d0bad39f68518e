import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { BodyOf, Contract, ContractKey, OkOf, ParamsOf, QueryOf } from '@stet/contract';
import type { Once } from '../kernel/database.ts';
import type { Actor, OrgActor, SessionActor } from '../kernel/actor.ts';
import type { Answer } from '../kernel/answer.ts';
import type { Deps } from '../kernel/deps.ts';

type ActorOf<K extends ContractKey> = Contract[K]['access'] extends 'public'
  ? null
  : Contract[K]['access'] extends 'session'
    ? Contract[K] extends { tokens: 'any' }
      ? Actor
      : SessionActor
    : Contract[K] extends { tokens: 'none' }
      ? OrgActor & SessionActor
      : OrgActor;

/** What a use case is handed: checked input and the person who asks. */
export type RequestOf<K extends ContractKey> = {
  actor: ActorOf<K>;
  params: ParamsOf<K>;
  query: QueryOf<K>;
  body: BodyOf<K>;
  /** The Idempotency-Key, where one came. */
  once: Once | null;
  /** The revision of If-Match, where one came. */
  ifMatch: number | null;
  /** `If-None-Match: *` came: what is made has to be new. */
  ifNew: boolean;
  /** What the browser says of itself; empty where it says nothing. */
  userAgent: string;
  /** For what no contract can name: cookies, and the signatures of calls from outside. */
  headers: IncomingHttpHeaders;
};

/** A use case bound to a route; answers that aren't JSON are bytes, or a stream of them. */
export type Handler<K extends ContractKey> = (
  deps: Deps,
  request: RequestOf<K>,
) => Promise<Answer<OkOf<K> extends undefined ? Buffer | Readable : OkOf<K>>>;

/** A binding for every route of the contract: a route without one doesn't compile. */
export type Handlers = { [K in ContractKey]: Handler<K> };
