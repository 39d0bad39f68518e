import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import * as table from '../packages/domain/src/defaults/table.ts';
import { ROOT } from './lib/paths.mjs';

const SOURCES = ['packages/domain/src', 'packages/contract/src', 'apps/server/src', 'apps/web/src'];
/** What tells a story or tests one says its figures itself; a migration that has run can't be changed. */
const STORIES = /\.(?:test|sample|arbitrary|model|scenario)\.tsx?$|\/(?:testing|demo)\//;

/** How a second copy of each constant would be written, with a line that stood there once. */
const COPIES = /** @type {[pattern: RegExp, once: string][]} */ ([
  [/\b8_?000\b/, 'export const POLL_MS = 8000;'],
  [/\b3_?500\b/, 'export const TOAST_MS = 3500;'],
  [/(?:LEAVE|REDIRECT|AFTER)\w* = (?:3_?000|800)\b/, 'const REDIRECT_MS = 800;'],
  [/\brun(?:\.id|Id)\.slice\(0, 8\)/i, 'const short = runId.slice(0, 8);'],
  [/nameMin: 3\b|\.min\(3, .*name/i, ".min(3, 'Run name must be')"],
  [/Run name must be at (?:least|most) \d|at most 500 characters/, "'Run name must be at most 100 characters long'"],
  [
    /description\w*: (?:500\b|z\.string\(\)\.trim\(\)\.max\(500\))/,
    'description: z.string().trim().max(500).nullish(),',
  ],
  [/(?:priority: |sample: |default\(|\?\? )'medium'/, "priority: z.enum(PRIORITIES).default('medium'),"],
  [/\bQUICK\w* = 3\b/, 'const QUICK = 3;'],
  [/PASSWORD\w* = 6\b|at least 6 characters|^\s*\.min\(6\b/, 'export const PASSWORD_MINIMUM = 6;'],
  [/SLUG\w* = 30\b|maxLength=\{30\}/, 'export const ORGANIZATION_SLUG_LIMIT = 30;'],
  [/otherRole.*length > ?1\b/, 'return role !== OTHER || otherRole.trim().length > 1;'],
  [/\b10_?080\b/, "expires_at = now() + interval '10080 minutes'"],
  [/\b(?:PREVIEW\w*|DETAILED\w*|LEGACY\w*) = 5\b/, 'const PREVIEW = 5;'],
  [/detailed: 200\b/, 'export const DIFF_LIMITS = { detailed: 200, most: 1000 } as const;'],
  [/DRAG\w* = 5\b|distance: 5\b/, 'const DRAG_START_PX = 5;'],
  [/maxDays: 30|maxHours: 23|maxMinutes: 55|minuteStep: 5/, 'export const POPOVER_RANGE = { maxDays: 30 } as const;'],
  [/width[^\n]{0,12}\b420\b/, '<SidePanel width={420}>'],
  [/^\s*sla: '1 day',|\?\? '1 day'/, "  sla: '1 day',"],
  [/(?:manual|approval|automated|condition|notification): \{ sla: '/, "manual: { sla: '24h', config: {} },"],
  [/(?:minimumApprovers|timeout) \?\? \d/, '= STEP_DEFAULTS.automated.config.timeout ?? 0'],
  [/timeout = 300\b/, 'const { script, timeout = 300 } = step.config;'],
  [/scriptMs: 60_?000\b|\bLONGEST = 3_?600\b|timeout: .*\.max\(3_?600\)/, '  scriptMs: 60_000,'],
  [/runs longer than \d+ seconds/, '"No script runs longer than 60 seconds"'],
  [
    /(?:waitMs: 2_?000\b|failureRate: [\d.]+)/,
    'export const SIMULATION = { waitMs: 2000, failureRate: 0.1 } as const;',
  ],
]);

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(file);
    return /\.tsx?$/.test(entry.name) && !STORIES.test(file) ? [file] : [];
  });
}

describe('the table of business constants', () => {
  it('has what section 9 of the specification says', () => {
    expect(table).toMatchObject({
      REFRESH_MS: 8000,
      TOAST_MS: 3500,
      REDIRECT_MS: { afterRun: 3000, afterSignup: 800 },
      RUN_LIMITS: { nameMin: 3, nameMax: 100, description: 500 },
      RUN_DEFAULTS: { priority: 'medium' },
      QUICK_SUGGESTIONS: 3,
      PASSWORD_MINIMUM: 6,
      ORGANIZATION_SLUG_LIMIT: 30,
      INVITATION_MINUTES: 7 * 24 * 60,
      PREVIEW_STEPS: 5,
      DIFF_LIMITS: { detailed: 200, legacy: 5 },
      DRAG_PX: { start: 5, key: 25 },
      POPOVER_RANGE: { maxDays: 30, maxHours: 23, maxMinutes: 55, minuteStep: 5 },
      PANEL_PX: 420,
      STEP_DEFAULTS: {
        manual: { sla: '24h', config: { assignedRole: 'editor' } },
        approval: { sla: '48h', config: { minimumApprovers: 1 } },
        automated: { sla: '5m', config: { timeout: 300 } },
        condition: { sla: '1m' },
        notification: { sla: '5m' },
      },
      SCRIPT_SECONDS: { longestTimeout: 3600, ceiling: 60 },
      SIMULATION: { waitMs: 2000, failureRate: 0.1, reportedMs: { least: 1000, most: 6000 } },
    });
    expect(table.RUN_NAME_PROBLEMS.short).toContain(` ${table.RUN_LIMITS.nameMin} `);
    expect(table.RUN_NAME_PROBLEMS.long).toContain(` ${table.RUN_LIMITS.nameMax} `);
    expect(table.PASSWORD_TOO_SHORT).toContain(` ${table.PASSWORD_MINIMUM} `);
    expect(table.SCRIPT_CEILING_HINT).toContain(` ${table.SCRIPT_SECONDS.ceiling} seconds`);
    expect(table.runShortId('0123456789')).toBe('01234567');
  });

  it('is the only place of each of them', () => {
    const copies = SOURCES.flatMap((folder) => filesIn(path.join(ROOT, folder)))
      .filter((file) => !file.endsWith(path.join('defaults', 'table.ts')))
      .flatMap((file) =>
        fs
          .readFileSync(file, 'utf8')
          .split('\n')
          .flatMap((line, at) => {
            const said = line.replace(/^\s*(?:\/\*\*|\*|\/\/).*/, '').replace(/ \/\/ .*/, '');
            return COPIES.some(([pattern]) => pattern.test(said))
              ? [`${path.relative(ROOT, file)}:${at + 1}: ${line.trim()}`]
              : [];
          }),
      );
    expect(copies).toEqual([]);
  });

  it.each(COPIES)('would notice a copy by %s', (pattern, once) => {
    expect(once).toMatch(pattern);
  });

  it('agrees with the theme and the schema, which can not read it', () => {
    const read = (/** @type {string} */ file) => fs.readFileSync(path.join(ROOT, file), 'utf8');
    expect(read('apps/web/src/ui/theme/tokens.css')).toContain(`--w-panel: ${table.PANEL_PX}px;`);
    expect(read('apps/server/src/db/migrations/0002_people.sql')).toContain(
      `now() + interval '${table.INVITATION_MINUTES} minutes'`,
    );
  });
});
