import type { RunActor } from '@stet/domain/runs';
import { by, type OrgActor, peopleOf } from '../../kernel/actor.ts';

/** Who acts, as a run records it, with all whose act it is as well. */
export function runActorOf(actor: OrgActor): RunActor {
  const also = peopleOf(actor).slice(1);
  return { ...by(actor).actor, ...(also.length > 0 && { also }) };
}
