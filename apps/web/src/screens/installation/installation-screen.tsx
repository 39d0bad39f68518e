import { useSearchParams } from 'react-router';
import { DeliveryRows } from '../../features/installation/components/delivery-rows.tsx';
import { InstallationFacts } from '../../features/installation/components/installation-facts.tsx';
import { JobRows } from '../../features/installation/components/job-rows.tsx';
import { OrganizationRows } from '../../features/installation/components/organization-rows.tsx';
import { PeopleRows } from '../../features/installation/components/people-rows.tsx';
import { useUser } from '../../lib/session/signed-in.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { NotHere } from './not-here.tsx';
import styles from '../../features/installation/components/installation.module.css';

const LISTS = {
  organizations: { label: 'Organizations', List: OrganizationRows },
  people: { label: 'People', List: PeopleRows },
  jobs: { label: 'Failed jobs', List: JobRows },
  deliveries: { label: 'Deliveries', List: DeliveryRows },
} as const;
type Which = keyof typeof LISTS;
const isWhich = (text: string | null): text is Which => text !== null && Object.hasOwn(LISTS, text);

/** `/app/settings/installation`, for administrators of the installation. */
export function InstallationScreen() {
  const { isInstallationAdmin } = useUser();
  const [query, setQuery] = useSearchParams();
  if (!isInstallationAdmin) return <NotHere />;
  const asked = query.get('show');
  const which = isWhich(asked) ? asked : 'organizations';
  const { List } = LISTS[which];
  return (
    <>
      <PageTitle>Installation</PageTitle>
      <div className="head">
        <h1 className="title">Installation</h1>
      </div>
      <InstallationFacts />
      <SegmentedControl
        label="What to show"
        className={styles.which}
        value={which}
        options={Object.entries(LISTS).map(([value, { label }]) => ({ value: value as Which, label }))}
        onChange={(next) => setQuery({ show: next }, { replace: true })}
      />
      <List />
    </>
  );
}
