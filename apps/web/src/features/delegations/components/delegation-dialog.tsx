import type { Delegation, Member } from '@stet/contract';
import { DELEGATION_KINDS } from '@stet/domain/access';
import { useState } from 'react';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckGroup, CheckRow } from '../../../ui/check-row.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { PersonField } from '../../../ui/person-field.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { type DelegationForm, delegationSchema } from '../api/use-delegations.ts';
import { awayTimes, localDay } from '../model/away-days.ts';
import styles from './delegations.module.css';

type Kind = Delegation['kinds'][number];

const KINDS: Readonly<Record<Kind, { label: string; about: string }>> = {
  tasks: { label: 'Tasks', about: 'Manual steps that wait for you' },
  votes: { label: 'Votes', about: 'Approval steps, and input that waits for your approval' },
  reviews: { label: 'Reviews', about: 'Drafts that you can approve' },
};

type DelegationDialogProps = {
  /** The members who can do the work. */
  people: readonly Member[];
  workflows: readonly { key: string; title: string }[];
  onSave: (form: DelegationForm) => Promise<unknown>;
  onClose: () => void;
};

/** The dialog in which people enter when they are away, which work they delegate, and to whom. */
export function DelegationDialog({ people, workflows, onSave, onClose }: DelegationDialogProps) {
  const [today] = useState(() => localDay(Date.now()));
  const form = useContractForm({
    schema: delegationSchema,
    initial: {
      toUserId: '',
      from: today,
      until: '',
      kinds: [...DELEGATION_KINDS] as Kind[],
      workflowKeys: null as string[] | null,
      reason: '',
    },
    body: ({ toUserId, from, until, kinds, workflowKeys, reason }): DelegationForm => ({
      toUserId,
      ...awayTimes({ first: from, last: until }, Date.now()),
      kinds,
      ...(workflowKeys && { workflowKeys }),
      reason,
    }),
    rules: ({ toUserId, from, until, workflowKeys }) => ({
      ...(toUserId === '' && { toUserId: 'Choose who does your work' }),
      ...(from === '' && { from: 'Choose your first day away' }),
      ...(until === '' && { until: 'Choose your last day away' }),
      ...(workflowKeys?.length === 0 && { workflowKeys: 'Choose a workflow, or all of them' }),
    }),
    places: { delegation_overlaps: 'from', too_many_delegations: 'toUserId' },
    failed: 'Failed to delegate your work',
    send: onSave,
  });
  const kinds = form.field('kinds');
  const keys = form.field('workflowKeys');
  const chosen = keys.value;
  return (
    <Modal
      open
      title="Delegate my work"
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={form.isSending && 'Saving…'}>
            Delegate
          </Button>
        </>
      }
    >
      <PersonField {...form.field('toUserId')} label="Who does your work" people={people} data-autofocus />
      <div className={styles.days}>
        <TextField {...form.field('from')} label="First day away" type="date" min={today} />
        <TextField {...form.field('until')} label="Last day away" type="date" min={today} />
      </div>
      <CheckGroup label="Work" error={kinds.error}>
        {DELEGATION_KINDS.map((kind) => (
          <CheckRow
            key={kind}
            checked={kinds.value.includes(kind)}
            about={KINDS[kind].about}
            onChange={(isChosen) =>
              kinds.onChange(DELEGATION_KINDS.filter((each) => (each === kind ? isChosen : kinds.value.includes(each))))
            }
          >
            {KINDS[kind].label}
          </CheckRow>
        ))}
      </CheckGroup>
      <CheckGroup label="Workflows" error={keys.error}>
        <SegmentedControl
          label="Which workflows"
          className={styles.which}
          value={chosen === null ? 'all' : 'some'}
          options={[
            { value: 'all', label: 'All' },
            { value: 'some', label: 'Some' },
          ]}
          onChange={(which) => keys.onChange(which === 'all' ? null : (chosen ?? []))}
        />
        {chosen !== null && (
          <div className={styles.workflows}>
            {workflows.map(({ key, title }) => (
              <CheckRow
                key={key}
                checked={chosen.includes(key)}
                onChange={(isChosen) =>
                  keys.onChange(isChosen ? [...chosen, key] : chosen.filter((each) => each !== key))
                }
              >
                {title}
              </CheckRow>
            ))}
            {workflows.length === 0 && <p className="muted">There are no workflows yet</p>}
          </div>
        )}
      </CheckGroup>
      <TextField
        {...form.field('reason')}
        label="Reason"
        maxLength={500}
        autoComplete="off"
        placeholder="For example: On holiday"
      />
      <p className="xs muted">
        They act in your name and theirs, and everyone sees both. A vote or an approval for you counts once, as both
        yours and theirs.
      </p>
      {form.problem && <Note tone="bad">{form.problem}</Note>}
    </Modal>
  );
}
