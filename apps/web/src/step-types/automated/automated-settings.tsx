import { SCRIPT_CEILING_HINT, SCRIPT_SECONDS, STEP_KINDS, type AutomatedStep } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';
import { autocompletion } from '@codemirror/autocomplete';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript';
import { syntaxTree } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorState, Extension } from '@codemirror/state';
import { namesFor } from '@stet/domain/expressions';
import type { NameEntry } from '@stet/domain/expressions';
import { useMemo, useRef, useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import { inScript } from '../settings/name-texts.ts';
import { withSetting } from '../settings/with-setting.ts';
import type { SettingsProps } from '../settings/settings-props.ts';
import { CodeEditor } from '../settings/code-editor.tsx';
import type { CodeEditorHandle } from '../settings/code-editor.tsx';
import { NameField } from '../settings/name-field.tsx';
import { ScriptTrial } from './script-trial.tsx';
import styles from '../settings/step-settings.module.css';

export function AutomatedSettings({ step, steps, readOnly, onChange }: SettingsProps<AutomatedStep>) {
  const { config } = step;
  const editor = useRef<CodeEditorHandle>(null);
  const names = useMemo(() => namesFor(steps, step.id), [steps, step.id]);
  const language = useMemo(() => scriptLanguage(names), [names]);
  const [timeout, setTimeoutText] = useState(String(config.timeout ?? STEP_KINDS.automated.defaults.config.timeout));
  const secondsOf = (text: string): number => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : 0);
  const isTime = (seconds: number): boolean => seconds >= 1 && seconds <= SCRIPT_SECONDS.longestTimeout;
  return (
    <>
      <CodeEditor
        label="Script"
        value={config.script ?? ''}
        readOnly={readOnly}
        extension={language}
        handle={editor}
        hint="JavaScript with access to outputs, run and step. The return value becomes the step's output, and log(…) writes to the history. Without a script, the step is only simulated."
        tools={
          !readOnly && (
            <div className={styles.codeTools}>
              <NameField
                label="Insert a value"
                placeholder="Insert a value"
                names={names}
                steps={steps}
                onPick={(name) => editor.current?.insert(inScript(name))}
              />
            </div>
          )
        }
        onChange={(script) => onChange({ ...step, config: withSetting(config, 'script', script || undefined) })}
      />
      <div className={styles.stepTwo}>
        <TextField
          label="Timeout in seconds"
          inputMode="numeric"
          hint={SCRIPT_CEILING_HINT}
          value={timeout}
          error={isTime(secondsOf(timeout)) ? null : `Enter a whole number from 1 to ${SCRIPT_SECONDS.longestTimeout}`}
          onChange={(text) => {
            setTimeoutText(text);
            const seconds = secondsOf(text);
            if (isTime(seconds)) onChange({ ...step, config: { ...config, timeout: seconds } });
          }}
        />
      </div>
      {!readOnly && <ScriptTrial step={step} steps={steps} names={names} />}
    </>
  );
}

function scriptLanguage(names: readonly NameEntry[]): Extension {
  const options = names.map((name): Completion => ({
    label: inScript(name),
    displayLabel: `${name.detail === 'run' ? 'This run' : isolated(name.detail)}: ${isolated(name.label)}`,
    detail: inScript(name),
    apply: inScript(name),
  }));
  const known = ['outputs', 'run', 'step', 'log', 'return', 'const'].map((label): Completion => ({ label }));
  return [
    javascript(),
    autocompletion({ icons: false }),
    javascriptLanguage.data.of({
      autocomplete: (context: CompletionContext) => completeScript(context, [...options, ...known]),
    }),
    linter(({ state }) => scriptProblems(state), { delay: 400 }),
  ];
}

function completeScript(context: CompletionContext, options: readonly Completion[]): CompletionResult | null {
  const typed = context.matchBefore(/[\w.$[\]"-]+/);
  if (!typed && !context.explicit) return null;
  const text = (typed?.text ?? '').toLowerCase();
  const fitting = options.filter(({ label, displayLabel = '' }) =>
    `${label} ${displayLabel}`.toLowerCase().includes(text),
  );
  return fitting.length === 0 ? null : { from: typed?.from ?? context.pos, options: fitting, filter: false };
}

/** Finds up to five syntax errors. A `return` outside a function isn't one: the script is the body of a function. */
function scriptProblems(state: EditorState): Diagnostic[] {
  const problems: Diagnostic[] = [];
  syntaxTree(state).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError && problems.length < 5) {
        problems.push({
          from,
          to: Math.max(to, Math.min(from + 1, state.doc.length)),
          severity: 'error',
          message: 'Syntax error',
        });
      }
    },
  });
  return problems;
}
