import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReceivedMail, readMail } from '../mailbox.ts';

type Waiter = { address: string; fits: (mail: ReceivedMail) => boolean; take: (mail: ReceivedMail) => void };

const PATIENCE_MS = 20_000;

/** Reads each mail of a server without SMTP once, as it is written, and removes its file: thousands of them are slow to search. */
export class MailRoom {
  private readonly received = new Map<string, ReceivedMail[]>();
  private waiters: Waiter[] = [];
  private readonly seen = new Set<string>();
  private readonly watcher: FSWatcher;
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'mail');
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.watcher = watch(this.folder, () => void this.collect());
  }

  /** The newest mail to an address that fits, once there is one. Only who reads that mailbox may call this. */
  async mailTo(address: string, fits: (mail: ReceivedMail) => boolean): Promise<ReceivedMail> {
    const known = this.received.get(address)?.findLast(fits);
    if (known) return known;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no mail came to ${address}`)), PATIENCE_MS);
      const waiter = {
        address,
        fits,
        take: (mail: ReceivedMail) => {
          clearTimeout(timer);
          resolve(mail);
        },
      };
      this.waiters.push(waiter);
    });
  }

  /** Forgets the mails to an address that fit: what comes next is newer. */
  forget(address: string, fits: (mail: ReceivedMail) => boolean): void {
    this.received.set(address, this.received.get(address)?.filter((mail) => !fits(mail)) ?? []);
  }

  stop(): void {
    this.watcher.close();
  }

  private async collect(): Promise<void> {
    const files = (await readdir(this.folder).catch(() => [])).filter((name) => name.endsWith('.eml')).toSorted();
    for (const name of files) {
      if (this.seen.has(name)) continue;
      this.seen.add(name);
      const file = join(this.folder, name);
      const raw = await readFile(file, 'utf8').catch(() => null);
      if (raw === null) continue;
      void rm(file, { force: true }).then(() => this.seen.delete(name));
      this.deliver(readMail(raw));
    }
  }

  private deliver(mail: ReceivedMail): void {
    for (const address of mail.to) {
      this.received.set(address, [...(this.received.get(address) ?? []).slice(-5), mail]);
      const fitting = this.waiters.filter((waiter) => waiter.address === address && waiter.fits(mail));
      this.waiters = this.waiters.filter((waiter) => !fitting.includes(waiter));
      for (const { take } of fitting) take(mail);
    }
  }
}
