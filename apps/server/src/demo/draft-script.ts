import { DAY_MS } from '@stet/domain/sla';
import type { Step } from '@stet/domain/steps';
import type { Who } from './cast.ts';
import type { Ended } from './when.ts';

/** An action on a draft. The first action of a script is a save, which creates the draft. */
export type DraftAct =
  | { do: 'save'; by: Who; steps: Step[] }
  | { do: 'submit'; by: Who; summary?: string }
  | { do: 'comment'; by: Who; body: string; stepId?: string }
  | { do: 'request-changes'; by: Who; comment: string }
  | { do: 'approve'; by: Who; comment?: string }
  | { do: 'merge'; by: Who };

export type DraftScript = { acts: readonly DraftAct[]; ended: Ended };

export type DemoWorkflow = {
  key: string;
  metadata: { title: string; description: string };
  /** The drafts of a workflow, oldest version first. Each script ends in a merge. */
  versions: readonly DraftScript[];
  openDraft?: DraftScript;
  rollback?: { by: Who; to: number; reason: string; agoMs: number };
  archived?: { by: Who; agoMs: number };
};

export const save = (by: Who, steps: Step[]): DraftAct => ({ do: 'save', by, steps });
/** `summary` says what changes and why. */
export const submit = (by: Who, summary?: string): DraftAct => ({
  do: 'submit',
  by,
  ...(summary !== undefined && { summary }),
});
export const comment = (by: Who, body: string, stepId?: string): DraftAct => ({
  do: 'comment',
  by,
  body,
  ...(stepId !== undefined && { stepId }),
});
export const requestChanges = (by: Who, text: string): DraftAct => ({ do: 'request-changes', by, comment: text });
export const approve = (by: Who, text?: string): DraftAct => ({
  do: 'approve',
  by,
  ...(text !== undefined && { comment: text }),
});
export const merge = (by: Who): DraftAct => ({ do: 'merge', by });

/** A version that was merged without any request for changes. */
export const merged = (daysAgo: number, by: Who, reviewer: Who, steps: Step[], remark?: string): DraftScript => ({
  // A merge less than a day ago happens at exactly that time, and an older one during working hours.
  ended: daysAgo < 1 ? { last: daysAgo * DAY_MS } : { daysAgo },
  acts: [save(by, steps), submit(by), approve(reviewer, remark), merge(reviewer)],
});
