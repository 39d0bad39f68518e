// npm run dev: runs the server and Vite. After a change, the server restarts or the page is updated. Ctrl-C stops both
// programs.
import { spawn } from 'node:child_process';
import { runCommand } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { ROOT } from './lib/paths.mjs';

await runCommand(() => ensureInstalled('everything'));

const api = `http://127.0.0.1:${process.env.PORT || 3000}`;
const page = `http://localhost:${process.env.WEB_PORT || 5173}`;
const env = { ...process.env, STET_API: api, PUBLIC_URL: process.env.PUBLIC_URL || page };

/** @type {[string, string[]][]} */
const programs = [
  ['server', ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'apps/server/src/main.ts']],
  [
    'web',
    [
      'node_modules/vite/bin/vite.js',
      'apps/web',
      '--port',
      new URL(page).port,
      '--strictPort',
      '--clearScreen',
      'false',
    ],
  ],
];

let isEnding = false;
const children = programs.map(([name, args]) => {
  // The children have no standard input, because otherwise pressing Enter would restart the server. They are detached,
  // so that Ctrl-C reaches only this process, which sends each child one SIGTERM. At a second signal, the watcher would
  // kill the server.
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  child.on('exit', (code) => {
    if (!isEnding) console.error(`The ${name} process ended.`);
    end(code ?? 1);
  });
  return child;
});
console.log(`Stet for developers: ${page} (API on ${api})`);

/** @param {number} code */
function end(code) {
  if (isEnding) return;
  isEnding = true;
  process.exitCode = code;
  for (const child of children) child.kill('SIGTERM');
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0));
