import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Refused } from '../kernel/refused.ts';

/**
 * Headers that have an effect only on a document or a worker. On scripts, styles and fonts they would waste half a
 * kilobyte each, and a first load has dozens of these files.
 */
const OF_DOCUMENTS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

/**
 * Serves the built web app. Hashed files are cached for a year, and the page itself is revalidated each time. Any other
 * path, unless it is below `/api` or `/assets`, is a screen of the app and gets the page.
 */
export async function serveWeb(app: FastifyInstance, root: string | null): Promise<void> {
  const hasWeb = root !== null && existsSync(join(root, 'index.html'));
  if (hasWeb) {
    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      index: false,
      cacheControl: false,
      // The ETag already identifies the version, and clients never request only part of a script.
      lastModified: false,
      acceptRanges: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        const isAsset = /[/\\]assets[/\\]/.test(path);
        void reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
        if (isAsset && !path.includes('worker')) for (const name of OF_DOCUMENTS) void reply.removeHeader(name);
      },
    });
    // The plugin lists the files when it starts. After another build, the page names files that aren't in this list.
    app.get<{ Params: { file: string } }>(
      '/assets/:file(^[\\w-][\\w.-]*$)',
      { schema: { hide: true } },
      ({ params }, reply) => reply.sendFile(`assets/${params.file}`),
    );
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
