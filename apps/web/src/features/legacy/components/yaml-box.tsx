import type { WorkflowSummary } from '@stet/contract';
import { displayTitle, isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Select, Textarea } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { exportYaml, importYaml } from '../api/legacy-calls.ts';
import { useLegacyAction } from '../api/use-legacy.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './legacy.module.css';

/** A workflow as YAML. It can be exported from a listed workflow or imported into a new draft of it. */
export function YamlBox({ workflows, canImport }: { workflows: readonly WorkflowSummary[]; canImport: boolean }) {
  const [picked, setPicked] = useState('');
  const [text, setText] = useState('');
  const { act, problem } = useLegacyAction();
  const key = workflows.some((workflow) => workflow.key === picked) ? picked : (workflows[0]?.key ?? '');
  const missing = key === '' ? 'YAML import requires an existing workflow' : undefined;
  return (
    <section className={classNames('sheet', styles.legacyBox)} aria-labelledby="legacy-yaml">
      <h2 className="title-sm" id="legacy-yaml">
        YAML
      </h2>
      <Field label="Workflow">
        {(control) => (
          <Select {...control} value={key} onChange={(event) => setPicked(event.target.value)}>
            {workflows.map((workflow) => (
              <option key={workflow.key} value={workflow.key}>
                {isolated(displayTitle(workflow.key, workflow.metadata.title))} ({workflow.key})
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="YAML text">
        {(control) => (
          <Textarea
            {...control}
            className={classNames('mono', styles.legacyYaml)}
            rows={10}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <span className="row">
        <Button
          disabledReason={key === '' ? 'No workflow to export' : undefined}
          onClick={() =>
            act(
              async () => setText(await exportYaml(key)),
              () => toast.ok('Workflow Exported', 'YAML'),
            )
          }
        >
          Export YAML
        </Button>
        <Button
          disabledReason={missing ?? (canImport ? undefined : 'Only editors can create drafts')}
          onClick={() =>
            act(
              () => importYaml(key, text),
              () => toast.ok('Import Successful', 'It was imported as a draft.'),
            )
          }
        >
          Import YAML
        </Button>
      </span>
      {problem && <Note tone="bad">{problem}</Note>}
    </section>
  );
}
