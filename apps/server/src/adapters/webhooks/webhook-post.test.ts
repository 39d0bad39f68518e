import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Listener, startListener } from '../../testing/webhook-listener.ts';
import { openWebhookPost } from './webhook-post.ts';

const request = (url: string) => ({ url, headers: {}, body: '{}' });

describe('a request to a user-supplied address', () => {
  let inside: Listener;
  let port: string;

  beforeAll(async () => {
    inside = await startListener();
    port = new URL(inside.url).port;
  });
  afterAll(() => inside.stop());

  /** Addresses of this machine and of other networks that aren't public, in many notations. */
  const corpus = (): string[] =>
    [
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '0x7f.0.0.1',
      '0x7F.1',
      '0177.0.0.1',
      '017700000001',
      '127.000.000.001',
      '127.0.0.1.',
      '%31%32%37.0.0.1',
      '１２７.０.０.１',
      '①②⑦.0.0.1',
      '127。0。0。1',
      '0',
      '0.0.0.0',
      '0x0',
      '10.0.0.1',
      '192.168.0.1',
      '172.16.0.1',
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[fe80::1]',
      '[fc00::1]',
      '[fd00::1]',
      '[ff02::1]',
      '[2001:db8::1]',
    ].flatMap((host) => [`http://${host}:${port}/hook`, `https://${host}:${port}/hook`]);

  it("can't reach any address that isn't public, whatever its notation", async () => {
    const post = openWebhookPost([]);
    for (const url of corpus()) {
      expect({ url, problem: await post.problemOf(url) }).toEqual({ url, problem: 'is not on the public internet' });
      expect(await post.send(request(url))).toMatchObject({ ok: false, status: null });
    }
    expect(inside.received).toEqual([]);
  });

  it("can't reach any host name of this machine", async () => {
    const post = openWebhookPost([]);
    for (const host of ['localhost', 'LOCALHOST', 'localhost.'])
      expect((await post.send(request(`http://${host}:${port}/hook`))).ok).toBe(false);
    expect(inside.received).toEqual([]);
  });

  it('is refused if the host name has no address, or one that is not on the internet', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '10.0.0.1'],
      ['::1', '2606:4700::1111'],
      ['fe80::1%eth0'],
      [],
    ]) {
      const post = openWebhookPost([], async () => addresses);
      expect((await post.send(request(`https://rebind.example:${port}/`))).ok).toBe(false);
    }
    expect(inside.received).toEqual([]);
  });

  it("is refused with the same message for an internal name and a name that doesn't exist", async () => {
    for (const scheme of ['http', 'https'])
      for (const addresses of [['10.1.2.3'], [], ['8.8.8.8', '10.0.0.1']]) {
        const post = openWebhookPost([], async () => addresses);
        expect(await post.problemOf(`${scheme}://name.example/`)).toBe('is not on the public internet');
      }
  });

  it('connects to the address that was checked, even if the name later resolves to a different one', async () => {
    let lookups = 0;
    // The first lookup returns an allowed address where nothing listens. The second one returns this machine.
    const rebinding = async (): Promise<string[]> => [(lookups += 1) === 1 ? '127.9.9.9' : '127.0.0.1'];
    const post = openWebhookPost(['127.9.9.9'], rebinding);
    const outcome = await post.send(request(`http://rebind.example:${port}/hook`));
    expect(outcome).toMatchObject({ ok: false, problem: 'The connection was refused' });
    expect(lookups).toBe(1);
    expect(inside.received).toEqual([]);
  });

  it("doesn't follow redirects", async () => {
    const other = await startListener();
    try {
      inside.answer({ redirectTo: other.url });
      const post = openWebhookPost(['127.0.0.1']);
      expect(await post.send(request(inside.url))).toMatchObject({
        ok: false,
        status: 307,
        problem: "The server responded with a redirect, which Stet doesn't follow",
      });
      expect(other.received).toEqual([]);
    } finally {
      inside.answer(200);
      inside.received.length = 0;
      await other.stop();
    }
  });

  it('can reach targets that the installation allows by name, subdomain, address or block', async () => {
    const here = async (): Promise<string[]> => ['127.0.0.1'];
    const cases: [string, string[]][] = [
      [`http://hooks.internal:${port}/a`, ['hooks.internal']],
      [`http://a.b.internal:${port}/b`, ['*.internal']],
      [`http://127.0.0.1:${port}/c`, ['127.0.0.1']],
      [`http://anything.example:${port}/d`, ['127.0.0.0/8']],
    ];
    for (const [url, allow] of cases)
      expect(await openWebhookPost(allow, here).send(request(url))).toMatchObject({ ok: true, status: 200 });
    expect(inside.received.map(({ path }) => path)).toEqual(['/a', '/b', '/c', '/d']);
    expect(inside.received[0]?.headers.host).toBe(`hooks.internal:${port}`);
    for (const [url, allow] of [
      [`http://internal:${port}/`, ['*.internal']],
      [`http://evil-hooks.internal:${port}/`, ['hooks.internal']],
      [`http://hooks.internal.example:${port}/`, ['hooks.internal']],
    ] as const)
      expect((await openWebhookPost(allow, here).send(request(url))).ok).toBe(false);
    inside.received.length = 0;
  });

  it('requires https on the internet, and refuses credentials and anything that is not a web address', async () => {
    const post = openWebhookPost([], async () => ['8.8.8.8']);
    expect(await post.problemOf('https://hooks.example/')).toBeNull();
    expect(await post.problemOf('http://hooks.example/')).toBe('must begin with https://');
    expect(await post.problemOf('https://user:secret@hooks.example/')).toMatch(/password/);
    for (const url of [
      '',
      'hooks.example',
      'ftp://hooks.example/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://',
      'unix:/tmp/a',
    ])
      expect(await post.problemOf(url)).toBe('is not an https:// address');
  });
});
