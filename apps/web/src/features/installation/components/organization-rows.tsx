import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { counted, formatNumber } from '../../../lib/format/number.ts';
import { formatDate } from '../../../lib/format/time.ts';
import { Badge } from '../../../ui/badge.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { useOrganizations } from '../api/use-installation.ts';
import { ByCommand, Row, Rows } from './rows.tsx';
import styles from './installation.module.css';

/** The organizations that match the search, with their size and last activity. */
export function OrganizationRows() {
  const [q, setQ] = useState('');
  const list = useOrganizations(q);
  const rows = list.data?.pages.flatMap((page) => page.rows);
  return (
    <>
      <ByCommand>
        To end an organization, run <code>stet admin end-organization PREFIX ARCHIVE</code> on the server’s machine. If
        all its owners are disabled, <code>stet admin new-owner PREFIX EMAIL</code> gives it a new one.
      </ByCommand>
      <SearchBox
        className={styles.search}
        label="Search organizations by name or URL prefix"
        placeholder="Search name or URL prefix"
        text={q}
        onSearch={setQ}
      />
      <Rows
        what="organizations"
        query={list}
        rows={rows}
        none={q === '' ? 'There are no organizations' : 'No organization matches the search'}
      >
        {({ id, name, slug, members, owners, workflows, runs, events, lastEventAt, endsAt }) => (
          <Row
            key={id}
            name={
              <>
                {isolated(name)} {endsAt !== null && <Badge tone="fail">Ends on {formatDate(endsAt)}</Badge>}
              </>
            }
            facts={
              <>
                {slug ?? 'Personal'} · {counted(members, 'member')} · {counted(workflows, 'workflow')} ·{' '}
                {counted(runs, 'run')} · {formatNumber(events)} events
                {lastEventAt !== null && (
                  <>
                    {' '}
                    · last activity <RelativeTime at={lastEventAt} />
                  </>
                )}{' '}
                · owned by {owners.join(', ')}
              </>
            }
          />
        )}
      </Rows>
      <LoadMore
        more={list.hasNextPage}
        loading={list.isFetchingNextPage}
        failed={list.isFetchNextPageError}
        onMore={() => void list.fetchNextPage()}
      />
    </>
  );
}
