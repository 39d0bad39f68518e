import type { Member } from '@stet/contract';
import { STEP_TYPES } from '@stet/domain/steps';
import { Archive, Clock, FileText, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ComponentProps, ComponentType, ReactNode } from 'react';
import { Avatar, Who } from '../../ui/avatar.tsx';
import { Badge, Count, StatusBadge, Tag } from '../../ui/badge.tsx';
import type { BadgeTone } from '../../ui/badge.tsx';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Button, ButtonLink, IconButton, LinkButton, Pressable } from '../../ui/button.tsx';
import type { ButtonSize, ButtonTone } from '../../ui/button.tsx';
import { ChangeList } from '../../ui/change-list.tsx';
import { CheckGroup, CheckRow, ChoiceBox, ChoiceInput } from '../../ui/check-row.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DateRange } from '../../ui/date-range.tsx';
import { DestroyDialog } from '../../ui/destroy-dialog.tsx';
import { DialogBody } from '../../ui/dialog-body.tsx';
import { DiffWords } from '../../ui/diff-words.tsx';
import { DragHandle } from '../../ui/drag-handle.tsx';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { ExportCsvButton } from '../../ui/export-csv-button.tsx';
import { FieldTable, ValueList } from '../../ui/field-table.tsx';
import {
  Field,
  FieldError,
  FieldGroup,
  IconField,
  Input,
  PasswordInput,
  Select,
  TextField,
  Textarea,
  TextareaField,
} from '../../ui/field.tsx';
import { GrowingText } from '../../ui/growing-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { MenuItem } from '../../ui/menu-item.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Modal } from '../../ui/modal.tsx';
import { Duration, Moment } from '../../ui/moment.tsx';
import { FailureNote, Note } from '../../ui/note.tsx';
import { NewPasswordField, NewPasswordPair, PasswordField } from '../../ui/password-fields.tsx';
import { ListPopover, Popover } from '../../ui/popover.tsx';
import { MemberList } from '../../ui/member-list.tsx';
import { MemberPicker } from '../../ui/member-picker.tsx';
import { PeopleHere } from '../../ui/people-here.tsx';
import { PersonField } from '../../ui/person-field.tsx';
import { Priority } from '../../ui/priority.tsx';
import { ReasonDialog } from '../../ui/reason-dialog.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RoleField } from '../../ui/role-field.tsx';
import { SaveButton } from '../../ui/save-button.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Segments } from '../../ui/segments.tsx';
import { SidePanel, Split } from '../../ui/side-panel.tsx';
import { AfterPatience, SkeletonLine, SkeletonRows } from '../../ui/skeleton.tsx';
import { SlaBadge, SlaSummary, SlaText } from '../../ui/sla-badge.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { LoadingLine, Spinner } from '../../ui/spinner.tsx';
import { StepType, StepTypeIcon } from '../../step-types/step-type.tsx';
import { Table, TableHead, TableSkeleton } from '../../ui/table.tsx';
import { TagList } from '../../ui/tag-list.tsx';
import { TagSelect } from '../../ui/tag-select.tsx';
import { TermHelp } from '../../ui/term-help.tsx';
import { SubmitDialog } from '../../ui/submit-dialog.tsx';
import type { SubmitDialogProps } from '../../ui/submit-form.tsx';
import { toast } from '../../ui/toast.ts';
import { UrlPrefixField } from '../../ui/url-prefix-field.tsx';
import { useListbox } from '../../ui/use-listbox.ts';
import { WorkflowSortSelect } from '../../ui/workflow-sort-select.tsx';
import styles from './dev-components-screen.module.css';

const LONG = 'Two signatures are needed before the framework contract with a supplier outside the Union is filed';
const FORM = {
  columns: ['Field', 'Kind', 'Required'],
  rows: [
    {
      id: 'decision',
      kind: 'modified' as const,
      cells: [
        { before: 'Decision', after: 'Decision' },
        { before: 'Text', after: 'Choice' },
        { before: 'no', after: 'yes' },
      ],
    },
    {
      id: 'lot',
      kind: 'added' as const,
      cells: [
        { before: '', after: 'Lot number' },
        { before: '', after: 'Text' },
        { before: '', after: 'no' },
      ],
    },
  ],
};
const ARABIC = 'مراجعة عقد المورد قبل التوقيع';
const SENTENCE = 'This prefix is taken. Choose a different one.';
const AT = '2026-11-18T17:40:00.000Z';
const COLUMNS = [{ name: 'Workflow' }, { name: 'Status' }, { name: 'Owner' }];
const nothing = () => undefined;
const MEMBERS: readonly Member[] = ['Priya Nair', 'Sam Okafor', 'Jonas Weber'].map((name) => ({
  id: name,
  name,
  email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
  role: 'editor',
  provedBy: 'mailbox',
  addedBy: null,
  confirmedBy: null,
}));

/** Renders a controlled component with its own state. */
function Controlled<T>({
  start,
  children,
}: {
  start: T;
  children: (value: T, change: (value: T) => void) => ReactNode;
}) {
  const [value, setValue] = useState(start);
  return children(value, setValue);
}

/** A text field that shows members below it while it has the focus. */
function FocusedMemberList() {
  const [isOpen, setIsOpen] = useState(false);
  const list = useListbox({ options: MEMBERS, idOf: ({ id }) => id, initial: MEMBERS[0], onPick: nothing });
  return (
    <MemberList
      open={isOpen}
      label="Members"
      people={MEMBERS}
      list={list}
      target={<Input aria-label="Members" onFocus={() => setIsOpen(true)} onBlur={() => setIsOpen(false)} />}
    />
  );
}

/** A button that opens a dialog. */
function DialogOpener({ children }: { children: (close: () => void) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Open</Button>
      {isOpen && children(() => setIsOpen(false))}
    </>
  );
}

const text =
  (props: Partial<Parameters<typeof TextField>[0]>, start = 'Vendor onboarding') =>
  () => (
    <Controlled start={start}>
      {(value, change) => <TextField label="Workflow name" {...props} value={value} onChange={change} />}
    </Controlled>
  );
const confirm = (props: Partial<Parameters<typeof ConfirmDialog>[0]>) => () => (
  <DialogOpener>
    {(close) => (
      <ConfirmDialog open title="Delete Vendor onboarding?" {...props} onConfirm={close} onCancel={close}>
        This action cannot be undone.
      </ConfirmDialog>
    )}
  </DialogOpener>
);
const reason = (props: Partial<ComponentProps<typeof ReasonDialog>>) => () => (
  <DialogOpener>
    {(close) => (
      <ReasonDialog
        title="Skip Assess risk tier?"
        confirmLabel="Skip"
        cancelLabel="Cancel"
        busy={false}
        error={null}
        {...props}
        onConfirm={close}
        onClose={close}
      >
        The run continues without this step.
      </ReasonDialog>
    )}
  </DialogOpener>
);
const SUBMITTED: SubmitDialogProps['draft'] = {
  metadata: { title: 'Vendor onboarding', description: '' },
  steps: [],
  nextVersion: 2,
  summary: null,
  reviewers: ['Ellen Park', 'Jonas Weber'].map((name) => ({ id: name, name, email: `${name}@example.com` })),
  askedReviewers: [],
  policy: { requiredApprovals: 1, strict: false },
};
const submission = (props: Partial<SubmitDialogProps>) => () => (
  <DialogOpener>
    {(close) => (
      <SubmitDialog
        draft={SUBMITTED}
        busy={false}
        error={null}
        {...props}
        onSubmit={close}
        onStep={close}
        onClose={close}
      />
    )}
  </DialogOpener>
);
const destroy = (props: Partial<Parameters<typeof DestroyDialog>[0]>) => () => (
  <DialogOpener>
    {(close) => (
      <DestroyDialog
        title="Discard this draft?"
        confirmLabel="Discard"
        busy={false}
        error={null}
        needsReason={false}
        {...props}
        onConfirm={close}
        onCancel={close}
      >
        The live version stays unchanged.
      </DestroyDialog>
    )}
  </DialogOpener>
);
const failed = (message: string) => () => (
  <FailureNote cause={null} title="Export Failed" message={message} onDismiss={nothing} />
);
const prefix = (availability: Parameters<typeof UrlPrefixField>[0]['availability']) => () => (
  <Controlled start="halden-works">
    {(value, change) => <UrlPrefixField value={value} availability={availability} onChange={change} />}
  </Controlled>
);

/** The visible components of `ui` (without its subfolders), `StepType` and `StepTypeIcon`, each with its states. */
export const COMPONENTS: Readonly<Record<string, Readonly<Record<string, ComponentType>>>> = {
  Button: {
    'tones (hover over and focus each one)': () => (
      <div className="row">
        {(['plain', 'primary', 'quiet', 'danger', 'quiet-danger', 'danger-solid'] satisfies ButtonTone[]).map(
          (tone) => (
            <Button key={tone} tone={tone}>
              {tone}
            </Button>
          ),
        )}
      </div>
    ),
    sizes: () => (
      <div className="row">
        {(['sm', 'md', 'lg'] satisfies ButtonSize[]).map((size) => (
          <Button key={size} size={size} icon={Plus}>
            {size}
          </Button>
        ))}
      </div>
    ),
    disabled: () => <Button disabledReason="This workflow is archived">Run</Button>,
    busy: () => (
      <Button tone="primary" busy="Saving…">
        Save
      </Button>
    ),
    'long text': () => <Button>{LONG}</Button>,
    'right to left': () => <Button icon={Plus}>{ARABIC}</Button>,
  },
  IconButton: {
    'default and small': () => (
      <div className="row">
        <IconButton label="Delete" icon={Trash2} />
        <IconButton label="Delete" icon={Trash2} size="sm" />
      </div>
    ),
    disabled: () => <IconButton label="Delete" icon={Trash2} disabled />,
  },
  ButtonLink: {
    default: () => (
      <ButtonLink to="/dev/components" icon={FileText}>
        Read
      </ButtonLink>
    ),
  },
  LinkButton: {
    default: () => <LinkButton>Dismiss</LinkButton>,
    small: () => <LinkButton small>Dismiss</LinkButton>,
  },
  Pressable: { 'without its feature’s styles': () => <Pressable>Press</Pressable> },
  SaveButton: {
    default: () => <SaveButton isPending={false} isUnchanged={false} />,
    disabled: () => <SaveButton isPending={false} isUnchanged />,
    busy: () => <SaveButton isPending isUnchanged={false} />,
  },
  TextField: {
    default: text({}),
    hint: text({ hint: 'Shown in every list.' }),
    empty: text({ placeholder: 'Vendor onboarding' }, ''),
    error: text({ error: SENTENCE }),
    disabled: text({ disabled: true }),
    'read only': text({ readOnly: true }),
    large: text({ large: true }),
    'long text': text({}, LONG),
    'right to left': text({}, ARABIC),
  },
  TextareaField: {
    default: () => <TextareaField label="Description" value="Two lines or more" onChange={nothing} />,
    error: () => <TextareaField label="Description" value="" error={SENTENCE} onChange={nothing} />,
  },
  Field: {
    'label hidden': () => (
      <Field label="Hidden" labelHidden>
        {(control) => <Input {...control} defaultValue="Its label is for screen readers" />}
      </Field>
    ),
  },
  FieldGroup: {
    default: () => (
      <FieldGroup label="Channels">
        <Input aria-label="First" defaultValue="Mail" />
        <Input aria-label="Second" defaultValue="Slack" />
      </FieldGroup>
    ),
  },
  FieldError: {
    default: () => <FieldError>{SENTENCE}</FieldError>,
    'without an icon': () => <FieldError hasIcon={false}>{SENTENCE}</FieldError>,
  },
  IconField: {
    default: () => (
      <IconField icon={Clock}>
        <Input aria-label="SLA" defaultValue="4h" />
      </IconField>
    ),
  },
  Input: { default: () => <Input aria-label="Input" defaultValue="Vendor" /> },
  Textarea: {
    default: () => <Textarea aria-label="Textarea" defaultValue={LONG} />,
    disabled: () => <Textarea aria-label="Textarea" disabled defaultValue={LONG} />,
  },
  GrowingText: {
    default: () => (
      <Controlled start={LONG}>
        {(value, change) => (
          <GrowingText aria-label="Text" value={value} limit={500} onChange={change} onEnd={nothing} />
        )}
      </Controlled>
    ),
  },
  Select: {
    default: () => (
      <Select aria-label="Select">
        <option>Live</option>
        <option>{LONG}</option>
      </Select>
    ),
    disabled: () => (
      <Select aria-label="Select" disabled>
        <option>Live</option>
      </Select>
    ),
  },
  RoleField: {
    default: () => (
      <Controlled<'editor' | 'viewer'> start="editor">
        {(value, change) => (
          <RoleField roles={['editor', 'viewer']} value={value} hint="Writes drafts." onChange={change} />
        )}
      </Controlled>
    ),
  },
  PasswordInput: { default: () => <PasswordInput aria-label="Password" defaultValue="let-it-stand" /> },
  PasswordField: {
    default: () => (
      <Controlled start="let-it-stand">
        {(value, change) => (
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            value={value}
            onChange={change}
          />
        )}
      </Controlled>
    ),
    error: () => (
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value=""
        error="Password is required"
        onChange={nothing}
      />
    ),
  },
  NewPasswordField: {
    strength: () => (
      <Controlled start="let-it-stand">
        {(value, change) => <NewPasswordField value={value} onChange={change} />}
      </Controlled>
    ),
  },
  NewPasswordPair: {
    error: () => (
      <NewPasswordPair
        labels={{ password: 'New password', confirmation: 'Confirm password' }}
        password={{ value: 'let-it-stand', onChange: nothing }}
        confirmation={{ value: 'let', error: 'Passwords do not match', onChange: nothing }}
      />
    ),
  },
  UrlPrefixField: { free: prefix('free'), taken: prefix('taken'), checking: prefix('checking') },
  SearchBox: {
    empty: () => <SearchBox label="Search" text="" onSearch={nothing} />,
    'with text': () => <SearchBox label="Search" text="vendor" onSearch={nothing} />,
  },
  CheckRow: {
    default: () => (
      <Controlled start={true}>
        {(value, change) => (
          <CheckRow checked={value} onChange={change} about="By email, at most once a day.">
            Notify me
          </CheckRow>
        )}
      </Controlled>
    ),
    disabled: () => (
      <CheckRow checked={false} disabled onChange={nothing}>
        Notify me
      </CheckRow>
    ),
    'long text': () => (
      <CheckRow checked onChange={nothing}>
        {LONG}
      </CheckRow>
    ),
    'right to left': () => (
      <CheckRow checked onChange={nothing}>
        {ARABIC}
      </CheckRow>
    ),
  },
  ChoiceInput: {
    kinds: () => (
      <div className="row">
        <ChoiceInput kind="checkbox" aria-label="Check box" defaultChecked />
        <ChoiceInput kind="radio" aria-label="Radio" defaultChecked />
        <ChoiceInput kind="checkbox" aria-label="Disabled" disabled />
      </div>
    ),
  },
  ChoiceBox: {
    states: () => (
      <div className="row">
        {[false, true].map((round) =>
          [false, true].map((checked) => (
            <label key={`${round} ${checked}`}>
              <ChoiceInput
                kind={round ? 'radio' : 'checkbox'}
                className="vh"
                aria-label="Choice"
                defaultChecked={checked}
              />
              <ChoiceBox round={round} />
            </label>
          )),
        )}
      </div>
    ),
    disabled: () => (
      <label>
        <ChoiceInput kind="checkbox" className="vh" aria-label="Choice" disabled />
        <ChoiceBox />
      </label>
    ),
  },
  CheckGroup: {
    error: () => (
      <CheckGroup label="Events" error="Choose at least one event.">
        <CheckRow checked={false} onChange={nothing}>
          Run completed
        </CheckRow>
      </CheckGroup>
    ),
  },
  SegmentedControl: {
    default: () => (
      <Controlled start="split">
        {(value, change) => (
          <SegmentedControl
            label="View"
            value={value}
            options={[
              { value: 'split', label: 'Split' },
              { value: 'unified', label: 'Unified' },
            ]}
            onChange={change}
          />
        )}
      </Controlled>
    ),
  },
  DateRange: {
    empty: () => (
      <Controlled start={{ from: '', to: '' }}>
        {(value, change) => <DateRange {...value} onChange={change} />}
      </Controlled>
    ),
    'two days': () => <DateRange from="2026-11-01" to="2026-11-18" onChange={nothing} />,
  },
  Menu: {
    default: () => (
      <Menu
        target={<Button>Open</Button>}
        groups={[
          {
            label: 'Theme',
            entries: [
              { label: 'Light', checked: true, onPick: nothing },
              { label: 'Dark', checked: false, onPick: nothing },
            ],
          },
          {
            entries: [
              { label: 'Archive', icon: Archive, disabled: true, onPick: nothing },
              { label: 'Delete', icon: Trash2, danger: true, onPick: nothing },
              { label: LONG, onPick: nothing },
            ],
          },
        ]}
      />
    ),
  },
  MenuItem: {
    states: () => (
      <div role="menu" aria-label="Step">
        <MenuItem icon={FileText}>Duplicate</MenuItem>
        <MenuItem icon={FileText} aria-disabled>
          Move up
        </MenuItem>
        <MenuItem icon={Trash2} danger>
          Delete
        </MenuItem>
      </div>
    ),
  },
  Popover: {
    default: () => (
      <Controlled start={false}>
        {(isOpen, change) => (
          <Popover
            open={isOpen}
            onClose={() => change(false)}
            label="Example"
            target={<Button onClick={() => change(!isOpen)}>Open</Button>}
          >
            <p>{LONG}</p>
          </Popover>
        )}
      </Controlled>
    ),
  },
  ListPopover: {
    default: () => (
      <Controlled start={false}>
        {(isOpen, change) => (
          <ListPopover
            open={isOpen}
            role="listbox"
            aria-label="Example"
            target={<Input aria-label="Example" onFocus={() => change(true)} onBlur={() => change(false)} />}
          >
            <div role="option" aria-selected tabIndex={-1}>
              Mara Lindqvist
            </div>
          </ListPopover>
        )}
      </Controlled>
    ),
  },
  MemberList: { default: () => <FocusedMemberList /> },
  TermHelp: { default: () => <TermHelp term="draft" /> },
  Modal: {
    default: () => (
      <DialogOpener>
        {(close) => (
          <Modal open title="Start a run" onClose={close} footer={<Button onClick={close}>Cancel</Button>}>
            {LONG}
          </Modal>
        )}
      </DialogOpener>
    ),
    wide: () => (
      <DialogOpener>
        {(close) => (
          <Modal open wide title={LONG} onClose={close}>
            {LONG}
          </Modal>
        )}
      </DialogOpener>
    ),
  },
  DialogBody: { default: () => <DialogBody>{LONG}</DialogBody> },
  ConfirmDialog: {
    default: confirm({}),
    danger: confirm({ danger: true, confirmLabel: 'Delete' }),
    busy: confirm({ busy: 'Deleting…' }),
    error: confirm({ error: 'Failed to delete workflow' }),
  },
  ReasonForm: { 'in its dialog': reason({}) },
  ReasonDialog: {
    default: reason({ hint: 'The history shows the reason.' }),
    required: reason({ requiredSentence: 'Give a reason.' }),
    error: reason({ error: 'Failed to skip step' }),
    busy: reason({ busy: 'Skipping…', danger: true }),
  },
  SubmitForm: { 'in its dialog': submission({}) },
  SubmitDialog: {
    default: submission({}),
    'with warnings': submission({ draft: { ...SUBMITTED, metadata: { title: '', description: '' } } }),
    busy: submission({ busy: true }),
    error: submission({ error: 'Failed to submit for review' }),
  },
  DestroyDialog: {
    default: destroy({}),
    'needs a reason': destroy({ needsReason: true }),
    error: destroy({ error: 'Failed to discard the draft' }),
  },
  SecretDialog: {
    default: () => (
      <DialogOpener>
        {(close) => (
          <SecretDialog
            title="Token created"
            label="Token"
            secret="stet_pat_4f1c9a"
            onCopy={() => Promise.resolve(true)}
            onClose={close}
          />
        )}
      </DialogOpener>
    ),
  },
  Toaster: {
    'each tone, 3.5 s': () => (
      <div className="row">
        <Button onClick={() => toast.ok('Workflow Saved', 'Vendor onboarding saved as a draft')}>ok</Button>
        <Button onClick={() => toast.warn('Unable to start run', 'Save the workflow before starting a run')}>
          warn
        </Button>
        <Button onClick={() => toast.bad('Export Failed', LONG, { action: { label: 'Try again', run: nothing } })}>
          bad, long, with an action
        </Button>
      </div>
    ),
  },
  Note: {
    tones: () => (
      <div className="stack">
        {(['plain', 'ok', 'warn', 'bad', 'me'] as const).map((tone) => (
          <Note key={tone} tone={tone}>
            {tone}: {LONG}
          </Note>
        ))}
      </div>
    ),
    'right to left': () => <Note tone="warn">{ARABIC}</Note>,
  },
  FailureNote: { default: failed('Failed to export workflow'), 'long text': failed(LONG) },
  EmptyState: {
    default: () => (
      <EmptyState icon={FileText} title="No workflows yet" action={<Button>Create Your First Workflow</Button>}>
        Workflows appear here once an editor has created one.
      </EmptyState>
    ),
    'long text': () => <EmptyState icon={FileText} title={LONG} />,
    'right to left': () => <EmptyState icon={FileText} title={ARABIC} />,
  },
  ErrorState: {
    default: () => (
      <ErrorState title="Failed to load workflows" onRetry={nothing}>
        The server can’t be reached.
      </ErrorState>
    ),
  },
  ExportCsvButton: {
    default: () => (
      <ExportCsvButton fileName="workflows.csv" columns={[]} readPage={async () => ({ rows: [], next: null })} />
    ),
  },
  LoadMore: {
    default: () => <LoadMore more loading={false} onMore={nothing} />,
    busy: () => <LoadMore more loading onMore={nothing} />,
    error: () => <LoadMore more loading={false} failed onMore={nothing} />,
  },
  LoadingLine: { default: () => <LoadingLine>Loading workflow...</LoadingLine> },
  Spinner: { default: () => <Spinner /> },
  SkeletonLine: { default: () => <SkeletonLine width="60%" /> },
  SkeletonRows: { default: () => <SkeletonRows rows={2} label="Loading" /> },
  AfterPatience: { default: () => <AfterPatience label="Loading">Shown after 150 ms</AfterPatience> },
  Table: {
    default: () => (
      <Table>
        <TableHead columns={COLUMNS} />
        <tbody>
          {[false, true].map((selected) => (
            <tr key={String(selected)} aria-selected={selected}>
              {COLUMNS.map(({ name }) => (
                <td key={name}>{selected ? 'Selected' : name}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    ),
  },
  TableHead: {
    default: () => (
      <Table>
        <TableHead columns={COLUMNS} />
      </Table>
    ),
  },
  TableSkeleton: {
    default: () => (
      <Table>
        <TableSkeleton columns={COLUMNS} rows={2} />
      </Table>
    ),
  },
  StatusBadge: {
    states: () => (
      <div className="row">
        {['live', 'draft', 'in_review', 'archived', 'superseded', 'running', 'paused', 'completed', 'failed'].map(
          (each) => (
            <StatusBadge key={each} status={each} />
          ),
        )}
      </div>
    ),
  },
  Badge: {
    tones: () => (
      <div className="row">
        {(['gray', 'live', 'draft', 'run', 'fail', 'warn', 'plain'] satisfies BadgeTone[]).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
    ),
  },
  Tag: { default: () => <Tag>role</Tag> },
  Count: {
    default: () => (
      <div className="row">
        <Count of={4} />
        <Count of={4} on />
      </div>
    ),
  },
  SlaBadge: {
    states: () => (
      <div className="row">
        {['on_track', 'at_risk', 'breached', null].flatMap((state) => [
          <SlaBadge key={String(state)} state={state} />,
          <SlaBadge key={`${state} pill`} state={state} pill />,
        ])}
      </div>
    ),
  },
  SlaSummary: { states: () => <SlaSummary state="at_risk" /> },
  MemberPicker: {
    'one chosen': () => (
      <Controlled start={['Sam Okafor']}>
        {(value, change) => <MemberPicker label="Members" people={MEMBERS} value={value} onChange={change} />}
      </Controlled>
    ),
    error: () => <MemberPicker label="Members" people={MEMBERS} value={[]} error={SENTENCE} onChange={nothing} />,
  },
  PersonField: {
    empty: () => (
      <Controlled start="">
        {(value, change) => <PersonField label="Person" people={MEMBERS} value={value} onChange={change} />}
      </Controlled>
    ),
    error: () => <PersonField label="Person" people={MEMBERS} value="" error={SENTENCE} onChange={nothing} />,
  },
  SlaText: {
    states: () => (
      <div className="row">
        <SlaText state="on_track">approved</SlaText>
        <SlaText state="at_risk">92 % of its SLA</SlaText>
        <SlaText state="breached">140 % of its SLA</SlaText>
        <SlaText state={null}>no SLA</SlaText>
      </div>
    ),
  },
  DragHandle: { default: () => <DragHandle aria-label="Move step 1" /> },
  TagList: { 'two tags': () => <TagList tags={['payments', 'vendors']} /> },
  TagSelect: {
    'one chosen': () => (
      <Controlled start="payments">
        {(tag, change) => (
          <TagSelect
            tag={tag}
            tags={[
              { tag: 'payments', count: 3 },
              { tag: 'vendors', count: 1 },
            ]}
            onChange={change}
          />
        )}
      </Controlled>
    ),
  },
  PeopleHere: {
    'three people': () => (
      <PeopleHere people={['Priya Nair', 'Sam Okafor', 'Jonas Weber'].map((name) => ({ id: name, name }))} />
    ),
  },
  Priority: {
    levels: () => (
      <div className="row">
        {['low', 'medium', 'high', 'urgent', 'critical', 'as typed'].map((level) => (
          <Priority key={level} level={level} />
        ))}
      </div>
    ),
  },
  StepType: {
    types: () => (
      <div className="row">
        {STEP_TYPES.map((type) => (
          <StepType key={type} type={type} />
        ))}
      </div>
    ),
  },
  StepTypeIcon: { default: () => <StepTypeIcon type="approval" /> },
  Segments: {
    states: () => (
      <Segments
        of={['done', 'simulated', 'active', 'at_risk', 'breached', 'failed', 'skipped', 'todo']}
        completed={2}
        label="2 of 8 steps completed"
        large
      />
    ),
  },
  Sparkline: {
    default: () => <Sparkline shares={[0.2, 0.6, 0.4, 1.2]} state="breached" />,
    empty: () => <Sparkline shares={[]} state={null} />,
  },
  Avatar: {
    default: () => (
      <div className="row">
        <Avatar name="Mara Lindqvist" />
        <Avatar name="Mara Lindqvist" large />
        <Avatar name="reviewer" role={true} />
      </div>
    ),
  },
  Who: {
    default: () => <Who name="Mara Lindqvist" />,
    'long text': () => <Who name={LONG} />,
    member: () => <Who name="Cher" address="cher@haldenworks.example" />,
  },
  Icon: {
    sizes: () => (
      <div className="row">
        {(['xs', 's', 'm', 'l'] as const).map((size) => (
          <Icon key={size} of={FileText} size={size} />
        ))}
      </div>
    ),
  },
  Kbd: { default: () => <Kbd>Ctrl K</Kbd> },
  Moment: { default: () => <Moment at={AT}>18 Nov, 17:40</Moment> },
  Duration: { default: () => <Duration ms={213_120_000} /> },
  RelativeTime: { default: () => <RelativeTime at={AT} now={Date.parse(AT) + 7_200_000} /> },
  Breadcrumbs: {
    default: () => <Breadcrumbs trail={[{ label: 'Dashboard', to: '/dev/components' }, { label: 'Editor' }]} />,
    'long text': () => <Breadcrumbs trail={[{ label: 'Dashboard', to: '/dev/components' }, { label: LONG }]} />,
  },
  DiffWords: {
    'before and after': () => (
      <>
        <p>
          <DiffWords before="Two signatures" after="Three signatures" side="before" />
        </p>
        <p>
          <DiffWords before="Two signatures" after="Three signatures" side="after" />
        </p>
      </>
    ),
  },
  ChangeList: {
    default: () => (
      <ChangeList
        changes={{
          counts: { added: 1, removed: 0, modified: 1 },
          metadata: [{ field: 'title', label: 'Title', before: 'Vendors', after: 'Vendor onboarding', form: 'text' }],
          steps: [
            {
              id: 'assess',
              kind: 'modified',
              title: 'Assess risk tier',
              fields: [{ field: 'sla', label: 'SLA', before: '1 day', after: '2 days', form: 'text' }],
            },
          ],
        }}
      />
    ),
  },
  FieldTable: {
    'texts and a form': () => (
      <FieldTable
        of="Assess risk tier"
        fields={[
          { field: 'sla', label: 'SLA', before: '1 day', after: '2 days', form: 'text' },
          { field: 'fields', label: 'Fields', before: '', after: '', form: 'text', table: FORM },
        ]}
      />
    ),
  },
  ValueList: {
    added: () => (
      <ValueList
        of="Assess risk tier"
        kind="added"
        values={[{ field: 'sla', label: 'SLA', text: '2 days', form: 'text' }]}
      />
    ),
    removed: () => (
      <ValueList
        of="Assess risk tier"
        kind="removed"
        values={[{ field: 'sla', label: 'SLA', text: '2 days', form: 'text' }]}
      />
    ),
    'a form': () => (
      <ValueList
        of="Assess risk tier"
        kind="added"
        values={[{ field: 'fields', label: 'Fields', text: '-', form: 'text', table: FORM }]}
      />
    ),
  },
  WorkflowSortSelect: { default: () => <WorkflowSortSelect sort="updated" onChange={nothing} /> },
  SidePanel: {
    default: () => (
      <div className={styles.frame}>
        <SidePanel label="Vendor onboarding" head={<StatusBadge status="live" />} onClose={nothing}>
          {LONG}
        </SidePanel>
      </div>
    ),
  },
  Split: {
    'without a panel': () => (
      <div className={styles.frame}>
        <Split panel={null}>{LONG}</Split>
      </div>
    ),
  },
};
