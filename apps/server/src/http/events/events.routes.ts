import { answer } from '../../kernel/answer.ts';
import type { Handlers } from '../handler.ts';

export const eventHandlers = {
  'GET /api/events': async ({ live }, { actor, query }) => {
    const { userId, name, sessionId, orgId } = actor;
    const stream = live.open({ userId, name, sessionId, orgId, runId: query.run ?? null });
    // Buffering proxies would delay events; a connection kept alive after the stream would delay a stop.
    return answer(stream, { 'x-accel-buffering': 'no', connection: 'close' });
  },
} satisfies Partial<Handlers>;
