import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commitOf } from './lib/build.mjs';
import { findChromium } from './lib/chromium.mjs';
import { digestOf } from './lib/digest.mjs';
import { ROOT } from './lib/paths.mjs';
import { precompress } from './lib/precompress.mjs';

let folder = '';

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-build-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function write(name, content, mode = 0o644) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, { mode });
  return file;
}

describe('the commit of a build', () => {
  afterEach(() => vi.unstubAllEnvs());
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });

  it('is the checked-out one, marked if files were changed', () => {
    git('init', '--quiet');
    const file = write('a.ts', 'one');
    git('add', '.');
    git('commit', '--quiet', '--message', 'one');
    git('tag', 'v1.0.0');
    const commit = git('rev-parse', 'HEAD').slice(0, 12);
    expect(commitOf(folder)).toBe(commit);
    fs.writeFileSync(file, 'two');
    expect(commitOf(folder)).toBe(`${commit}-dirty`);
  });

  it('is the given one, or unknown outside a checkout', () => {
    expect(commitOf(folder)).toBe('');
    vi.stubEnv('STET_COMMIT', '0123456789ab');
    expect(commitOf(folder)).toBe('0123456789ab');
  });
});

describe('the sources’ digest', () => {
  const digest = () => digestOf([path.relative(ROOT, folder)]);

  it('changes with the content and names of files', () => {
    write('src/a.ts', 'one');
    const digests = [digest()];
    write('src/a.ts', 'two');
    digests.push(digest());
    fs.renameSync(path.join(folder, 'src/a.ts'), path.join(folder, 'src/b.ts'));
    digests.push(digest());
    write('src/c.ts', '');
    digests.push(digest());
    expect(new Set(digests).size).toBe(4);
  });

  it('does not change with file times, tests, build output or installed packages', () => {
    const file = write('src/a.ts', 'one');
    const before = digest();
    fs.utimesSync(file, 1, 1);
    write('src/a.test.ts', 'test');
    write('dist/main.js', 'built');
    write('node_modules/x/index.js', 'installed');
    expect(digest()).toBe(before);
  });
});

describe('precompressing', () => {
  it('writes gzip and brotli files for text, but not for images and small files', async () => {
    const text = 'stet '.repeat(1_000);
    write('assets/a.js', text);
    write('assets/a.png', text);
    write('small.css', 'a{}');
    await precompress(folder);
    const read = (name) => fs.readFileSync(path.join(folder, name));
    expect((await promisify(zlib.gunzip)(read('assets/a.js.gz'))).toString()).toBe(text);
    expect((await promisify(zlib.brotliDecompress)(read('assets/a.js.br'))).toString()).toBe(text);
    expect(fs.readdirSync(path.join(folder, 'assets')).sort()).toEqual(['a.js', 'a.js.br', 'a.js.gz', 'a.png']);
    expect(fs.existsSync(path.join(folder, 'small.css.gz'))).toBe(false);
  });
});

describe('Chromium', () => {
  it('is the program in CHROMIUM_PATH even if there is another one on the path', () => {
    const named = write('named/browser', '', 0o755);
    const onPath = write('bin/chromium', '', 0o755);
    expect(findChromium({ CHROMIUM_PATH: named, PATH: path.dirname(onPath) })).toBe(named);
    expect(findChromium({ PATH: path.dirname(onPath) })).toBe(onPath);
  });

  it.runIf(process.platform === 'linux')('can be neither a file that isn’t executable nor a folder', () => {
    const file = write('bin/chromium', '', 0o644);
    fs.mkdirSync(path.join(folder, 'bin', 'google-chrome'));
    expect(findChromium({ PATH: path.dirname(file) })).toBeUndefined();
  });
});
