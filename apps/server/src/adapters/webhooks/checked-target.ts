import { type AddressBytes, addressBlock, addressBytes, isInBlock, isPublicAddress } from '@stet/domain/webhooks';

/** All addresses of a host name. Rejects where there is none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Where to send: the address has been checked, and nothing is looked up again. */
export type Target = { url: URL; hostname: string; address: string };

export type Checked = { ok: true; target: Target } | { ok: false; problem: string };

const refused = (problem: string): Checked => ({ ok: false, problem });

/**
 * What a URL leads to, if it may be sent to: a name or an address that `allow` lists, or one whose every address is on the
 * internet, and then by https alone. `allow` has host names, `*.example.internal` for those below, addresses and blocks.
 */
export async function checkTarget(text: string, allow: readonly string[], resolve: Resolve): Promise<Checked> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol)) return refused('is not an https:// address');
  if (url.username !== '' || url.password !== '') return refused('must not have a user name or a password in it');
  if (url.port === '0') return refused('has no port that could be reached');
  // A URL writes every notation of an IPv4 address as dotted decimal, and puts IPv6 ones in brackets.
  const hostname = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const literal = addressBytes(hostname);
  const addresses = literal ? [hostname] : await resolve(hostname).catch(() => []);
  const [address] = addresses;
  const isNamed = allow.some((entry) => isHost(hostname, entry));
  // The same sentence as below: whoever adds a webhook doesn't learn which names this network knows.
  if (hostname === '' || address === undefined)
    return refused(isNamed ? 'has a host name that is not known' : 'is not on the public internet');
  const judged = addresses.map((each) => judge(each, allow));
  // One bad address among good ones is enough: which one is taken next time, nobody knows.
  if (!isNamed && judged.includes('refused')) return refused('is not on the public internet');
  const isListed = isNamed || judged.every((each) => each === 'listed');
  if (url.protocol === 'http:' && !isListed) return refused('must begin with https://');
  return { ok: true, target: { url, hostname, address } };
}

function judge(address: string, allow: readonly string[]): 'listed' | 'public' | 'refused' {
  const bytes = addressBytes(address);
  if (!bytes) return 'refused';
  if (allow.some((entry) => isAddressOf(bytes, entry))) return 'listed';
  return isPublicAddress(bytes) ? 'public' : 'refused';
}

function isAddressOf(bytes: AddressBytes, entry: string): boolean {
  const block = addressBlock(entry);
  return block !== null && isInBlock(bytes, block);
}

function isHost(hostname: string, entry: string): boolean {
  return entry.startsWith('*.') ? hostname.endsWith(entry.slice(1)) : hostname === entry;
}
