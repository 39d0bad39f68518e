// In Node and in browsers; this package's compiler knows neither.
declare const URL: new (address: string) => { hostname: string };

/**
 * The one spelling of an email address, so that one mailbox doesn't become several accounts: lower case, and the domain
 * in ASCII (UTS 46), as mail programs look it up. `Mara@ｃorp.example` is `mara@corp.example`. Null if the domain can't
 * be a domain, or if the local part has characters that only look like others (changed by Unicode's NFKC, or invisible).
 */
export function canonicalEmail(text: string): string | null {
  const address = text.trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (local !== local.normalize('NFKC') || /\p{C}/u.test(local)) return null;
  const ascii = isAscii(domain) ? domain : asciiDomain(domain);
  return ascii === null ? null : `${local}@${ascii}`;
}

const isAscii = (text: string): boolean => /^[\u0020-\u007E]*$/.test(text);

function asciiDomain(domain: string): string | null {
  // The address of a web server could also have a port, a path or an escaped character.
  if (/[%/?#:@[\]\\]/.test(domain.normalize('NFKC'))) return null;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return null;
  }
}
