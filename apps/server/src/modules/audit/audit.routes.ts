import type { Handlers } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';

export const auditHandlers = {
  'GET /api/audit/export.pdf': async () => answer(Buffer.from('')),
} satisfies Partial<Handlers>;
