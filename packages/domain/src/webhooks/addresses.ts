import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [network: Address, prefixLength: number];

/**
 * Parses an IP address in the notation of resolvers and URLs: four decimal numbers, or hexadecimal groups, with or
 * without brackets. Null for any other text, including octal and short forms and zone ids.
 */
export function parseAddress(text: string): Address | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  return ipaddr.IPv6.isValid(bare) && !bare.includes('%') ? ipaddr.IPv6.parse(bare) : null;
}

/** Parses a block of addresses such as `10.0.0.0/8`, or a single address as a block of one; null for any other text. */
export function parseBlock(text: string): Block | null {
  const [address = '', length] = text.split('/', 2);
  const parsed = parseAddress(address);
  if (!parsed || !ipaddr.isValid(address)) return null;
  if (length === undefined) return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
  return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null;
}

/** True if the address is in the block and of the same family. */
export function isInBlock(address: Address, block: Block): boolean {
  return address.kind() === block[0].kind() && address.match(block);
}

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const IPV4_IN_TRANSLATED = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const IPV4_IN_TUNNELLED = ipaddr.IPv6.parseCIDR('2002::/16');

/**
 * True for an address that can be reached directly over the internet: not private, loopback, link-local, shared,
 * multicast, unspecified, reserved or for documentation (IANA's special-purpose registries). An IPv6 address that
 * embeds an IPv4 address for a translator or a tunnel counts as the IPv4 address.
 */
export function isPublicAddress(address: Address): boolean {
  if (!('parts' in address)) return address.range() === 'unicast';
  const bytes = address.toByteArray();
  if (address.match(IPV4_IN_TRANSLATED)) return isPublicAddress(new ipaddr.IPv4(bytes.slice(12)));
  if (address.match(IPV4_IN_TUNNELLED)) return isPublicAddress(new ipaddr.IPv4(bytes.slice(2, 6)));
  return address.match(GLOBAL_IPV6) && address.range() === 'unicast';
}
