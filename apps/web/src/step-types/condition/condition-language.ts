import { isolated } from '@stet/domain/workflows';
import { autocompletion } from '@codemirror/autocomplete';
import type { Completion, CompletionSource } from '@codemirror/autocomplete';
import { linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { checkExpression } from '@stet/domain/expressions';
import type { ExpressionNames, NameEntry } from '@stet/domain/expressions';
import { feelLanguage } from 'lang-feel';

/** The condition language (FEEL), with completion of the names that the step can use, and checks while typing. */
export function conditionLanguage(names: readonly NameEntry[], context: ExpressionNames): Extension {
  return [
    feelLanguage,
    autocompletion({ override: [namesSource(names)], icons: false }),
    linter(
      ({ state }) => {
        const text = state.doc.toString();
        // A note on the step reports that the condition is empty, so don't underline anything.
        if (text.trim() === '') return [];
        return checkExpression(text, context).map(({ from, to, problem }) => ({
          from,
          to,
          severity: 'error' as const,
          message: problem,
        }));
      },
      { delay: 300 },
    ),
  ];
}

/** Suggests names whose expression, step title or label contains what the person has typed. */
function namesSource(names: readonly NameEntry[]): CompletionSource {
  const options = names.map(({ expression, label, detail }): Completion => ({
    label: expression,
    displayLabel: `${detail === 'run' ? 'This run' : isolated(detail)}: ${isolated(label)}`,
    detail: expression,
    apply: expression,
  }));
  return (context) => {
    const typed = context.matchBefore(/[\w.-]+/);
    if (!typed && !context.explicit) return null;
    const text = (typed?.text ?? '').toLowerCase();
    const fitting = options.filter(({ label, displayLabel = '' }) =>
      `${label} ${displayLabel}`.toLowerCase().includes(text),
    );
    return fitting.length === 0 ? null : { from: typed?.from ?? context.pos, options: fitting, filter: false };
  };
}
