import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fromRoot } from './lib/paths.mjs';

const child = `
  import { endWithNpm } from '${pathToFileURL(fromRoot('scripts/lib/end-with-npm.mjs')).href}';
  endWithNpm();
  process.on('SIGTERM', () => { console.log('asked to end'); process.exit(0); });
  setTimeout(() => { console.log('left alone'); process.exit(0); }, 3000);
  console.log('runs');
`;
const parent = `
  require('node:child_process').spawn(process.execPath, ['--input-type=module', '-e', process.env.CHILD], { stdio: 'inherit' });
  setInterval(() => {}, 1000);
`;

/** Kills the parent and returns the last line of the child's output. */
function killParent(env) {
  return new Promise((resolve) => {
    const shell = spawn(process.execPath, ['-e', parent], {
      env: { PATH: process.env.PATH, CHILD: child, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    shell.stdout.on('data', (text) => {
      output += text;
      if (output.trim() === 'runs') shell.kill('SIGKILL');
    });
    shell.stdout.on('end', () => resolve(output.trim().split('\n').at(-1)));
  });
}

describe('endWithNpm', () => {
  it('stops a server whose npm was killed', async () => {
    expect(await killParent({ npm_lifecycle_event: 'start' })).toBe('asked to end');
  });

  it('lets a process that npm didn’t start survive its parent', async () => {
    expect(await killParent({})).toBe('left alone');
  });
});
