import { z } from 'zod';
import type { Routes } from './route.ts';

export const systemRoutes = {
  'GET /api/health': { access: 'public', summary: 'The process is running', ok: z.object({ status: z.literal('ok') }) },
  'GET /api/ready': {
    access: 'public',
    summary: 'The process is ready for traffic',
    ok: z.object({ status: z.literal('ready') }),
  },
} satisfies Routes;
