import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The account that the images of Node have. */
export const ACCOUNT = { name: 'node', id: 1000, home: '/home/node' } as const;
const DEVICES = { null: 3, zero: 5, random: 8, urandom: 9 };

/** What a stage of the Dockerfile makes. */
export type Image = {
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  cmd: string[];
  healthcheck: string[];
};

/** Mounts, to be taken away in the other order. */
export class Mounts {
  readonly #targets: string[] = [];

  add(target: string, ...options: string[]): void {
    mkdirSync(target, { recursive: true });
    execFileSync('mount', [...options, target]);
    this.#targets.unshift(target);
  }

  remove(): void {
    for (const target of this.#targets.splice(0)) execFileSync('umount', [target]);
  }
}

/** A root to build in: this machine seen through an overlay, with devices and the account of Node's images. */
export function makeBase(mounts: Mounts, folder: string): string {
  const [upper, work, root] = ['upper', 'work', 'root'].map((part) => path.join(folder, part)) as [
    string,
    string,
    string,
  ];
  for (const part of [upper, work]) mkdirSync(part, { recursive: true });
  mounts.add(root, '-t', 'overlay', 'overlay', '-o', `lowerdir=/,upperdir=${upper},workdir=${work}`);
  mounts.add(`${root}/proc`, '-t', 'proc', 'proc');
  // Not the real one: what is unmounted or removed here must not be so there.
  mounts.add(`${root}/dev`, '-t', 'tmpfs', 'tmpfs');
  for (const [name, minor] of Object.entries(DEVICES))
    execFileSync('mknod', ['-m', '666', `${root}/dev/${name}`, 'c', '1', String(minor)]);
  mounts.add(`${root}/dev/shm`, '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs');
  const { name, id, home } = ACCOUNT;
  replaceAccount(`${root}/etc/passwd`, `${name}:x:${id}:${id}::${home}:/bin/sh`);
  replaceAccount(`${root}/etc/group`, `${name}:x:${id}:`);
  rmSync(root + home, { recursive: true, force: true });
  execFileSync('install', ['-d', '-o', String(id), '-g', String(id), root + home]);
  return root;
}

function replaceAccount(file: string, line: string): void {
  const others = readFileSync(file, 'utf8')
    .split('\n')
    .filter((other) => !other.startsWith(`${ACCOUNT.name}:`) && other.split(':')[2] !== String(ACCOUNT.id));
  writeFileSync(file, `${line}\n`);
  appendFileSync(file, others.join('\n'));
}
