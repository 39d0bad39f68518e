import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromRoot } from './lib/paths.mjs';

const read = (/** @type {string} */ file) => fs.readFileSync(fromRoot('deploy', 'systemd', file), 'utf8');
const UNITS = ['stet.service', 'stet-backup.service', 'stet-backup.timer'];
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

/** The values of a setting, in order. */
const valuesOf = (/** @type {string} */ unit, /** @type {string} */ name) =>
  read(unit)
    .split('\n')
    .flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []));

describe('the systemd units', () => {
  it.skipIf(!hasSystemd)('are accepted by systemd without a warning', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-units-'));
    for (const unit of UNITS) {
      // Node may be elsewhere on this machine.
      const text = read(unit).replaceAll('/usr/bin/node', process.execPath);
      fs.writeFileSync(path.join(folder, unit), text);
    }
    const { stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', ...UNITS.map((unit) => path.join(folder, unit))],
      {
        encoding: 'utf8',
      },
    );
    fs.rmSync(folder, { recursive: true });
    const about = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(folder) || line.includes('stet'));
    expect(about).toEqual([]);
  });

  it.each(['stet.service', 'stet-backup.service'])('%s starts a program that the build creates', (unit) => {
    const [command = ''] = valuesOf(unit, 'ExecStart');
    const entry = /apps\/server\/dist\/([\w-]+)\.js/.exec(command)?.[1];
    expect(fs.existsSync(fromRoot('apps', 'server', 'src', `${entry}.ts`))).toBe(true);
  });

  it.each(['stet.service', 'stet-backup.service'])(
    '%s gains no privileges and writes only to its own folders',
    (unit) => {
      for (const [name, value] of [
        ['User', 'stet'],
        ['NoNewPrivileges', 'yes'],
        ['CapabilityBoundingSet', ''],
        ['ProtectSystem', 'strict'],
        ['ProtectHome', 'yes'],
        ['PrivateTmp', 'yes'],
      ])
        expect(valuesOf(unit, name)).toEqual([value]);
    },
  );

  it('use one data directory, and a socket outside the private /tmp', () => {
    for (const unit of ['stet.service', 'stet-backup.service'])
      expect(valuesOf(unit, 'Environment')[0]).toContain('DATA_DIR=/var/lib/stet');
    expect(valuesOf('stet.service', 'Environment')).toContain('TMPDIR=/run/stet');
    expect(valuesOf('stet.service', 'RuntimeDirectory')).toEqual(['stet']);
  });

  it('come with a valid shell script that runs commands', () => {
    expect(() => execFileSync('sh', ['-n', fromRoot('deploy', 'systemd', 'stet')])).not.toThrow();
  });
});
