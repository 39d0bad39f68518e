import type { AuditEventView, AuditStatus } from '@stet/contract';
import { screen } from '@testing-library/react';
import { startFakeServer } from './fake-server.ts';
import type { FakeServer } from './fake-server.ts';
import { aToken, aUser } from './records.ts';
import { renderApp } from './render-app.tsx';

const hash = (seq: number): string => seq.toString(16).padStart(64, 'a');
/** A verification that has just finished. */
export const aVerification = (): NonNullable<AuditStatus['verification']> => ({
  state: 'ok',
  startedAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
  done: 18_204,
  total: 18_204,
  firstBadSeq: null,
  problem: null,
  sentence: null,
});
export const aStatus = (change: Partial<AuditStatus> = {}): AuditStatus => ({
  events: 18_204,
  eventsInRange: 1932,
  firstAt: '2025-03-03T08:00:00.000Z',
  head: { seq: 18_204, hash: hash(18_204), at: '2026-11-20T14:32:07.000Z' },
  checkpoint: { size: 18_204, at: '2026-11-20T14:33:00.000Z', note: 'stet/…' },
  key: 'stet/org+01234567+AAAA',
  verification: aVerification(),
  ...change,
});
export const anEvent = (change: Partial<AuditEventView> = {}): AuditEventView => ({
  seq: 18_199,
  at: '2026-11-20T11:52:41.123456Z',
  actor: { id: 'u1', name: 'Jonas Weber', email: 'jonas@haldenworks.example', kind: 'user' },
  action: 'draft.changes_requested',
  subject: { type: 'version', id: '0199aaaa-0000-7000-8000-00008f31c2d0', name: null },
  run: null,
  step: null,
  sessionId: '0199aaaa-0000-7000-8000-000077d0b31c',
  data: { key: 'vendor-onboarding', contentHash: 'ab'.repeat(32), comment: 'Please say which list counts.' },
  isErased: false,
  prev: hash(18_198),
  hash: hash(18_199),
  ...change,
});
export const ofRun = anEvent({
  seq: 18_198,
  at: '2026-11-19T10:00:00.000001Z',
  actor: { id: 'system', name: 'system', email: null, kind: 'system' },
  action: 'sla.at_risk',
  subject: { type: 'run', id: 'r1', name: null },
  run: { id: '0199aaaa-0000-7000-8000-000000000009', name: 'Nordlicht GmbH' },
  step: { id: 'assess', title: 'Assess risk tier' },
  sessionId: null,
  data: { stepId: 'assess' },
  hash: hash(18_198),
});

/** Serves the status of a verified chain, and two of its events. */
export function startAuditServer(): FakeServer {
  return startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/organizations/*/users', {
      json: [{ id: 'u1', name: 'Jonas Weber', email: 'j@x.example', role: 'editor' }],
    })
    .on('GET /api/audit/status', { json: aStatus() })
    .on('GET /api/audit/events', { json: [anEvent(), ofRun] });
}

export const openAudit = (address = '/app/audit') => renderApp(address, { token: aToken() });
export const row = (name: RegExp) => screen.findByRole('row', { name });
