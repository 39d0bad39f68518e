import type { WorkflowReviews } from '@stet/contract';
import type { MovedClock } from '../../demo/moved-clock.ts';
import { type Chance, chanceOf } from '../governance/random.ts';
import { contentTitled } from '../organization.ts';
import type { Person } from '../server.ts';
import { grouped, monday, percentiles } from './oracle.ts';

type DraftEvent = { draftId: string; action: string; at: number; data: Record<string, unknown> };
type Review = {
  draftId: string;
  key: string;
  version: number | null;
  submitted: number;
  decided: number;
  decision: 'approved' | 'changes_requested';
};

/** Reads the events of drafts from an exported trail. */
const readDraftEvents = (text: string): DraftEvent[] =>
  text
    .split('\n')
    .filter((line) => line.includes('\\"draft.'))
    .map((line) => {
      const { at, payload } = JSON.parse(line) as { at: string; payload: string };
      const { action, subject, data } = JSON.parse(payload) as Omit<DraftEvent, 'at' | 'draftId'> & {
        subject: { id: string };
      };
      return { draftId: subject.id, action: action.slice('draft.'.length), at: Date.parse(at), data };
    });

/**
 * Computes the figures of finished reviews a second time, from the exported trail alone. Unlike the server, it looks
 * back from each decision for the beginning of the review and for the approvals that were valid then.
 */
export class ReviewsOracle {
  readonly #reviews: Review[];

  constructor(exported: string) {
    this.#reviews = [...grouped(readDraftEvents(exported), ({ draftId }) => draftId).values()].flatMap((events) =>
      events.flatMap((_event, n) => reviewEndingAt(events, n) ?? []),
    );
  }

  get all(): readonly Review[] {
    return this.#reviews;
  }

  #of(key: string, version: number | null): Review[] {
    return this.#reviews.filter(
      (review) => review.key === key && (version === null || (review.version ?? 0) === version),
    );
  }

  figures(key: string, version: number | null): Pick<WorkflowReviews, 'all' | 'weeks' | 'versions'> {
    const reviews = this.#of(key, version);
    const byVersion = grouped(reviews, (review) => review.version);
    return {
      all: figuresOf(reviews),
      weeks: [...grouped(reviews, ({ decided }) => monday(decided))]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([week, list]) => ({ week, ...figuresOf(list) })),
      versions: [...byVersion]
        .sort(([one], [other]) => (one ?? Infinity) - (other ?? Infinity))
        .map(([each, list]) => ({ version: each, ...figuresOf(list) })),
    };
  }

  /** The reviews as `draft submitted decided decision version`, the latest decisions first. */
  list(key: string, version: number | null): string[] {
    return this.#of(key, version)
      .sort((one, other) => other.decided - one.decided)
      .map((review) =>
        [
          review.draftId,
          new Date(review.submitted).toISOString(),
          new Date(review.decided).toISOString(),
          review.decision,
          review.version,
        ].join(' '),
      );
  }
}

const figuresOf = (reviews: readonly Review[]) => ({
  finished: reviews.length,
  changesRequested: reviews.filter(({ decision }) => decision === 'changes_requested').length,
  ...percentiles(reviews.map(({ submitted, decided }) => decided - submitted)),
});

function reviewEndingAt(events: readonly DraftEvent[], n: number): Review | null {
  const end = events[n];
  if (end?.action !== 'changes_requested' && end?.action !== 'merged') return null;
  const before = events.slice(0, n);
  const lastEnd = before.findLastIndex(({ action }) => action === 'withdrawn' || action === 'changes_requested');
  const submission = before.slice(lastEnd + 1).find(({ action }) => action === 'submitted');
  if (!submission) return null;
  const review = {
    draftId: end.draftId,
    key: String(end.data['key']),
    version: (events.find(({ action }) => action === 'merged')?.data['version'] ?? null) as number | null,
    submitted: submission.at,
  };
  if (end.action === 'changes_requested') return { ...review, decided: end.at, decision: 'changes_requested' };
  const approvals = before.filter(
    ({ action, data }, at) =>
      action === 'approved' &&
      !before
        .slice(at)
        .some(
          (later) =>
            later.action === 'approval_dismissed' ||
            (later.action === 'approval_withdrawn' &&
              (later.data['reviewIds'] as unknown[]).includes(data['reviewId'])),
        ),
  );
  const last = approvals.at(-1);
  if (!last || end.data['emergency'] === true) return null;
  return { ...review, decided: Math.max(last.at, submission.at), decision: 'approved' };
}

type Play = {
  keys: readonly string[];
  authors: readonly Person[];
  reviewers: readonly Person[];
  owner: Person;
  clock: MovedClock;
  seed: number;
  rounds: number;
  signInAgain: () => Promise<void>;
};

const HOUR = 3_600_000;

/**
 * Plays random reviews over HTTP, with up to ten hours between two rounds: drafts are submitted, approved, returned,
 * withdrawn, edited, merged and discarded, and the server refuses some of it.
 */
export async function playRandomReviews(play: Play): Promise<void> {
  const { keys, clock, seed, rounds, signInAgain } = play;
  const chance = chanceOf(seed);
  const drafts = new Map<string, string>();
  for (let round = 0; round < rounds; round += 1) {
    await clock.moveTo(clock.now() + (0.05 + chance.below(1000) / 100) * HOUR);
    await signInAgain();
    for (const key of keys)
      for (let again = true; again; again = chance.in100(60)) {
        const draftId = drafts.get(key);
        if (draftId !== undefined) {
          if (await actOnDraft(`/api/workflows/${key}/drafts/${draftId}`, play, chance)) drafts.delete(key);
          continue;
        }
        const content = contentTitled(`${key} ${chance.below(1_000_000)}`);
        const created = await chance
          .pick(play.authors)
          .call<{ draftId: string }>('POST', `/api/workflows/${key}/drafts`, content);
        if (created.status === 201) drafts.set(key, created.body.draftId);
      }
  }
}

/** Returns true if the draft is no longer open. */
async function actOnDraft(path: string, { authors, reviewers, owner }: Play, chance: Chance): Promise<boolean> {
  const [author, reviewer] = [chance.pick(authors), chance.pick(reviewers)];
  const succeeds = async (by: Person, action: string, body?: object) =>
    (await by.call('POST', `${path}/${action}`, body)).status < 300;
  const roll = chance.below(100);
  if (roll < 24) await succeeds(author, 'submit');
  else if (roll < 48) await succeeds(reviewer, 'approve');
  else if (roll < 60) await succeeds(reviewer, 'request-changes', { comment: 'Once more' });
  else if (roll < 64) await succeeds(author, 'withdraw');
  else if (roll < 68) await succeeds(reviewer, 'withdraw-approval');
  else if (roll < 74) await author.call('PATCH', path, contentTitled(`Edited ${chance.below(1_000_000)}`));
  else if (roll < 77) return succeeds(owner, 'merge', { emergency: { reason: 'It is urgent' } });
  else if (roll < 80) return (await author.call('DELETE', path, { reason: 'Not needed' })).status < 300;
  else return succeeds(reviewer, 'merge');
  return false;
}
