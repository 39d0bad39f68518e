import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { containerOf } from './compose.ts';

const OURS = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');

describe('a service of compose.yaml', () => {
  it('is ours: no rights, nothing to write but its volume and /tmp', () => {
    expect(containerOf(OURS, 'stet')).toEqual({
      environment: { DATA_DIR: '/data', HOST: '0.0.0.0', PORT: '3000' },
      isReadOnly: true,
      tmpfs: [{ at: '/tmp', options: 'noexec,nosuid,nodev,mode=1777,size=256m' }],
      volumes: ['/data'],
      dropsAllCapabilities: true,
      gainsNoPrivileges: true,
    });
  });

  it('is held to nothing that is not said', () => {
    expect(containerOf('services: { stet: { image: stet, tmpfs: [/run] } }', 'stet')).toEqual({
      environment: {},
      isReadOnly: false,
      tmpfs: [{ at: '/run', options: 'noexec,nosuid,nodev' }],
      volumes: [],
      dropsAllCapabilities: false,
      gainsNoPrivileges: false,
    });
  });

  it('that is not there is told', () => {
    expect(() => containerOf(OURS, 'web')).toThrow('compose.yaml has no service web');
  });
});
