import { isolated } from '@stet/domain/workflows';
import { Bookmark, ChevronDown, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSignedIn } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { toast } from '../../../ui/toast.ts';
import { type SavedView, VIEW_LIMITS, readViews, withView, writeViews } from '../model/saved-views.ts';
import styles from './run-filter-bar.module.css';

type SavedViewsProps = {
  /** The query with the current filters and order. */
  query: string;
  onOpen: (query: string) => void;
};

/** The person's views of the list, saved in this browser. Hidden if there is nothing to save or open. */
export function SavedViews({ query, onOpen }: SavedViewsProps) {
  const { user } = useSignedIn();
  const key = `stet_run_views.${user.id}.${user.currentOrgId ?? ''}`;
  const [views, setViews] = useState(() => readViews(key));
  const [isNaming, setNaming] = useState(false);
  const current = views.find((view) => view.query === query);
  const store = (next: SavedView[]): boolean => {
    if (writeViews(key, next)) {
      setViews(next);
      return true;
    }
    toast.bad('View not saved', 'This browser can’t store it.');
    return false;
  };
  const remove = (view: SavedView) => {
    const back = () => store(withView(readViews(key), view));
    if (store(readViews(key).filter(({ name }) => name !== view.name)))
      toast.ok('View removed', view.name, { action: { label: 'Undo', run: back } });
  };
  if (views.length === 0 && query === '') return null;
  const isFull = views.length >= VIEW_LIMITS.views;
  return (
    <>
      <Menu
        position="bottom-start"
        target={
          <Button icon={Bookmark} className={styles.views} aria-label={current ? `View: ${current.name}` : 'Views'}>
            <span className="trunc">{current?.name ?? 'Views'}</span>
            <Icon of={ChevronDown} size="s" />
          </Button>
        }
        groups={[
          ...(views.length > 0
            ? [
                {
                  entries: views.map((view) => ({
                    label: view.name,
                    checked: view === current,
                    onPick: () => onOpen(view.query),
                  })),
                },
              ]
            : []),
          {
            entries: current
              ? [{ label: `Remove “${current.name}”`, icon: Trash2, danger: true, onPick: () => remove(current) }]
              : [
                  {
                    label: isFull ? `You have ${VIEW_LIMITS.views} views. Remove one first.` : 'Save this view…',
                    icon: Plus,
                    disabled: isFull || query === '',
                    onPick: () => setNaming(true),
                  },
                ],
          },
        ]}
      />
      {isNaming && (
        <NameDialog
          names={views.map(({ name }) => name)}
          onSave={(name) => {
            if (!store(withView(readViews(key), { name, query }))) return;
            toast.ok('View saved', name);
            setNaming(false);
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

type NameDialogProps = { names: readonly string[]; onSave: (name: string) => void; onClose: () => void };

function NameDialog({ names, onSave, onClose }: NameDialogProps) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const isTaken = names.includes(name.trim());
  return (
    <Modal
      open
      title="Save this view"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === '') setError('Enter a name');
        else onSave(name.trim());
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary">
            {isTaken ? 'Replace' : 'Save'}
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={name}
        error={error}
        data-autofocus
        autoComplete="off"
        maxLength={VIEW_LIMITS.name}
        placeholder="For example: Late at Finance"
        hint={
          isTaken
            ? `Replaces your view “${isolated(name.trim())}”.`
            : 'The current filters and order. Saved in this browser, only for you.'
        }
        onChange={(text) => {
          setName(text);
          setError(undefined);
        }}
      />
    </Modal>
  );
}
