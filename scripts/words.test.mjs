import { describe, expect, it } from 'vitest';
import { insteadOf } from './lib/words.mjs';

const refused = [
  ['settleComment', 'resolve'],
  ['useSettling', 'resolve'],
  ['tellOfTask', 'notify'],
  ['TOLD_ELSEWHERE', 'notify'],
  ['news.mail.ts', 'notification'],
  ['listWebhookNotices', 'notification'],
  ['heardAcross', 'receive'],
  ['hangUp', 'disconnect'],
  ['carryOutStep', 'execute'],
  ['leaveJobs', 'enqueue'],
  ['holdDraft', 'lock'],
  ['keep-webhook.ts', 'save'],
  ['tell', 'notify'],
  ['unhushMembers', 'mute'],
];

const allowed = [
  'allSettled',
  'onSettled',
  'newsreader',
  'changes',
  'unchanged',
  'heartbeatMs',
  'keepRunning',
  'threshold',
];
const stored = ['news', 'tell', 'told', 'settled', 'mail_notice', 'tell_in_slack'];

describe('the words', () => {
  it.each(refused)('refuse %s', (name, word) => {
    expect(insteadOf(name)).toContain(word);
  });

  it.each(allowed)('allow %s', (name) => {
    expect(insteadOf(name)).toBeUndefined();
  });

  it.each(stored)('allow the stored name %s as a property only', (name) => {
    expect(insteadOf(name, { isOwn: false })).toBeUndefined();
    expect(insteadOf(name)).toBeTypeOf('string');
  });
});
