import { Plus, Search, Table2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { paths } from '../../../lib/paths.ts';
import { IconField, Input } from '../../../ui/field.tsx';
import { TagSelect } from '../../../ui/tag-select.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { useWorkflows } from '../api/use-workflows.ts';
import { countTags, pickerCards, searchCards } from '../model/picker-cards.ts';
import type { PickerCard } from '../model/picker-cards.ts';
import { PickerEmpty, PickerError, PickerLoading, PickerNoneFound } from './picker-states.tsx';
import { TemplateChooser } from './template-chooser.tsx';
import { WorkflowCard } from './workflow-card.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './picker.module.css';

type WorkflowPickerProps = {
  organizationId: string;
  may: { edit: boolean; run: boolean };
  /** The workflow in the address. It is highlighted initially. */
  initialKey: string | null;
  duplicatingKey: string | null;
  /** Whether the templates are shown. */
  choosing: boolean;
  onChoosing: (open: boolean) => void;
  onEdit: (card: PickerCard) => void;
  onRun: (card: PickerCard) => void;
  onDuplicate: (card: PickerCard) => void;
};

/**
 * The page 'Select Workflow' with templates, search and list. Arrow keys move the highlight, and Enter edits the
 * highlighted workflow.
 */
export function WorkflowPicker({
  organizationId,
  may,
  initialKey,
  duplicatingKey,
  choosing,
  onChoosing,
  onEdit,
  onRun,
  onDuplicate,
}: WorkflowPickerProps) {
  const ids = { title: useId(), templates: useId() };
  const query = useWorkflows(organizationId);
  const [typed, setTyped] = useState('');
  const [tag, setTag] = useState('');
  const [highlightedKey, setHighlightedKey] = useState(initialKey);
  const all = pickerCards(query.data ?? []);
  const cards = searchCards(all, typed, tag);
  const highlighted = cards.findIndex(({ key }) => key === highlightedKey);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const inSearch = event.target instanceof HTMLInputElement;
    const onButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    if (event.key === 'Enter' && inSearch) {
      const card = cards[highlighted] ?? (cards.length === 1 ? cards[0] : undefined);
      if (card) onEdit(card);
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const step = event.key === 'ArrowDown' ? 1 : -1;
    const next = cards[Math.max(0, Math.min(highlighted + step, cards.length - 1))];
    if (!next) return;
    setHighlightedKey(next.key);
    const row = event.currentTarget.querySelector<HTMLElement>(`[data-key="${next.key}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    // If one of the list's buttons has the focus, it moves with the highlight, so that Enter edits the highlighted
    // workflow.
    if (onButton) row?.querySelector<HTMLElement>('[data-act="edit"]')?.focus({ preventScroll: true });
  };

  return (
    <section className={classNames('sheet', styles.picker)} aria-labelledby={ids.title}>
      <header className={styles.pickerHead}>
        <h2 id={ids.title}>Select Workflow</h2>
        <ButtonLink to={paths.editor({ mode: 'demo' })} tone="quiet" size="sm" icon={Table2}>
          Demo Table
        </ButtonLink>
        {may.edit && (
          <Button
            tone="primary"
            icon={Plus}
            aria-expanded={choosing}
            aria-controls={ids.templates}
            onClick={() => onChoosing(!choosing)}
          >
            Create New
          </Button>
        )}
      </header>
      {choosing && <TemplateChooser id={ids.templates} onClose={() => onChoosing(false)} />}
      <div role="presentation" onKeyDown={onKeyDown}>
        <div className={styles.pickerSearch}>
          <IconField icon={Search}>
            <Input
              type="search"
              aria-label="Search workflows"
              placeholder="Search workflows by name, title, or description..."
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </IconField>
          <TagSelect tag={tag} tags={countTags(all)} onChange={setTag} />
        </div>
        {query.isPending ? (
          <PickerLoading />
        ) : query.error && !query.data ? (
          <PickerError
            message={errorSentence(query.error, 'Failed to load workflows')}
            onRetry={() => void query.refetch()}
          />
        ) : all.length === 0 ? (
          <PickerEmpty onCreate={may.edit ? () => onChoosing(true) : null} />
        ) : cards.length === 0 ? (
          <PickerNoneFound />
        ) : (
          <ul aria-label="Workflows">
            {cards.map((card) => (
              <WorkflowCard
                key={card.key}
                card={card}
                highlighted={card.key === highlightedKey}
                may={may}
                duplicating={card.key === duplicatingKey}
                onHighlight={() => setHighlightedKey(card.key)}
                onEdit={() => onEdit(card)}
                onRun={() => onRun(card)}
                onDuplicate={() => onDuplicate(card)}
              />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
