import type { Handlers } from '../../http/handler.ts';
import { tryScript } from './try-script.ts';

export const scriptHandlers = {
  'POST /api/workflows/script-trial': tryScript,
} satisfies Partial<Handlers>;
