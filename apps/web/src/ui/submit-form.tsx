import type { WholeDraft } from '@stet/contract';
import { contentFindings, stepTitle } from '@stet/domain/workflows';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useContractForm } from '../lib/forms/use-contract-form.ts';
import { Button, LinkButton } from './button.tsx';
import { CheckGroup, CheckRow } from './check-row.tsx';
import { TextareaField } from './field.tsx';
import { Icon } from './icon.tsx';
import { Modal } from './modal.tsx';
import { Note } from './note.tsx';
import styles from './submit-form.module.css';

export type Submission = { summary?: string | undefined; reviewers?: string[] | undefined };

export type SubmitDialogProps = {
  draft: Pick<
    WholeDraft,
    'metadata' | 'steps' | 'nextVersion' | 'summary' | 'reviewers' | 'askedReviewers' | 'policy'
  > &
    Partial<Pick<WholeDraft, 'requirements'>>;
  busy: boolean;
  error: string | null;
  onSubmit: (submission: Submission) => void;
  /** Opens the step that a finding is about. */
  onStep: (stepId: string) => void;
  onClose: () => void;
};

const schema = async () => {
  const { draftRoutes } = await import('@stet/contract/drafts');
  return draftRoutes['POST /api/workflows/{key}/drafts/{id}/submit'].body.unwrap();
};

export function SubmitForm({ draft, busy, error, onSubmit, onStep, onClose }: SubmitDialogProps) {
  const { reviewers, nextVersion, policy, requirements = [] } = draft;
  const possible = new Set(reviewers.map(({ id }) => id));
  const isChange = nextVersion > 1;
  const findings = contentFindings(draft);
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  const form = useContractForm({
    schema,
    initial: {
      summary: draft.summary ?? '',
      reviewers: draft.askedReviewers.map(({ id }) => id).filter((id) => possible.has(id)),
    },
    body: (values): Submission => ({
      ...(values.summary.trim() !== '' && { summary: values.summary.trim() }),
      ...(values.reviewers.length > 0 && { reviewers: values.reviewers }),
    }),
    rules: ({ summary }) =>
      isChange && summary.trim() === '' ? { summary: 'Summarize the change and its reason for the reviewers' } : {},
    failed: '',
    send: async (submission) => {
      if (!busy) onSubmit(submission);
    },
  });
  const asked = form.field('reviewers');
  return (
    <Modal
      open
      title="Submit for review"
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            tone="primary"
            busy={busy && 'Submitting...'}
            disabledReason={hasErrors ? 'Fix the errors below first' : undefined}
          >
            Submit
          </Button>
        </>
      }
    >
      <TextareaField
        {...form.field('summary')}
        label={
          isChange ? (
            'What changes, and why'
          ) : (
            <>
              What it is for <span className="muted">(optional)</span>
            </>
          )
        }
        hint="Reviewers read this first. It stays with the version."
        data-autofocus
        maxLength={2000}
      />
      {requirements.length > 0 && (
        <section aria-label="Who has to approve">
          <h3 className="label">Who has to approve it</h3>
          <ul>
            {requirements.map(({ group, name, because }) => (
              <li key={group ?? ''}>
                <b>{name}</b>, because: {because.slice(0, 3).join('; ')}
                {because.length > 3 && ` and ${because.length - 3} more`}
              </li>
            ))}
          </ul>
        </section>
      )}
      {reviewers.length > 1 && (
        <CheckGroup label="Ask for a review" error={asked.error}>
          <p className="xs muted">{approvalsNeeded(policy.requiredApprovals)}</p>
          <div className={styles.people}>
            {reviewers.map(({ id, name, email }) => (
              <CheckRow
                key={id}
                checked={asked.value.includes(id)}
                about={reviewers.some((other) => other.id !== id && other.name === name) ? email : undefined}
                onChange={(checked) =>
                  asked.onChange(checked ? [...asked.value, id] : asked.value.filter((each) => each !== id))
                }
              >
                {name}
              </CheckRow>
            ))}
          </div>
        </CheckGroup>
      )}
      <section aria-label="Check">
        {findings.length === 0 ? (
          <p className={styles.clear}>
            <Icon of={CircleCheck} size="s" /> No problems found
          </p>
        ) : (
          <>
            <h3 className="label">{hasErrors ? 'Fix these first' : 'Reviewers will see these warnings'}</h3>
            <ul className={styles.findings}>
              {findings.map(({ stepId, severity, code, sentence }) => {
                const step = draft.steps.find(({ id }) => id === stepId);
                return (
                  <li key={`${stepId} ${code} ${sentence}`} data-severity={severity}>
                    <Icon of={severity === 'error' ? CircleAlert : TriangleAlert} size="s" />
                    <span>
                      {severity === 'error' && <span className="vh">Error: </span>}
                      {step && <LinkButton onClick={() => onStep(step.id)}>{stepTitle(step)}</LinkButton>} {sentence}
                    </span>
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </section>
      {error && <Note tone="bad">{error}</Note>}
    </Modal>
  );
}

const approvalsNeeded = (needed: number): string =>
  `${needed === 1 ? '1 approval is needed.' : `${needed} approvals are needed.`} If you choose fewer people, everyone who can review is asked.`;
