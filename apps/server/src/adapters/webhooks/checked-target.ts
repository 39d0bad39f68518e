import { type Address, isInBlock, isPublicAddress, parseAddress, parseBlock } from '@stet/domain/webhooks';

/** Returns all addresses of a host name. Rejects, or returns none, if it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** A checked destination. The server connects to its address without another lookup. */
export type Target = { url: URL; hostname: string; address: string };

export type Checked = { ok: true; target: Target } | { ok: false; problem: string };

const refused = (problem: string): Checked => ({ ok: false, problem });

/**
 * Returns the target of a URL if it is allowed. This is the case if `allow` lists its name or all its addresses, or if
 * it uses https and each of its addresses is listed or on the public internet. `allow` contains host names,
 * `*.example.internal` for subdomains, addresses and blocks.
 */
export async function checkTarget(text: string, allow: readonly string[], resolve: Resolve): Promise<Checked> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol)) return refused('is not an https:// address');
  if (url.username !== '' || url.password !== '') return refused('must not contain a user name or password');
  if (url.port === '0') return refused("has a port that can't be used");
  // `URL` normalizes every notation of an IPv4 address to dotted decimal, and puts IPv6 addresses in brackets.
  const hostname = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const literal = parseAddress(hostname);
  const addresses = literal ? [hostname] : await resolve(hostname).catch(() => []);
  const [address] = addresses;
  const isNamed = allow.some((entry) => isHost(hostname, entry));
  // The message is the same as below, so that webhooks can't reveal which names exist in this network.
  if (hostname === '' || address === undefined)
    return refused(isNamed ? "has a host name that can't be found" : 'is not on the public internet');
  const judged = addresses.map((each) => judge(each, allow));
  // A single forbidden address is enough to refuse the name.
  if (!isNamed && judged.includes('refused')) return refused('is not on the public internet');
  const isListed = isNamed || judged.every((each) => each === 'listed');
  if (url.protocol === 'http:' && !isListed) return refused('must begin with https://');
  return { ok: true, target: { url, hostname, address } };
}

function judge(address: string, allow: readonly string[]): 'listed' | 'public' | 'refused' {
  const parsed = parseAddress(address);
  if (!parsed) return 'refused';
  if (allow.some((entry) => isAddressOf(parsed, entry))) return 'listed';
  return isPublicAddress(parsed) ? 'public' : 'refused';
}

function isAddressOf(address: Address, entry: string): boolean {
  const block = parseBlock(entry);
  return block !== null && isInBlock(address, block);
}

function isHost(hostname: string, entry: string): boolean {
  return entry.startsWith('*.') ? hostname.endsWith(entry.slice(1)) : hostname === entry;
}
