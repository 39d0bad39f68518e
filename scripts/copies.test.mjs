import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INVITATION_MINUTES } from '../packages/domain/src/defaults/table.ts';
import { PANEL_PX } from '../packages/presentation/src/constants.ts';
import { ROOT } from './lib/paths.mjs';

const read = (/** @type {string} */ file) => fs.readFileSync(path.join(ROOT, file), 'utf8');

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');

  it('copies the package.json of every workspace', () => {
    const { workspaces } = /** @type {{ workspaces: string[] }} */ (JSON.parse(read('package.json')));
    const folders = workspaces.flatMap((place) =>
      place.endsWith('/*')
        ? fs.readdirSync(path.join(ROOT, place.slice(0, -2))).map((name) => `${place.slice(0, -1)}${name}`)
        : [place],
    );
    for (const folder of folders) expect(lines).toContain(`COPY ${folder}/package.json ${folder}/package.json`);
  });

  it('builds and runs on one version of Node 24', () => {
    expect(lines).toContainEqual(expect.stringMatching(/^ARG NODE=24\.\d+\.\d+$/));
    const bases = lines.filter((line) => line.startsWith('FROM ')).map((line) => line.split(' ')[1]);
    expect(new Set(bases)).toEqual(new Set([`node:$\{NODE}-bookworm-slim`]));
  });

  it('runs without root and has one volume and a health check', () => {
    expect(lines.findLastIndex((line) => line.startsWith('RUN '))).toBeLessThan(lines.indexOf('USER node'));
    expect(lines.filter((line) => line.startsWith('VOLUME'))).toEqual(['VOLUME /data']);
    expect(lines.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true);
  });
});

describe('copies of defaults that can’t be imported', () => {
  it('have the domain’s values', () => {
    expect(read('apps/web/src/ui/theme/tokens.css')).toContain(`--w-panel: ${PANEL_PX}px;`);
    expect(read('apps/server/src/db/migrations/0002_people.sql')).toContain(
      `now() + interval '${INVITATION_MINUTES} minutes'`,
    );
  });
});

describe('the contract’s messages', () => {
  // The specification quotes this message for the editor, which checks the title before it has a body to send.
  const QUOTED = ['Workflow key and title are required'];
  const filesIn = (/** @type {string} */ folder, /** @type {RegExp} */ kind) =>
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => kind.test(file) && !/\.(?:test|fixture)\.|^testing\//.test(file))
      .map((file) => `${folder}/${file}`);
  const messages = new Set(
    filesIn('packages/contract/src', /\.ts$/)
      .flatMap((file) => read(file).split('\n'))
      .filter((line) => !/^\s*(?:\*|\/\/|\/\*)|summary:|describe\(/.test(line))
      .flatMap((line) => [...line.matchAll(/'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`/g)])
      .map(([, ...texts]) => texts.find((text) => text !== undefined) ?? '')
      .filter((text) => /^[A-Z“]\S* .*\S$/.test(text) && !/^(?:GET|POST|PATCH|DELETE) /.test(text)),
  );

  it('are found in its sources', () => {
    expect(messages).toContain('Email is required');
    expect(messages).toContain("A name can't contain a web address");
  });

  it('aren’t repeated in the web app', () => {
    const again = filesIn('apps/web/src', /\.tsx?$/).flatMap((file) => {
      const text = read(file);
      return [...messages].filter((message) => text.includes(message)).map((message) => `${file}: ${message}`);
    });
    expect(again.filter((line) => !QUOTED.some((quoted) => line.endsWith(`: ${quoted}`)))).toEqual([]);
  });
});
