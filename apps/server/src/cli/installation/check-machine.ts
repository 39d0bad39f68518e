import { createPrivateKey, createPublicKey } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fromBase64 } from '@stet/domain/audit';
import { dataDirectoryProblem } from '../../adapters/data-directory.ts';
import type { Config } from '../../kernel/config.ts';
import { type Finding, failure, fine, warning } from './finding.ts';

const LOWEST_NODE = [20, 19];
const MEBIBYTE = 1024 * 1024;
const MIN_BYTES = 200 * MEBIBYTE;
const SCARCE_BYTES = 2048 * MEBIBYTE;

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [lowestMajor = 0, lowestMinor = 0] = LOWEST_NODE;
  if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) return fine('node', `Node ${version}.`);
  return failure('node', `Node ${version} is too old: Stet needs ${LOWEST_NODE.join('.')} or newer.`);
}

export function checkPublicUrl({ publicUrl, host, smtpUrl }: Config): Finding {
  if (publicUrl?.startsWith('https:')) return fine('address', `Links point to ${publicUrl}.`);
  if (publicUrl) return warning('address', `PUBLIC_URL (${publicUrl}) is not encrypted; put TLS in front of it.`);
  const isLocal = ['127.0.0.1', 'localhost', '::1'].includes(host) && !smtpUrl;
  if (isLocal) return fine('address', 'Links point to this machine; set PUBLIC_URL before others use Stet.');
  return warning(
    'address',
    'PUBLIC_URL is not set: links in emails point to an address that others may not be able to reach.',
  );
}

/**
 * Checks that the data directory is there and can be written.
 * @param isUsed false before the first start, which creates the directory; null if the database can't be read
 */
export async function checkDataDirectory(config: Config, isUsed: boolean | null): Promise<Finding> {
  const { dataDir } = config;
  if (isUsed !== true && !existsSync(dataDir))
    return warning(
      'data',
      isUsed === null
        ? `${dataDir} doesn’t exist. If this installation was in use, mount its disk or restore it from a backup; otherwise the first start creates it.`
        : `${dataDir} doesn’t exist yet; the first start creates it.`,
    );
  const isEmpty = isUsed !== true && !existsSync(join(dataDir, 'keys'));
  const problem = await dataDirectoryProblem(config, { isEmpty });
  return problem === null ? fine('data', `The server can use ${dataDir}.`) : failure('data', problem);
}

/**
 * Checks that the keys are present and complete, and that only their owner can read the secret ones.
 * @param isUsed false before the first start, which creates the keys; null if the database can't be read
 */
export function checkKeys({ dataDir, secretKey }: Config, isUsed: boolean | null): Finding[] {
  const folder = join(dataDir, 'keys');
  if (!existsSync(folder) && isUsed === null)
    return [
      warning(
        'keys',
        `There are none in ${folder}. If this installation was in use, restore the folder from a backup before the next start; otherwise the first start creates them.`,
      ),
    ];
  if (!existsSync(folder) && isUsed === true)
    return [
      failure(
        'keys',
        `There are none in ${folder}, but the database contains audit trails: restore the folder from a backup before the next start.`,
      ),
    ];
  if (!existsSync(folder)) return [warning('keys', `There are none in ${folder} yet; the first start creates them.`)];
  const findings = [...openToOthers(folder), ...signingKey(folder), ...macKey(folder)];
  if (secretKey === undefined && !existsSync(join(folder, 'secret')))
    findings.push(
      failure(
        'keys',
        'keys/secret is missing and SECRET_KEY is not set: restore it. With a new secret, all sessions end, and Slack and the receivers of webhooks have to be connected again.',
      ),
    );
  return findings.length > 0 ? findings : [fine('keys', 'Present, complete, and readable only by their owner.')];
}

const openToOthers = (folder: string): Finding[] =>
  readdirSync(folder)
    .filter((name) => !name.endsWith('.pub') && (statSync(join(folder, name)).mode & 0o077) !== 0)
    .map((name) => failure('keys', `Others can read ${join(folder, name)}. Run: chmod 600 ${join(folder, name)}`));

function signingKey(folder: string): Finding[] {
  const [key, pub] = ['audit-signing.key', 'audit-signing.pub'].map((name) => join(folder, name));
  if (!key || !pub || !existsSync(key))
    return [
      failure(
        'keys',
        'keys/audit-signing.key is missing: restore it from a backup. With signed audit trails, the server doesn’t start without it. If it is lost, move all files out of the folder, so that the next start creates new keys; then add the old public key as keys/audit-….pub.',
      ),
    ];
  try {
    const derived = createPublicKey(createPrivateKey(readFileSync(key))).export({ type: 'spki', format: 'der' });
    const published = existsSync(pub) ? fromBase64(readFileSync(pub, 'utf8').trim()) : null;
    if (published && Buffer.compare(derived.subarray(-32), published) === 0) return [];
    return [failure('keys', 'keys/audit-signing.pub is not the public half of keys/audit-signing.key.')];
  } catch {
    return [failure('keys', 'keys/audit-signing.key is damaged: restore it from a backup.')];
  }
}

/** A missing MAC key isn't reported, because the next start derives it from the signing key. */
function macKey(folder: string): Finding[] {
  const file = join(folder, 'audit-mac.key');
  if (!existsSync(file) || fromBase64(readFileSync(file, 'utf8').trim())?.length === 32) return [];
  return [
    failure(
      'keys',
      'keys/audit-mac.key is damaged: delete it, and the next start derives it from keys/audit-signing.key.',
    ),
  ];
}

/** Checks the free space on the disk of the data directory. */
export async function checkDisk({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  let place = dataDir;
  while (!existsSync(place)) place = dirname(place);
  const { bavail, bsize, blocks } = await statfs(place);
  return diskFinding(place, bavail * bsize, blocks * bsize);
}

export function diskFinding(place: string, free: number, all: number): Finding {
  const share = `${Math.floor(free / MEBIBYTE).toLocaleString('en-US')} of ${Math.floor(all / MEBIBYTE).toLocaleString('en-US')} MiB are free at ${place}`;
  if (free < MIN_BYTES) return failure('disk', `${share}: free up space now, or writes will fail.`);
  if (free < SCARCE_BYTES || free < all / 20) return warning('disk', `${share}.`);
  return fine('disk', `${share}.`);
}
