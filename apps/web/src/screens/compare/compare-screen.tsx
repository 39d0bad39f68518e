import { nameSteps } from '@stet/domain/drafts';
import type { VersionRecord } from '@stet/contract';
import { displayTitle } from '@stet/domain/workflows';
import { ArrowLeftRight, GitCompareArrows } from 'lucide-react';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useComparison, useVersions } from '../../features/compare/api/use-comparison.ts';
import { VersionPicker } from '../../features/compare/components/version-picker.tsx';
import { errorSentence, isStatus } from '../../lib/api/api-error.ts';
import { contentChanges } from '../../lib/content-changes.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { paths } from '../../lib/paths.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ChangeList } from '../../ui/change-list.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { Note } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import styles from './compare-screen.module.css';

/** `/app/compare?key=&from=&to=`: compares any two versions or drafts of a workflow. For the defaults, see `pairOf`. */
export function CompareScreen() {
  const [query] = useSearchParams();
  const key = query.get('key') ?? '';
  return (
    <div className="page">
      <PageTitle>Compare versions</PageTitle>
      <div className={styles.compareIn}>
        {key === '' ? (
          <EmptyState
            icon={GitCompareArrows}
            heading="h1"
            title="No workflow chosen"
            action={<ButtonLink to={paths.editor()}>Open the editor</ButtonLink>}
          />
        ) : (
          <OneWorkflow key={key} workflowKey={key} />
        )}
      </div>
    </div>
  );
}

function OneWorkflow({ workflowKey }: { workflowKey: string }) {
  const [query, setQuery] = useSearchParams();
  const versions = useVersions(workflowKey);
  const pair = versions.data ? pairOf(versions.data, query) : null;
  const comparison = useComparison(workflowKey, pair);
  const title = displayTitle(workflowKey, comparison.data?.to.metadata.title ?? '');
  const pick = (change: Partial<Pair>) => {
    const next = new URLSearchParams(query);
    for (const [name, id] of Object.entries({ ...pair, ...change })) next.set(name, id);
    setQuery(next, { replace: true, preventScrollReset: true });
  };
  const failed = versions.error ?? comparison.error;
  return (
    <>
      <Breadcrumbs
        className={styles.trail}
        trail={[
          { label: 'Dashboard', to: paths.app },
          { label: title, to: paths.editor({ key: workflowKey, mode: 'edit' }) },
          { label: 'Compare versions' },
        ]}
      />
      <div>
        <p className="two">
          Workflow: <span className="mono">{workflowKey}</span>
        </p>
        <h1 className="title-lg">Compare versions</h1>
      </div>
      {versions.isPending && <Pickers versions={[]} pair={{ from: '', to: '' }} onPick={pick} isLoading />}
      {versions.data && pair && <Pickers versions={versions.data} pair={pair} onPick={pick} />}
      {versions.data && pair && <UnknownVersions versions={versions.data} query={query} />}
      {failed ? (
        <Failed error={failed} onRetry={() => void (versions.error ? versions.refetch() : comparison.refetch())} />
      ) : comparison.data ? (
        <Changes comparison={comparison.data} isStale={comparison.isPlaceholderData} />
      ) : (
        <div className="sheet">
          <SkeletonRows rows={5} label="Comparing versions" />
        </div>
      )}
    </>
  );
}

type Pair = { from: string; to: string };
type PickersProps = {
  versions: readonly VersionRecord[];
  pair: Pair;
  onPick: (change: Partial<Pair>) => void;
  /** Whether the versions are still loading. Invisible selects then reserve the space. */
  isLoading?: boolean;
};

function Pickers({ versions, pair, onPick, isLoading = false }: PickersProps) {
  return (
    <div className={classNames(styles.comparePickers, isLoading && styles.toCome)}>
      <VersionPicker label="From" versions={versions} value={pair.from} onPick={(from) => onPick({ from })} />
      <Button icon={ArrowLeftRight} onClick={() => onPick({ from: pair.to, to: pair.from })}>
        Swap
      </Button>
      <VersionPicker label="To" versions={versions} value={pair.to} onPick={(to) => onPick({ to })} />
    </div>
  );
}

type UnknownVersionsProps = { versions: readonly VersionRecord[]; query: URLSearchParams };

/** A note if the address contains an unknown version; a different pair is then shown. */
function UnknownVersions({ versions, query }: UnknownVersionsProps) {
  const missing = (['from', 'to'] as const).filter((side) => query.get(side) && !namedIn(versions, query.get(side)));
  if (missing.length === 0) return null;
  const names = missing.map((side) => inWords(query.get(side) ?? '')).join(' and ');
  return (
    <Note>
      {names} {missing.length === 1 ? 'is not a version' : 'are not versions'} of this workflow. The pair above is shown
      instead.
    </Note>
  );
}

const inWords = (name: string): string => (/^\d{1,9}$/.test(name) ? `v${name}` : `“${name.slice(0, 60)}”`);

type Comparison = NonNullable<ReturnType<typeof useComparison>['data']>;

function Changes({ comparison, isStale }: { comparison: Comparison; isStale: boolean }) {
  const { from, to, titles, total, detailed, metadata } = comparison;
  const { nameOf } = usePeople();
  const changes = useMemo(() => {
    const titleOf = nameSteps(Object.entries(titles).map(([id, title]) => ({ id, title })));
    return contentChanges(comparison, titleOf, [], nameOf);
  }, [comparison, titles, nameOf]);
  const isSame = total === 0 && Object.keys(metadata).length === 0;
  return (
    <section aria-label="Changes" aria-busy={isStale} className="stack">
      {isSame ? (
        <EmptyState icon={GitCompareArrows} title={from.id === to.id ? 'Same version on both sides' : 'No changes'}>
          {from.id === to.id
            ? 'Choose a different version on either side.'
            : `${to.label} is identical to ${from.label}.`}
        </EmptyState>
      ) : (
        <ChangeList key={`${from.id}/${to.id}`} changes={changes} />
      )}
      {total > detailed.length && (
        <p className="muted">
          and {total - detailed.length === 1 ? '1 more step' : `${total - detailed.length} more steps`} changed
        </p>
      )}
    </section>
  );
}

const namedIn = (versions: readonly VersionRecord[], name: string | null): VersionRecord | undefined =>
  versions.find(({ id, version }) => id === name || (version !== null && String(version) === name));

/**
 * The pair in the address, by number or id. If `to` is missing or unknown, it defaults to the newest draft, without a
 * draft to the live version, and without both to the first one listed. If `from` is missing or unknown, it defaults to
 * the live version for a draft and to the previous number for a version. Version 1 is compared with the highest number,
 * because after a rollback it can replace that one. If there is nothing else, `from` is `to` itself. Null without
 * versions.
 */
function pairOf(versions: readonly VersionRecord[], query: URLSearchParams): Pair | null {
  const named = (name: string): string | undefined => namedIn(versions, query.get(name))?.id;
  const isDraft = ({ version }: VersionRecord): boolean => version === null;
  const live = versions.find(({ status }) => status === 'live');
  const newest = versions.find(isDraft) ?? live ?? versions[0];
  const to = versions.find(({ id }) => id === named('to')) ?? newest;
  if (to === undefined) return null;
  const others = versions
    .filter((each) => !isDraft(each) && each.id !== to.id)
    .toSorted((one, two) => (two.version ?? 0) - (one.version ?? 0));
  const earlier = others.find(({ version }) => (version ?? 0) < (to.version ?? 0));
  const before = isDraft(to) ? live : (earlier ?? others[0]);
  return { from: named('from') ?? before?.id ?? to.id, to: to.id };
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isStatus(error, 404) || isStatus(error, 400)) {
    return (
      <ErrorState title="Workflow not found" action={<ButtonLink to={paths.editor()}>Open the editor</ButtonLink>}>
        It may have been deleted, or the link may be incomplete.
      </ErrorState>
    );
  }
  return (
    <ErrorState title="Failed to compare versions" onRetry={onRetry}>
      {errorSentence(error, 'Check your connection and try again.')}
    </ErrorState>
  );
}
