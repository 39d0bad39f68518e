import { RUN_DEFAULTS, RUN_LIMITS, RUN_NAME_PROBLEMS } from '@stet/domain/defaults';
import { QUICK_SUGGESTIONS } from '@stet/presentation/constants';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { paths } from '../../../lib/paths.ts';
import { Button, Pressable } from '../../../ui/button.tsx';
import { Field, Select, TextField, TextareaField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { useNewestRunName } from '../api/use-newest-run-name.ts';
import { runSchema, useStartRun } from '../api/use-start-run.ts';
import { DIALOG_PRIORITIES, nameSuggestions, nextCounter, runRequest } from '../model/run-form.ts';
import type { DialogPriority, RunForm } from '../model/run-form.ts';
import styles from './start-run-dialog.module.css';

export type StartRunFormProps = {
  workflow: { key: string; title: string };
  /** Whether to open the run on the execution screen. */
  toExecution?: boolean;
  onClose: () => void;
};

const PRIORITY_WORDS = { low: 'Low', medium: 'Medium', high: 'High', urgent: 'Urgent' } satisfies Record<
  DialogPriority,
  string
>;

/**
 * The dialog 'Start Workflow Run', which starts a run and opens it. The form is only mounted while the dialog is open,
 * so that the fields start with the defaults (specification, section 4, run start).
 */
export function StartRunForm({ workflow, toExecution = false, onClose }: StartRunFormProps) {
  const navigate = useNavigate();
  const [now] = useState(() => new Date());
  const counter = nextCounter(useNewestRunName(workflow.key));
  const suggestions = nameSuggestions(workflow.title, { now, counter }).slice(0, QUICK_SUGGESTIONS);
  const [initial] = useState<RunForm>({
    name: suggestions[0] ?? '',
    description: '',
    priority: RUN_DEFAULTS.priority,
  });
  const start = useStartRun(workflow.key);
  const form = useContractForm({
    schema: runSchema,
    initial,
    body: (values) => runRequest(workflow.key, values),
    failed: 'Failed to start run',
    send: async (_, values) => {
      const { id, name } = await start.mutateAsync(values);
      toast.ok('Run Started', name, { forNextScreen: true });
      void navigate(toExecution ? paths.runExecution(workflow.key, id) : paths.run(id));
    },
  });
  const { name, description, priority } = form.values;
  const field = form.field('name');
  const isNameEmpty = name.trim() === '';

  return (
    <Modal
      open
      title="Start Workflow Run"
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            tone="primary"
            disabled={isNameEmpty || form.isSending}
            {...(isNameEmpty && { title: RUN_NAME_PROBLEMS.missing })}
            busy={form.isSending && 'Starting...'}
          >
            Start Run
          </Button>
        </>
      }
    >
      <p className="two md">
        The run uses the live version of <b className="med">{workflow.title}</b>.
      </p>
      <TextField
        {...field}
        label="Run Name"
        error={field.error ?? (isNameEmpty ? RUN_NAME_PROBLEMS.missing : undefined)}
        hint={<span>{`${RUN_LIMITS.nameMin} to ${RUN_LIMITS.nameMax} characters`}</span>}
        data-autofocus
        maxLength={RUN_LIMITS.nameMax}
        autoComplete="off"
      />
      <div className={styles.runSuggestions} role="group" aria-label="Name suggestions">
        {suggestions.map((suggestion) => (
          <Pressable
            key={suggestion}

            className={styles.runSuggestion}
            aria-pressed={name === suggestion}
            onClick={() => form.change({ name: suggestion })}
          >
            {suggestion}
          </Pressable>
        ))}
      </div>
      <TextareaField
        {...form.field('description')}
        label="Description"
        hint={
          <>
            <span>Optional</span>
            <span>
              {description.trim().length} of {RUN_LIMITS.description}
            </span>
          </>
        }
        rows={3}
      />
      <Field label="Priority">
        {(control) => (
          <Select
            {...control}
            value={priority}
            onChange={(event) => {
              const picked = DIALOG_PRIORITIES.find((each) => each === event.target.value);
              if (picked) form.change({ priority: picked });
            }}
          >
            {DIALOG_PRIORITIES.map((each) => (
              <option key={each} value={each}>
                {PRIORITY_WORDS[each]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {form.problem && (
        <Note tone="bad">
          <b>Unable to start run</b>
          <br />
          {form.problem}
        </Note>
      )}
    </Modal>
  );
}
