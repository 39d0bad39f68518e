import { Fragment, useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { counted, formatNumber } from '../../../lib/format/number.ts';
import { LinkButton } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/empty-state.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { useInstallation } from '../api/use-installation.ts';
import styles from './installation.module.css';

const SignUpDialog = lazyDialog(async () => (await import('./sign-up-dialog.tsx')).SignUpDialog);

const SIGN_UP = {
  open: 'Anyone',
  closed: 'Only invited people',
  domains: 'Invited people, and addresses of some domains',
};

/** Lets a narrow column break the name of a migration after its underscores instead of in a word. */
const withBreaks = (schema: string) =>
  schema.split(/(?<=_)/).map((part, n) => (
    <Fragment key={n}>
      {part}
      <wbr />
    </Fragment>
  ));

export function InstallationFacts() {
  const state = useInstallation();
  const [isChanging, setChanging] = useState(false);
  if (state.isPending) return <SkeletonRows rows={1} label="Loading the installation" />;
  if (!state.data)
    return (
      <ErrorState title="Failed to load the installation" onRetry={() => void state.refetch()}>
        {errorSentence(state.error, 'An error occurred')}
      </ErrorState>
    );
  const { version, commit, schema, signUp, signUpDomains, signUpChange, passwordSignIn } = state.data;
  const { organizations, people, jobs, backup, backupProblem } = state.data;
  return (
    <>
      {backupProblem !== null && <Note tone="bad">The last backup failed: {backupProblem}</Note>}
      <dl className={styles.facts}>
        <div>
          <dt>Version</dt>
          <dd>
            {version}
            {commit !== null && ` (${commit})`}, schema {withBreaks(schema)}
          </dd>
        </div>
        <div>
          <dt>Used by</dt>
          <dd>
            {counted(organizations, 'organization')}, {counted(people, 'person', 'people')}
          </dd>
        </div>
        <div>
          <dt>Sign-up</dt>
          <dd>
            {SIGN_UP[signUp]}
            {signUpDomains.length > 0 && `: ${signUpDomains.join(', ')}`}
            {!passwordSignIn && ', with the identity provider'}.{' '}
            {signUpChange && (
              <>
                Changed by {signUpChange.by === 'command' ? 'command' : signUpChange.by}{' '}
                <RelativeTime at={signUpChange.at} />.{' '}
              </>
            )}
            <LinkButton aria-label="Change who can sign up" onClick={() => setChanging(true)}>
              Change
            </LinkButton>
          </dd>
        </div>
        <div>
          <dt>Jobs</dt>
          <dd>
            {formatNumber(jobs.due)} due, {formatNumber(jobs.running)} running, {formatNumber(jobs.failed)} failed
          </dd>
        </div>
        <div>
          <dt>Last backup</dt>
          <dd>
            {backup === null ? (
              'None was made on this server'
            ) : (
              <>
                <RelativeTime at={backup.at} />, {backup.verified ? 'verified' : 'not verified'}
              </>
            )}
          </dd>
        </div>
      </dl>
      {isChanging && (
        <SignUpDialog
          current={{ kind: signUp, domains: signUpDomains, isChanged: signUpChange !== null }}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  );
}
