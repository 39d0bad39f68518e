import { z } from 'zod';
import type { Routes } from './route.ts';

export const systemRoutes = {
  'GET /api/health': { access: 'public', summary: 'The process is running', ok: z.object({ status: z.literal('ok') }) },
  'GET /api/ready': {
    access: 'public',
    summary: 'The process is ready for traffic',
    ok: z.object({ status: z.literal('ready') }),
  },
  'GET /api/version': {
    access: 'public',
    summary: 'The version of the server',
    ok: z.object({
      version: z.string(),
      /** 12 hex digits of the commit, with `-dirty` if files were changed before the build; null if unknown. */
      commit: z.string().nullable(),
      /** The last migration of the database. */
      schema: z.string(),
    }),
  },
} satisfies Routes;
