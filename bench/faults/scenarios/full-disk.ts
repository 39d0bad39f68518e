import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { underLoad } from '../load.ts';
import { type Scenario, answersInWords, servedAgain } from '../rig.ts';

const SIZE = '256m';
const FULL_MS = 8000;

export const diskFull: Scenario = {
  name: 'disk-full',
  title: `The disk of an installation with embedded PostgreSQL is full for ${FULL_MS / 1000} s: once so that writes fail, once so that PostgreSQL exits`,
  run: async (rig) => {
    const disk = join(rig.folder, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=711`, 'stet-faults', disk], { stdio: 'pipe' });
    } catch {
      return { notProven: 'mounting is not permitted on this machine' };
    }
    rig.onClose(() => void execFileSync('umount', ['-l', disk]));
    const server = await rig.server({}, join(disk, 'data'));
    await server.start();
    const moments: number[] = [];
    const words: string[] = [];
    const unheard: string[] = [];
    const loaded = await underLoad(rig.loadAt(server), async (ledger) => {
      for (const isHard of [false, true]) {
        const ballast = join(disk, 'ballast');
        fill(ballast);
        const filled = performance.now();
        if (isHard) await useUpTheLog(server.dataDir);
        // PostgreSQL frees space while it runs, so the disk is filled again and again, as other processes would do.
        const filling = setInterval(() => fill(ballast), 200);
        await sleep(FULL_MS);
        const ready = await fetch(`${server.url}/api/ready`);
        if (ready.status !== 507) unheard.push(`/api/ready responded with ${ready.status} although the disk was full`);
        clearInterval(filling);
        const roomy = performance.now();
        rmSync(ballast);
        moments.push(roomy);
        ledger.recordFault(filled);
        words.push(answersInWords(ledger, filled, roomy));
        const statuses = ledger.statuses(filled, roomy);
        if (!statuses['503'] && !statuses['507']) unheard.push('no response reported the full disk');
        await ledger.awaitMore(30);
      }
    });
    loaded.problems.push(...unheard);
    return {
      ...loaded,
      times: moments.length,
      servedAgainMs: servedAgain(loaded.ledger, moments),
      meanwhile: words.join('; then '),
    };
  },
};

/** Makes PostgreSQL write WAL until the disk is full. It then exits, and can't start until there is space. */
async function useUpTheLog(dataDir: string): Promise<void> {
  const [, , , port, host] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  const client = new pg.Client({ host: host ?? '', port: Number(port), user: 'postgres', database: 'stet' });
  client.on('error', () => {});
  await client.connect();
  try {
    for (let n = 0; n < 64; n += 1)
      await client.query("select pg_logical_emit_message(false, 'faults', repeat('x', 1000000))");
  } catch {
    return;
  } finally {
    await client.end().catch(() => {});
  }
  throw new Error('PostgreSQL had enough space to write all of it');
}

function fill(file: string): void {
  const handle = openSync(file, 'a');
  try {
    for (let size = 1024 * 1024; size >= 512;) {
      try {
        writeSync(handle, Buffer.alloc(size));
      } catch {
        size /= 2;
      }
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
