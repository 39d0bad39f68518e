import { spawn } from 'node:child_process';
import { ROOT } from './paths.mjs';

/**
 * Runs a program in the root of the repository and waits until it ends.
 * @param {string} program
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string>, minutes?: number }} [options]
 *   quiet: the output is returned, but not shown; minutes: the program is stopped after that time
 * @returns {Promise<{ code: number, output: string, timedOut: boolean }>} code is 127 if it can't be started
 */
export function runProgram(program, args, { quiet = false, env = {}, minutes } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    });
    let output = '';
    let timedOut = false;
    const timer =
      minutes === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            child.kill('SIGTERM');
            setTimeout(() => child.kill('SIGKILL'), 5_000).unref();
          }, minutes * 60_000);
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (output += text));
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: 127, output: error.message, timedOut });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output, timedOut });
    });
  });
}

/**
 * Runs a JavaScript file with the same Node.js executable.
 * @param {string} file below the root
 * @param {string[]} args
 * @param {Parameters<typeof runProgram>[2]} [options]
 */
export const runNode = (file, args, options) => runProgram(process.execPath, [file, ...args], options);
