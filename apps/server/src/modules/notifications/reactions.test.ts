import { AUDIT_ACTIONS } from '@stet/domain/audit';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { REACTIONS } from './reactions.ts';

const MODULES = fileURLToPath(new URL('..', import.meta.url));
const TABLES = [
  'notifications',
  'notification_preferences',
  'digests',
  'slack_messages',
  'role_notifications',
  'role_notification_reads',
  'role_notification_marks',
];
const WRITE = new RegExp(String.raw`\b(?:insert into|update|delete from)\s+(?:${TABLES.join('|')})\b`);
/** Jobs that notify someone. */
const TASKS = /'(?:mail_notice|tell_in_slack|refresh_in_slack|send_digest|notify_assignee)'/;

const sources = ['..', '../../db', '../../http', '../../kernel']
  .map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
const matching = (pattern: RegExp): string[] =>
  sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map((file) => file.replace(MODULES, ''));

describe('notifications', () => {
  it('have an entry for every audit action, even if it is empty', () => {
    expect(AUDIT_ACTIONS.filter((action) => !(action in REACTIONS))).toEqual([]);
  });

  it('are written and sent only by this module', () => {
    const all = [...matching(WRITE), ...matching(TASKS)];
    expect(all.length).toBeGreaterThan(5);
    expect(all.filter((file) => !file.startsWith('notifications/'))).toEqual([]);
  });
});
