import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Refused } from '../kernel/refused.ts';

/** Serves the built web app: hashed files for a year, the page itself never from a cache; any other path is a screen of the app. */
export async function serveWeb(app: FastifyInstance, root: string | null): Promise<void> {
  const hasWeb = root !== null && existsSync(join(root, 'index.html'));
  if (hasWeb) {
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      index: false,
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        void reply.header(
          'cache-control',
          /[/\\]assets[/\\]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  app.setNotFoundHandler(async (request, reply) => {
    const isPage =
      hasWeb &&
      (request.method === 'GET' || request.method === 'HEAD') &&
      !/^\/(?:api|assets)(?:\/|$|\?)/.test(request.url);
    if (!isPage) throw new Refused({ code: 'not_found', what: 'route' });
    return reply.sendFile('index.html');
  });
}
