import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '../db/embedded/start-embedded-postgres.ts';
import { migrate } from '../db/migrate.ts';
import { MIGRATIONS_DIRECTORY } from '../db/migration-files.ts';
import { ownerClient } from '../db/pool.ts';
import { type TestServer, startTestServer } from '../testing/server.ts';
import { type Command, CommandProblem } from './command.ts';
import { stet } from './stet.fixture.ts';

describe('the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stet-cli-test-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([[[]], [['--help']], [['help']], [['-h']], [['waitlist', '--help']]])(
    'lists its commands for %j',
    async (args) => {
      const { code, out, stderr } = await stet(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(out).toContain('waitlist export');
    },
  );

  it.each(['--version', '-V'])('prints its version with %s', async (option) => {
    const { code, out, stderr } = await stet([option]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(out).toMatch(/^stet \d+\.\d+\.\d+ \((commit \S+, )?schema \d{4}_\w+\)\n$/);
  });

  it('shows the help of a command', async () => {
    const { code, out } = await stet(['waitlist', 'export', '--help']);
    expect(code).toBe(0);
    for (const option of ['--applications', '--out FILE', '--help']) expect(out).toContain(option);
  });

  it.each([
    [['nonsense'], 'Unknown command "nonsense"'],
    [['waitlist'], 'waitlist export'],
    [['waitlist', 'export', '--nonsense'], "'--nonsense'"],
    [['waitlist', 'export', '--out'], "'--out"],
    [['waitlist', 'export', 'surplus'], 'unexpected argument "surplus"'],
  ])('exits with 2 for %j and gives the reason', async (args, why) => {
    const { code, out, stderr } = await stet(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(stderr).toContain(why);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each([
    [{ DATA_DIR: folder }, 'There is no installation in'],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/stet' }, 'The database is not responding'],
    [{ DATABASE_URL: 'no address' }, 'DATABASE_URL must be'],
  ])('exits with 1 for %j and reports that there is no usable installation', async (env, why) => {
    const { code, out, stderr } = await stet(['waitlist', 'export'], env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(stderr).toContain(why);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('returns the exit code of a command or of its problem, and 0 without a message if the reader closed the pipe', async () => {
    const base = {
      name: 'do it',
      summary: '',
      help: '',
      options: { loud: { type: 'boolean' } },
      positionals: { min: 1, max: 1 },
    } as const;
    const answering = {
      ...base,
      run: async ({ positionals, options }: Parameters<Command['run']>[0]) =>
        positionals[0] === 'now' && options['loud'] === true ? 7 : 1,
    };
    expect(await stet(['do', 'it', '--loud', 'now'], {}, { commands: [answering] })).toMatchObject({ code: 7 });
    expect(await stet(['do', 'it'], {}, { commands: [answering] })).toMatchObject({ code: 2 });
    const throwing = (error: Error): Command => ({ ...base, run: () => Promise.reject(error) });
    expect(
      await stet(
        ['do', 'it', 'now'],
        {},
        { commands: [throwing(Object.assign(new Error('gone'), { code: 'EPIPE' }))] },
      ),
    ).toMatchObject({ code: 0, stderr: '' });
    expect(
      await stet(['do', 'it', 'now'], {}, { commands: [throwing(new CommandProblem('Not today', 3))] }),
    ).toMatchObject({
      code: 3,
      stderr: 'Not today\n',
    });
  });
});

describe('audit verify', () => {
  it('loads no database or server code', async () => {
    const { build } = await import('esbuild');
    const { metafile } = await build({
      entryPoints: [
        fileURLToPath(new URL('audit-verify.ts', import.meta.url)),
        fileURLToPath(new URL('../cli-main.ts', import.meta.url)),
      ],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      outdir: '/nowhere',
      absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
      packages: 'external',
      alias: {
        '@stet/domain/audit': fileURLToPath(new URL('../../../../packages/domain/src/audit/index.ts', import.meta.url)),
      },
    });
    const seen = new Set<string>();
    const walk = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const { path, kind } of metafile.inputs[file]?.imports ?? []) if (kind !== 'dynamic-import') walk(path);
    };
    walk('cli-main.ts');
    walk('cli/audit-verify.ts');
    expect([...seen]).toContain('cli/audit-verify.ts');
    expect([...seen].filter((file) => /^(?:pg|db\/|kernel\/|modules\/|adapters\/|http\/)/.test(file))).toEqual([]);
  });
});

describe('the verifier', () => {
  it('imports only types and `findings.ts` from the rest of the domain, so it shares no code with the writer of the trail', () => {
    const folder = new URL('../../../../packages/domain/src/audit/verifier/', import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !/\.(?:test|arbitrary)\.ts$/.test(file));
    const foreign = files.flatMap((file) =>
      [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^import (?!type )[^;]*? from '(\.\.[^']*)';/gm)].map(
        ([, path]) => path,
      ),
    );
    expect(files.length).toBeGreaterThan(5);
    expect(new Set(foreign)).toEqual(new Set(['../findings.ts']));
  });
});

describe('waitlist export', () => {
  let server: TestServer;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = await startTestServer();
    env = { DATABASE_URL: server.database.url };
  });
  afterAll(() => server.stop());

  it('writes one line per address, oldest first, also for more addresses than fit in a batch', async () => {
    expect(await stet(['waitlist', 'export'], env)).toMatchObject({ code: 0, out: '"email","joined_at"\r\n' });
    await server.sql(
      `insert into waitlist (email, created_at) select 'person-' || n || '@example.com', '2030-01-01T00:00:00Z'::timestamptz + n * interval '1 minute' from generate_series(1, 2500) n`,
    );
    const { code, out, stderr } = await stet(['waitlist', 'export'], env);
    const lines = out.split('\r\n');
    expect(code).toBe(0);
    expect(lines).toHaveLength(2502);
    expect(lines.slice(0, 3)).toEqual([
      '"email","joined_at"',
      '"person-1@example.com","2030-01-01T00:01:00Z"',
      '"person-2@example.com","2030-01-01T00:02:00Z"',
    ]);
    expect(stderr).toBe('2500 on the waitlist\n');
  });

  it('neutralizes formulas in applications, and writes to a file that only its owner can read', async () => {
    await server.anyone.post('/api/waitlist/priority-application', {
      email: '+formula@example.com',
      role: 'Other',
      otherRole: '=HYPERLINK("http://evil.example","Click")',
      documentationTools: ['Notion', 'Other'],
      otherDocumentationTool: '@SUM(A1)',
      frustrations: '-2+3\nand a second line',
      processTypes: '  \t tab',
      frequency: 'Daily',
    });
    const file = join(server.dataDir, 'applications.csv');
    const { code, out, stderr } = await stet(['waitlist', 'export', '--applications', '--out', file], env);
    expect({ code, out, stderr }).toEqual({ code: 0, out: '', stderr: `1 application, written to ${file}\n` });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(
      `"'+formula@example.com","Other","'=HYPERLINK(""http://evil.example"",""Click"")","Notion; Other","'@SUM(A1)",`,
    );
    expect(text).toContain(`"'-2+3\nand a second line","tab",`);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(await stet(['waitlist', 'export', '--out', '/nowhere/at/all.csv'], env)).toMatchObject({ code: 1, out: '' });
  });

  it('reports a database that is older than the command', async () => {
    await server.sql('alter table waitlist rename to old_waitlist');
    expect(await stet(['waitlist', 'export'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('older version') as string,
    });
  });
});

describe('waitlist export from an embedded database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'stet-cli-embedded-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('is the same whether or not a server is using the data directory', async () => {
    const log = { info() {}, warn() {}, error() {} };
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
    const { connection } = postgres;
    await migrate({ connect: () => ownerClient(connection), directory: MIGRATIONS_DIRECTORY, log });
    const client = ownerClient(connection);
    await client.connect();
    await client.query(`insert into waitlist (email) values ('ada@example.com')`);
    await client.end();

    const running = await stet(['waitlist', 'export'], { DATA_DIR: dataDir });
    expect(running).toMatchObject({ code: 0, stderr: '1 on the waitlist\n' });
    await postgres.stop();
    expect(await stet(['waitlist', 'export'], { DATA_DIR: dataDir })).toEqual(running);
    // The command leaves nothing that would prevent a server from starting.
    const again = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
    await again.stop();
  }, 60_000);
});
