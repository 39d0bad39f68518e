import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Image, type Mounts, makeBase } from './base.ts';
import { type Line, leftOut, stagesOf } from './dockerfile.ts';
import { wordsInside } from './inside.ts';

/** The project, whose files the build's context is made of. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** Carries the Dockerfile out in the folder, line by line, and answers its last stage. */
export function build(folder: string, mounts: Mounts): Image {
  const context = makeContext(folder);
  const images = new Map<string, Image>();
  let last: Image | null = null;
  for (const stage of stagesOf(readFileSync(path.join(PROJECT, 'Dockerfile'), 'utf8'))) {
    const root = makeBase(mounts, path.join(folder, stage.name.replace(' ', '-')));
    last = { root, workdir: '/', env: {}, user: 'root', cmd: [], healthcheck: [] };
    images.set(stage.name, last);
    for (const line of stage.lines) {
      const began = Date.now();
      carryOut(last, line, context, images);
      console.log(`    ${line.instruction} ${line.rest} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    }
  }
  if (!last) throw new Error('The Dockerfile has no stage.');
  return last;
}

/** What `COPY . .` copies: the project without what .dockerignore leaves out. */
function makeContext(folder: string): string {
  const context = path.join(folder, 'context');
  const isLeftOut = leftOut(readFileSync(path.join(PROJECT, '.dockerignore'), 'utf8'));
  const walk = (place: string): void => {
    for (const entry of readdirSync(path.join(PROJECT, place), { withFileTypes: true })) {
      const file = path.posix.join(place, entry.name);
      if (entry.name === 'node_modules' || entry.name === '.git') continue;
      if (entry.isDirectory()) walk(file);
      else if (!isLeftOut(file)) {
        mkdirSync(path.dirname(path.join(context, file)), { recursive: true });
        copyFileSync(path.join(PROJECT, file), path.join(context, file));
      }
    }
  };
  walk('');
  return context;
}

function carryOut(image: Image, line: Line, context: string, images: ReadonlyMap<string, Image>): void {
  const { instruction, rest, flags } = line;
  switch (instruction) {
    case 'WORKDIR':
      image.workdir = rest;
      mkdirSync(image.root + rest, { recursive: true });
      return;
    case 'ENV':
      Object.assign(image.env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('='))));
      return;
    case 'USER':
      image.user = rest;
      return;
    case 'COPY':
      return copy(image, line, flags['from'] ? `${images.get(flags['from'])?.root ?? ''}/` : `${context}/`);
    case 'RUN': {
      const [program = '', ...args] = wordsInside(image, ['sh', '-c', rest]);
      execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
      return;
    }
    case 'HEALTHCHECK':
      image.healthcheck = JSON.parse(rest.replace(/^CMD /, '')) as string[];
      return;
    case 'CMD':
      image.cmd = JSON.parse(rest) as string[];
      return;
    case 'VOLUME':
    case 'EXPOSE':
      return;
    default:
      throw new Error(`${instruction} is not known here.`);
  }
}

function copy({ root, workdir }: Image, { rest }: Line, from: string): void {
  const words = rest.split(' ');
  const target = words.at(-1) ?? '';
  for (const word of words.slice(0, -1)) {
    const source = path.join(from, word);
    const to = path.join(root, workdir, target, target.endsWith('/') ? path.basename(source) : '');
    mkdirSync(path.dirname(to), { recursive: true });
    execFileSync('cp', ['-a', statSync(source).isDirectory() ? `${source}/.` : source, to]);
  }
}
