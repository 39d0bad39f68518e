import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callerOf } from '../caller.ts';
import { quantile } from '../figures.ts';
import { ServerProcess } from '../server-process.ts';
import { compressed, oversized } from './bodies.ts';
import { type Outcome, within } from './outcome.ts';
import { headers, paths, smuggled } from './request-lines.ts';

const SLOW = 300;
/** The server's time limit for the head of a request and for the whole request, plus its check interval. */
const CLOSED_WITHIN_MS = 75_000;
const SERVED_WITHIN_MS = 5000;
/** A connection closed earlier than this was refused, so it doesn't count as a slow one. */
const HELD_MS = 5000;
const SERVED_AT_LEAST = 10;

/** Attacks on the socket itself: slow, large, compressed and contradictory requests. */
export async function attackSockets(port: number): Promise<Outcome[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-attacks-'));
  const server = new ServerProcess(port, dataDir);
  try {
    await server.start();
    const account = { email: 'door@example.com', name: 'Door', password: 'a long enough one' };
    const { token } = await callerOf(server.url)<{ token: string }>('POST', '/api/auth/signup', account);
    // The slow connections stay open in the meantime, so all other requests are served in parallel.
    const slow = drip(server, token);
    await sleep(1000);
    const others = [
      await oversized(server, token),
      await compressed(server, token),
      await headers(port),
      await smuggled(port),
      await paths(port),
    ];
    return [await slow, ...others];
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function drip({ url, port }: ServerProcess, token: string): Promise<Outcome> {
  const findings: string[] = [];
  const sockets = new Set<Socket>();
  const began = performance.now();
  let lastClosed = 0;
  let stillOpen = 0;
  for (let n = 0; n < 2 * SLOW; n += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    let hasConnected = false;
    socket.on('connect', () => (hasConnected = true));
    socket.on('error', () => undefined);
    socket.resume();
    socket.on('close', () => {
      sockets.delete(socket);
      lastClosed = performance.now() - began;
      if (hasConnected && lastClosed > HELD_MS) stillOpen += 1;
    });
    const isHead = n % 2 === 0;
    socket.write(
      isHead
        ? 'GET /api/health HTTP/1.1\r\nHost: x\r\n'
        : `POST /api/auth/login HTTP/1.1\r\nHost: x\r\ncontent-type: application/json\r\ncontent-length: 200\r\n\r\n{`,
    );
  }
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('a');
  }, 3000);
  const times: number[] = [];
  try {
    while (sockets.size > 0 && performance.now() - began < CLOSED_WITHIN_MS) {
      const from = performance.now();
      const answer = await within(
        SERVED_WITHIN_MS * 4,
        'a request alongside the slow ones',
        fetch(`${url}/api/workflows`, { headers: { authorization: `Bearer ${token}` } }),
      );
      await answer.arrayBuffer();
      if (answer.status !== 200) findings.push(`alongside the slow ones: ${answer.status}`);
      times.push(performance.now() - from);
      await sleep(250);
    }
  } catch (error) {
    findings.push(error instanceof Error ? error.message : String(error));
  } finally {
    clearInterval(dripping);
  }
  const p99 = quantile(times, 0.99);
  if (p99 > SERVED_WITHIN_MS) findings.push(`others waited ${Math.round(p99)} ms`);
  if (sockets.size > 0)
    findings.push(`${sockets.size} slow connections were still open after ${CLOSED_WITHIN_MS / 1000} s`);
  if (stillOpen + sockets.size < 2 * SLOW)
    findings.push(`only ${stillOpen} connections stayed open for ${HELD_MS / 1000} s`);
  if (times.length < SERVED_AT_LEAST) findings.push(`only ${times.length} other requests were served meanwhile`);
  for (const socket of sockets) socket.destroy();
  return {
    attack: 'Slow-loris',
    tried: `${SLOW} connections that never finish their headers and ${SLOW} that never finish their body`,
    result: `${times.length} other requests served meanwhile, p99 ${Math.round(p99)} ms; all closed after ${Math.round(lastClosed / 1000)} s`,
    findings,
  };
}
