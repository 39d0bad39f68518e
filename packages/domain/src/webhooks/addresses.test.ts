import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInBlock, isPublicAddress, parseAddress, parseBlock } from './addresses.ts';

const isPublic = (text: string): boolean | null => {
  const address = parseAddress(text);
  return address && isPublicAddress(address);
};

describe('an IP address', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a00:1',
    '::ffff:8.8.8.8',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2002:c0a8:101::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '[::1]',
  ])('%s is not public', (text) => {
    expect(isPublic(text)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('%s is public', (text) => {
    expect(isPublic(text)).toBe(true);
  });

  it.each([
    '',
    '1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.01',
    '1.2.3.256',
    '1.2.3.4.5',
    ' 1.2.3.4',
    '1:2',
    ':::',
    '1::2::3',
    '::ffff:127.1',
    'fe80::1%eth0',
    '12345::',
    '1:2:3:4:5:6:7:8:9',
    'localhost',
  ])('%j is refused, because resolvers and parsed URLs never return such an address', (text) => {
    expect(parseAddress(text)).toBeNull();
  });

  it('is never public if it is an IPv4 address mapped into IPv6, because no resolver should return one', () => {
    const part = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(part, part, part, part), (four) => {
        expect(isPublic(`::ffff:${four.join('.')}`)).toBe(false);
      }),
    );
  });

  it('belongs to a block if the block is valid, of the same family, and has the same leading bits', () => {
    const address = parseAddress('10.1.2.3');
    if (!address) throw new Error('not an address');
    const within = (block: string): boolean | null => {
      const read = parseBlock(block);
      return read && isInBlock(address, read);
    };
    expect(['10.0.0.0/8', '10.1.2.3', '10.1.2.0/30', '0.0.0.0/0'].map(within)).toEqual([true, true, true, true]);
    expect(['10.1.2.4/30', '11.0.0.0/8', '::/0'].map(within)).toEqual([false, false, false]);
    expect(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10/8', 'x/8'].map(within)).toEqual(Array(5).fill(null));
  });
});
