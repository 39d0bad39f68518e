/** An IP address as its bytes: 4 or 16. */
export type AddressBytes = readonly number[];

/**
 * The bytes of an IP address in the one notation that resolvers and URLs answer with: dotted decimal, or hexadecimal groups
 * with at most one `::`, the last 32 bits dotted where they are. Null for everything else, octal and short forms included.
 */
export function addressBytes(text: string): AddressBytes | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  return bare.includes(':') ? bytesOf6(bare) : bytesOf4(bare);
}

function bytesOf4(text: string): number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

function bytesOf6(text: string): number[] | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const sides = halves.map((half) => bytesOfGroups(half));
  const [head, tail] = sides;
  if (!head || tail === null) return null;
  if (tail === undefined) return head.length === 16 ? head : null;
  const gap = 16 - head.length - tail.length;
  return gap >= 2 ? [...head, ...Array.from({ length: gap }, () => 0), ...tail] : null;
}

function bytesOfGroups(text: string): number[] | null {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [at, group] of groups.entries()) {
    if (group.includes('.')) {
      const four = at === groups.length - 1 ? bytesOf4(group) : null;
      if (!four) return null;
      bytes.push(...four);
    } else {
      if (!/^[\da-f]{1,4}$/i.test(group)) return null;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 255);
    }
  }
  return bytes;
}

type Block = { bytes: AddressBytes; bits: number };

/** A block of addresses such as `10.0.0.0/8`, or a single address; null where it is neither. */
export function addressBlock(text: string): Block | null {
  const [address = '', length] = text.split('/');
  const bytes = addressBytes(address);
  if (!bytes || text.split('/').length > 2) return null;
  const most = bytes.length * 8;
  if (length === undefined) return { bytes, bits: most };
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : -1;
  return bits >= 0 && bits <= most ? { bytes, bits } : null;
}

/** True where the address lies in the block; of the same family only. */
export function isInBlock(address: AddressBytes, { bytes, bits }: Block): boolean {
  if (address.length !== bytes.length) return false;
  for (let bit = 0; bit < bits; bit += 8) {
    const width = Math.min(8, bits - bit);
    const mask = (0xff << (8 - width)) & 0xff;
    if (((address[bit / 8] ?? 0) & mask) !== ((bytes[bit / 8] ?? 0) & mask)) return false;
  }
  return true;
}

const blocks = (...texts: string[]): Block[] =>
  texts.map((text) => {
    const block = addressBlock(text);
    if (!block) throw new Error(`${text} is no block of addresses`);
    return block;
  });

// IANA's special-purpose registries: nothing of this is a stranger on the internet.
const SPECIAL_4 = blocks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
);
const GLOBAL_6 = blocks('2000::/3');
const SPECIAL_6 = blocks('2001::/23', '2001:db8::/32', '3fff::/20', '5f00::/16');
const [TRANSLATED, SIX_TO_FOUR] = [blocks('64:ff9b::/96'), blocks('2002::/16')];

/**
 * True for an address that is reached over the internet as itself: not private, loopback, link-local, shared, multicast,
 * unspecified, reserved or for documentation. An IPv6 address that carries an IPv4 one through a translator or a tunnel is
 * judged by that one.
 */
export function isPublicAddress(address: AddressBytes): boolean {
  const lies = (all: readonly Block[]): boolean => all.some((block) => isInBlock(address, block));
  if (address.length === 4) return !lies(SPECIAL_4);
  if (lies(TRANSLATED)) return isPublicAddress(address.slice(12));
  if (lies(SIX_TO_FOUR)) return isPublicAddress(address.slice(2, 6));
  return lies(GLOBAL_6) && !lies(SPECIAL_6);
}
