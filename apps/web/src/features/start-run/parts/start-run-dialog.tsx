import { QUICK_SUGGESTIONS, RUN_DEFAULTS, RUN_LIMITS } from '@stet/domain/defaults';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input, Select, Textarea } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { useNewestRunName } from '../api/use-newest-run-name.ts';
import { useStartRun } from '../api/use-start-run.ts';
import { descriptionProblem, DIALOG_PRIORITIES, nameProblem, nameSuggestions, nextCounter } from '../model/run-form.ts';
import type { DialogPriority, RunForm } from '../model/run-form.ts';
import './start-run-dialog.css';

type StartRunDialogProps = {
  workflow: { key: string; title: string };
  onClose: () => void;
  onStarted: (run: { id: string; name: string }) => void;
};

const PRIORITY_WORDS = { low: 'Low', medium: 'Medium', high: 'High', urgent: 'Urgent' } satisfies Record<
  DialogPriority,
  string
>;

/** 'Start Workflow Run'. Mounted when it opens, so that each opening begins anew (specification, section 4, run start). */
export function StartRunDialog({ workflow, onClose, onStarted }: StartRunDialogProps) {
  const [now] = useState(() => new Date());
  const counter = nextCounter(useNewestRunName(workflow.key));
  const suggestions = nameSuggestions(workflow.title, { now, counter }).slice(0, QUICK_SUGGESTIONS);
  const [form, setForm] = useState<RunForm>({
    name: suggestions[0] ?? '',
    description: '',
    priority: RUN_DEFAULTS.priority,
  });
  const [tried, setTried] = useState(false);
  const start = useStartRun(workflow.key);

  const problems = { name: nameProblem(form.name), description: descriptionProblem(form.description) };
  const isNameEmpty = form.name.trim() === '';
  const change = (part: Partial<RunForm>) => setForm((before) => ({ ...before, ...part }));

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (problems.name || problems.description) return focusFirstBad(event.currentTarget);
    if (start.isPending) return;
    start.mutate(form, { onSuccess: onStarted });
  };

  return (
    <Modal
      open
      title="Start Workflow Run"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            tone="primary"
            disabled={isNameEmpty || start.isPending}
            {...(isNameEmpty && { title: 'Run name is required' })}
            busy={start.isPending && 'Starting...'}
          >
            Start Run
          </Button>
        </>
      }
    >
      <p className="two md">
        A run of the live version of <b className="med">{workflow.title}</b>.
      </p>
      <Field
        label="Run Name"
        error={tried || isNameEmpty ? problems.name : null}
        hint={<span>{`${RUN_LIMITS.nameMin} to ${RUN_LIMITS.nameMax} characters`}</span>}
      >
        {(control) => (
          <Input
            {...control}
            data-autofocus
            value={form.name}
            maxLength={RUN_LIMITS.nameMax}
            autoComplete="off"
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <div className="run-suggestions" role="group" aria-label="Name suggestions">
        {suggestions.map((name) => (
          <button
            key={name}
            type="button"
            className="run-suggestion"
            aria-pressed={form.name === name}
            onClick={() => change({ name })}
          >
            {name}
          </button>
        ))}
      </div>
      <Field
        label="Description"
        error={problems.description}
        hint={
          <>
            <span>Optional</span>
            <span>
              {form.description.trim().length} of {RUN_LIMITS.description}
            </span>
          </>
        }
      >
        {(control) => (
          <Textarea
            {...control}
            rows={3}
            value={form.description}
            onChange={(event) => change({ description: event.target.value })}
          />
        )}
      </Field>
      <Field label="Priority">
        {(control) => (
          <Select
            {...control}
            value={form.priority}
            onChange={(event) => {
              const priority = DIALOG_PRIORITIES.find((each) => each === event.target.value);
              if (priority) change({ priority });
            }}
          >
            {DIALOG_PRIORITIES.map((priority) => (
              <option key={priority} value={priority}>
                {PRIORITY_WORDS[priority]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {start.error && (
        <Note tone="bad">
          <b>Unable to start run</b>
          <br />
          {errorSentence(start.error, 'Failed to start run')}
        </Note>
      )}
    </Modal>
  );
}
