import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseAccount, unprivilegedAccount } from './account.ts';

const missing = path.join(os.tmpdir(), 'stet-no-such-cluster');

describe('the account that PostgreSQL runs as', () => {
  it('is this process’s account if that isn’t root', () => {
    expect(chooseAccount(missing, 1000)).toEqual({ kind: 'self' });
  });

  it('is refused if the cluster belongs to a different user', () => {
    const { uid } = fs.statSync('/');
    expect(() => chooseAccount('/', uid + 1)).toThrow(/belongs to user id/);
  });

  it('is postgres rather than nobody if both exist', () => {
    const passwd = 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false\npostgres:x:101:104::/:/bin/sh\n';
    expect(unprivilegedAccount(passwd)).toEqual({ kind: 'other', uid: 101, gid: 104 });
  });

  it('never has user id 0, whatever its name', () => {
    expect(() => unprivilegedAccount('postgres:x:0:0::/:/bin/sh\n')).toThrow(/neither a "postgres" nor a "nobody"/);
  });
});
