import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { leftOut, stagesOf } from './dockerfile.ts';

const ours = (file: string): string => fs.readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

describe('our .dockerignore', () => {
  const isLeftOut = leftOut(ours('.dockerignore'));

  it.each([
    'stet.env',
    'postgres.env',
    'data/keys/secret',
    'apps/server/data/keys/secret',
    '.git/config',
    'node_modules/pg/package.json',
    'apps/server/node_modules/x/package.json',
    'apps/web/dist/index.html',
    'apps/server/src/main.test.ts',
    'docs/operations.md',
    'bench/crash.ts',
  ])('keeps %s out of the image', (file) => {
    expect(isLeftOut(file)).toBe(true);
  });

  it.each([
    'package.json',
    'package-lock.json',
    'apps/server/src/main.ts',
    'apps/server/src/db/migrations/0001_foundation.sql',
    'packages/domain/src/runs/decide.ts',
    'bench/package.json',
    'scripts/lib/build.mjs',
    '.npmrc',
  ])('lets %s in', (file) => {
    expect(isLeftOut(file)).toBe(false);
  });
});

describe('our Dockerfile', () => {
  const stages = stagesOf(ours('Dockerfile'));

  it('installs by the list of every workspace', () => {
    const { workspaces } = JSON.parse(ours('package.json')) as { workspaces: string[] };
    const folders = workspaces.flatMap((place) =>
      place.endsWith('/*')
        ? fs
            .readdirSync(new URL(`../../${place.slice(0, -2)}`, import.meta.url))
            .map((name) => `${place.slice(0, -1)}${name}`)
        : [place],
    );
    const copied = stages[0]?.lines.filter(({ instruction }) => instruction === 'COPY').map(({ rest }) => rest) ?? [];
    for (const folder of folders) expect(copied).toContain(`${folder}/package.json ${folder}/package.json`);
  });

  it('runs as nobody in particular, with one volume, and says how it is', () => {
    const last = stages.at(-1)?.lines.map(({ instruction, rest }) => `${instruction} ${rest}`) ?? [];
    expect(last).toContain('USER node');
    expect(last.filter((line) => line.startsWith('VOLUME'))).toEqual(['VOLUME /data']);
    expect(last.some((line) => line.startsWith('HEALTHCHECK CMD'))).toBe(true);
    expect(last.findIndex((line) => line.startsWith('RUN'))).toBeLessThan(last.indexOf('USER node'));
  });
});
