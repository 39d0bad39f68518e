import type { RunActor } from '@stet/domain/runs';
import { by, type OrgActor } from '../../kernel/actor.ts';

/** Who acts, as a run records it. */
export const runActorOf = (actor: OrgActor): RunActor => by(actor).actor;
