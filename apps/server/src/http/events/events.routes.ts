import { answer } from '../../kernel/answer.ts';
import type { Handlers } from '../handler.ts';

export const eventHandlers = {
  'GET /api/events': async ({ live }, { actor, query }) => {
    const { userId, name, sessionId, orgId } = actor;
    const stream = live.open({ userId, name, sessionId, orgId, runId: query.run ?? null });
    // Proxies that buffer would delay events. Keep-alive connections would delay a shutdown after the stream.
    return answer(stream, { 'x-accel-buffering': 'no', connection: 'close' });
  },
} satisfies Partial<Handlers>;
