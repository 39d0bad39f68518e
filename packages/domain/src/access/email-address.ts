// `URL` exists in Node and in browsers, but this package is compiled without the types of either.
declare const URL: new (address: string) => { hostname: string };

/**
 * Returns the canonical spelling of an email address, so that one mailbox doesn't become several accounts. It is in
 * lower case, and its domain is in ASCII (UTS 46), as mail servers look it up. `Mara@ｃorp.example` is
 * `mara@corp.example`. Null without an `@`, if a domain that isn't ASCII is invalid, or if the local part has
 * characters that only look like others (changed by Unicode's NFKC, or invisible). An ASCII address isn't checked any
 * further.
 */
export function canonicalEmail(text: string): string | null {
  const address = text.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  if (at === -1) return null;
  if (isAscii(address)) return address;
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (local !== local.normalize('NFKC') || /\p{C}/u.test(local)) return null;
  const ascii = isAscii(domain) ? domain : asciiDomain(domain);
  return ascii === null ? null : `${local}@${ascii}`;
}

/** Returns the address as typed but in lower case, followed by its canonical spelling if that differs. */
export function spellingsOf(email: string): string[] {
  const typed = email.trim().toLowerCase();
  return [...new Set([typed, canonicalEmail(typed) ?? typed])];
}

const isAscii = (text: string): boolean => /^[\u0020-\u007E]*$/.test(text);

function asciiDomain(domain: string): string | null {
  // `URL` would accept a port, a path or an escaped character, but a mail domain can't contain them.
  if (/[%/?#:@[\]\\]/.test(domain.normalize('NFKC'))) return null;
  try {
    const { hostname } = new URL(`http://${domain}`);
    // `URL` accepts separators such as `;`, which end an address in a mail header.
    return /^[\w-]+(?:\.[\w-]+)+$/.test(hostname) ? hostname : null;
  } catch {
    return null;
  }
}
