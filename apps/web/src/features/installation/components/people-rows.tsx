import type { InstalledPerson } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { counted } from '../../../lib/format/number.ts';
import { roleWord } from '../../../lib/format/org-role.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { toast } from '../../../ui/toast.ts';
import { type PersonAction, usePeople, usePersonAction } from '../api/use-installation.ts';
import { ByCommand, Row, Rows } from './rows.tsx';
import styles from './installation.module.css';

const WORDS: Record<
  PersonAction,
  { label: string; title: (name: string) => string; effect: string; danger?: boolean }
> = {
  end_sessions: {
    label: 'Sign out',
    title: (name) => `Sign ${name} out everywhere?`,
    effect: 'All their sessions end, and they have to log in again. API tokens keep working.',
  },
  send_reset_link: {
    label: 'Send reset link',
    title: (name) => `Send ${name} a link for a new password?`,
    effect: 'The link is emailed and works once, within an hour.',
  },
  disable: {
    label: 'Disable',
    title: (name) => `Disable the account of ${name}?`,
    effect:
      'They can’t log in, and their sessions end. Their personal API tokens and the invitations that they sent are revoked, and their steps in runs are released. They stay a member of their organizations.',
    danger: true,
  },
  enable: {
    label: 'Enable',
    title: (name) => `Enable the account of ${name}?`,
    effect: 'They can log in again. Revoked tokens and invitations stay revoked.',
  },
};

/** The people who match the search, with their last activity and the actions of an administrator. */
export function PeopleRows() {
  const { id: ownId } = useUser();
  const [q, setQ] = useState('');
  const list = usePeople(q);
  const change = usePersonAction();
  const [asked, setAsked] = useState<{ person: InstalledPerson; action: PersonAction } | null>(null);
  const rows = list.data?.pages.flatMap((page) => page.rows);
  const close = (): void => {
    setAsked(null);
    change.reset();
  };
  const confirm = (): void => {
    if (!asked || change.isPending) return;
    change.mutate(
      { id: asked.person.id, action: asked.action },
      { onSuccess: ({ message }) => (close(), toast.ok('Done', message)) },
    );
  };
  return (
    <>
      <ByCommand>
        To change someone’s email address, run <code>stet admin change-email OLD NEW</code> on the server’s machine.
      </ByCommand>
      <SearchBox
        className={styles.search}
        label="Search people by name or email address"
        placeholder="Search name or email address"
        text={q}
        onSearch={setQ}
      />
      <Rows
        what="people"
        query={list}
        rows={rows}
        none={q === '' ? 'There are no people' : 'Nobody matches the search'}
      >
        {(person) => {
          const { id, name, email, sessions, isProved, disabledAt, lastSeenAt, organizations } = person;
          const actions: PersonAction[] =
            disabledAt !== null
              ? ['enable']
              : [
                  ...(sessions > 0 ? (['end_sessions'] as const) : []),
                  'send_reset_link',
                  ...(id === ownId ? [] : (['disable'] as const)),
                ];
          return (
            <Row
              key={id}
              name={
                <>
                  {isolated(name)} {disabledAt !== null && <Badge tone="fail">Disabled</Badge>}
                  {!isProved && <Badge tone="gray">Address not proved</Badge>}
                </>
              }
              facts={
                <>
                  {email} · {counted(sessions, 'session')}
                  {lastSeenAt !== null && (
                    <>
                      {' '}
                      · last seen <RelativeTime at={lastSeenAt} />
                    </>
                  )}
                  {organizations.map((each) => ` · ${isolated(each.name)} (${roleWord(each.role)})`)}
                </>
              }
              actions={actions.map((action) => (
                <Button
                  key={action}
                  size="sm"
                  aria-label={`${WORDS[action].label}: ${name}`}
                  onClick={() => setAsked({ person, action })}
                >
                  {WORDS[action].label}
                </Button>
              ))}
            />
          );
        }}
      </Rows>
      <LoadMore
        more={list.hasNextPage}
        loading={list.isFetchingNextPage}
        failed={list.isFetchNextPageError}
        onMore={() => void list.fetchNextPage()}
      />
      {asked && (
        <ConfirmDialog
          open
          title={WORDS[asked.action].title(isolated(asked.person.name))}
          confirmLabel={WORDS[asked.action].label}
          danger={WORDS[asked.action].danger ?? false}
          busy={change.isPending && 'Saving…'}
          error={change.error && errorSentence(change.error, 'An error occurred')}
          onConfirm={confirm}
          onCancel={close}
        >
          {WORDS[asked.action].effect}
        </ConfirmDialog>
      )}
    </>
  );
}
