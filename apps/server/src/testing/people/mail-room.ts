import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReceivedMail, readMail } from '../mailbox.ts';

type Waiter = { address: string; fits: (mail: ReceivedMail) => boolean; take: (mail: ReceivedMail) => void };

const PATIENCE_MS = 60_000;

/** Reads and removes each mail file of a server without SMTP, so that folders stay small. */
export class MailRoom {
  private readonly received = new Map<string, ReceivedMail[]>();
  private waiters: Waiter[] = [];
  private readonly seen = new Set<string>();
  private readonly watcher: FSWatcher;
  private readonly folder: string;

  constructor(dataDir: string) {
    this.folder = join(dataDir, 'mail');
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.watcher = watch(this.folder, (_event, name) => void (name === null ? this.collect() : this.read(name)));
  }

  /**
   * Returns the newest matching email to an address, or waits for one if there is none. Only for humans who can read
   * that mailbox.
   */
  async mailTo(address: string, fits: (mail: ReceivedMail) => boolean): Promise<ReceivedMail> {
    const known = this.received.get(address)?.findLast(fits);
    if (known) return known;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no mail arrived at ${address}`)), PATIENCE_MS);
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

  /** The matching emails that have arrived so far. Once they are removed, the next one that is found is newer. */
  formerMail(address: string, fits: (mail: ReceivedMail) => boolean): { forget: () => void } {
    const former = new Set(this.received.get(address)?.filter(fits));
    const isNewer = (mail: ReceivedMail): boolean => !former.has(mail);
    return { forget: () => this.received.set(address, this.received.get(address)?.filter(isNewer) ?? []) };
  }

  stop(): void {
    this.watcher.close();
  }

  private async collect(): Promise<void> {
    for (const name of (await readdir(this.folder).catch((): string[] => [])).toSorted()) await this.read(name);
  }

  private async read(name: string): Promise<void> {
    if (!name.endsWith('.eml') || this.seen.has(name)) return;
    // The watcher reports a file again when it is removed, so its name stays in this set.
    this.seen.add(name);
    const file = join(this.folder, name);
    const raw = await readFile(file, 'utf8').catch(() => null);
    if (raw !== null) this.deliver(readMail(raw));
    await rm(file, { force: true });
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
