import { createHmac, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MacCheck, openNote, signNote } from '@stet/domain/audit';
import { verifyEd25519 } from './audit-signer.ts';
import { readOrCreate } from '../../kernel/key-files.ts';
import type { AuditMac, AuditSigner } from '../../kernel/deps.ts';

const KEY = 'audit-mac.key';
const BOUNDARY = 'audit-mac-boundary.txt';
const NAME = 'stet/mac-boundary';
const TITLE = 'stet events before MACs';

function checkMacBy(key: Buffer): MacCheck['isMac'] {
  return (message, mac) => {
    const made = createHmac('sha256', key).update(message).digest();
    return made.length === mac.length && timingSafeEqual(made, mac);
  };
}

/**
 * Opens the MAC key of this installation. The first start derives it from the signing key, so that servers with the
 * same signing key have the same MAC key. The signing key can't be computed from the MAC key.
 */
export function openAuditMac(dataDir: string, signer: AuditSigner): AuditMac {
  const folder = join(dataDir, 'keys');
  const key = Buffer.from(
    readOrCreate(join(folder, KEY), () => signer.deriveSecret('stet audit mac').toString('base64')),
    'base64',
  );
  const file = join(folder, BOUNDARY);
  const isMac = checkMacBy(key);
  let boundary = existsSync(file) ? readBoundary(readFileSync(file, 'utf8'), signer) : null;
  return {
    macOf: (message) => createHmac('sha256', key).update(message).digest(),
    // Until the boundary is known, events without a MAC are accepted, but events with a wrong MAC are rejected.
    checkOf: (orgId) => ({ none: boundary ? (boundary.get(orgId) ?? 0) : Number.MAX_SAFE_INTEGER, isMac }),
    hasBoundary: () => boundary !== null,
    saveBoundary: (sizes) => {
      const lines = [...sizes].map(([orgId, size]) => `${orgId} ${size}\n`).join('');
      const { publicKey } = signer.keyOf('');
      readOrCreate(file, () => signNote(`${TITLE}\n${lines}`, { name: NAME, publicKey }, signer.sign));
      boundary = readBoundary(readFileSync(file, 'utf8'), signer);
    },
  };
}

/** Returns the trail sizes in a signed boundary. Empty if no trusted key signed it. */
function readBoundary(text: string, signer: AuditSigner): ReadonlyMap<string, number> {
  const keys = signer.trustedKeysOf('').map(({ publicKey }) => ({ name: NAME, publicKey }));
  const opened = openNote(text, keys, verifyEd25519);
  if (!opened.ok || !opened.text.startsWith(`${TITLE}\n`)) return new Map();
  const lines = opened.text.split('\n').slice(1, -1);
  return new Map(
    lines.map((line): [string, number] => {
      const [orgId = '', size] = line.split(' ');
      return [orgId, Number(size)];
    }),
  );
}
