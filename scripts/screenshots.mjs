// npm run screenshots: takes the README's screenshots again, from a demo with a temporary data directory, and saves
// them in docs/images/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { DEMO_ENTRY, ensureBuilt } from './lib/build.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { CommandError, runCommand } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { fromRoot } from './lib/paths.mjs';

const SIZE = { width: 1280, height: 800 };
const MAX_BYTES = 200_000;
const PASSWORD = 'let-it-stand';

/**
 * The person and screen of each screenshot. `find` returns the address, and `loadsLast` is the part of the page that
 * loads last.
 */
const PICTURES = [
  {
    name: 'review',
    person: 'jonas.weber@haldenworks.example',
    find: async (call) => {
      const { key, versions } = await call('/api/workflows/vendor-onboarding');
      const draft = versions.find(({ status }) => status === 'in_review');
      return draft && `/app/review?key=${key}&id=${draft.id}`;
    },
    loadsLast: 'section:has(> h2:text-is("Impact summary")) dt',
  },
  {
    name: 'run',
    person: 'mara.lindqvist@haldenworks.example',
    find: async (call) => {
      const [run] = await call('/api/runs?q=Nordlicht');
      return run && `/app/runs/${run.id}`;
    },
    loadsLast: '[data-step-id]',
  },
];

await runCommand(async () => {
  await ensureInstalled('everything');
  await ensureBuilt();
  const chromium = await ensureChromium();
  if ('problem' in chromium) throw new CommandError(chromium.problem);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-screenshots-'));
  const port = await freePort();
  const server = spawn(process.execPath, [DEMO_ENTRY], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      STET_DEMO: '1',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await untilSaid(server, 'Sign in at');
    await takePictures(`http://127.0.0.1:${port}`, chromium.file);
  } finally {
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
});

/** @param {string} url @param {string} executablePath */
async function takePictures(url, executablePath) {
  const { chromium } = await import('@playwright/test');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--font-render-hinting=none'] });
  const folder = fromRoot('docs', 'images');
  fs.mkdirSync(folder, { recursive: true });
  try {
    for (const { name, person, find, loadsLast } of PICTURES) {
      const token = await signIn(url, person);
      const address = await find((route) => answerOf(url + route, token));
      if (!address) throw new CommandError(`The demo has no record for the screenshot of the ${name}.`);
      const context = await browser.newContext({ viewport: SIZE, colorScheme: 'light', locale: 'en-GB' });
      await context.addInitScript((saved) => localStorage.setItem('stet_token', saved), token);
      const page = await context.newPage();
      await page.goto(url + address);
      await page.locator(loadsLast).first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      // Waits until transitions and counters have finished.
      await page.waitForTimeout(1000);
      const file = path.join(folder, `${name}.png`);
      await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
      await context.close();
      const { size } = fs.statSync(file);
      if (size > MAX_BYTES) throw new CommandError(`${file} has ${size} bytes, more than ${MAX_BYTES}.`);
      console.log(`docs/images/${name}.png, ${Math.round(size / 1000)} kB`);
    }
  } finally {
    await browser.close();
  }
}

async function signIn(url, email) {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  if (!answer.ok) throw new CommandError(`${email} can't sign in to the demo: ${answer.status}`);
  return (await answer.json()).token;
}

async function answerOf(address, token) {
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new CommandError(`${address}: ${answer.status}`);
  return answer.json();
}

/** Resolves when the server has printed the words. Its output is still read afterwards. */
function untilSaid(server, words) {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes(words)) resolve(undefined);
    });
    server.once('exit', (code) => reject(new CommandError(`The demo exited with code ${code}.`)));
  });
}

async function freePort() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
