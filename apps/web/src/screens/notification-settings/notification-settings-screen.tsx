import { Bell } from 'lucide-react';
import { Link } from 'react-router';
import { usePreferences } from '../../features/notifications/api/use-preferences.ts';
import { digestTime } from '../../features/notifications/model/preference-words.ts';
import { PreferenceTable } from '../../features/notifications/components/preference-table.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useOrganization } from '../../lib/session/signed-in.ts';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

/** `/app/settings/notifications`: the notification preferences. */
export function NotificationSettingsScreen() {
  const organization = useOrganization();
  return (
    <>
      <PageTitle>Notifications</PageTitle>
      <div className="head">
        <div>
          <h1 className="title">Notifications</h1>
          <p className="sub">
            How you are notified{organization && organization.type === 'team' && ` in ${organization.name}`}
          </p>
        </div>
      </div>
      {organization ? <Preferences /> : <EmptyState icon={Bell} title="No organization selected." />}
    </>
  );
}

function Preferences() {
  const preferences = usePreferences();
  if (preferences.isPending) {
    return (
      <div className="sheet">
        <SkeletonRows rows={9} label="Loading your preferences" />
      </div>
    );
  }
  if (preferences.data === undefined) {
    return (
      <ErrorState title="Error loading your preferences" onRetry={() => void preferences.refetch()}>
        {errorSentence(preferences.error, 'Failed to load your preferences')}
      </ErrorState>
    );
  }
  const { paces, digest, slackConnected } = preferences.data;
  return (
    <section className="settings-part" aria-label="Preferences">
      <PreferenceTable paces={paces} />
      <p className="about">
        The digest is sent daily at {digestTime(digest)} if there is something to report. Messages sent by a workflow
        step are not affected.
        {!slackConnected && (
          <>
            {' '}
            Slack isn’t connected yet. Connect it under{' '}
            <Link className="med" to={paths.integrations}>
              Integrations
            </Link>
            .
          </>
        )}
      </p>
    </section>
  );
}
