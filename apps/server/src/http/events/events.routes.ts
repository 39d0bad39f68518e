import { answer } from '../../kernel/answer.ts';
import type { Handlers } from '../handler.ts';

export const eventHandlers = {
  'GET /api/events': async ({ live }, { actor, query }) => {
    const { userId, name, sessionId, orgId } = actor;
    const stream = live.open({ userId, name, sessionId, orgId, runId: query.run ?? null });
    // A buffering proxy would delay events, and a keep-alive connection would delay a shutdown.
    return answer(stream, { 'x-accel-buffering': 'no', connection: 'close' });
  },
} satisfies Partial<Handlers>;
