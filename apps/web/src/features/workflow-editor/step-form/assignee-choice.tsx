import { UNASSIGNED } from '@stet/domain/access';
import { useId, useState } from 'react';
import { usePeople } from '../../../lib/session/use-members.ts';
import { Field, Input, Select } from '../../../ui/field.tsx';

type AssigneeChoiceProps = {
  value: string;
  people: readonly string[];
  problem: string | null;
  readOnly: boolean;
  onChange: (assignee: string) => void;
};

/** The specification's roles (section 5), followed by the other assignees that aren't people. */
const ROLES = ['editor', 'reviewer', 'admin'] as const;
const OTHERS = ['system', 'auto', UNASSIGNED] as const;
const IN_PERSON = 'in person';

/** Chooses a role, or a person by email address. An unknown name only gets a warning. */
export function AssigneeChoice({ value, people, problem, readOnly, onChange }: AssigneeChoiceProps) {
  const list = useId();
  const { personOf } = usePeople();
  const known = [...ROLES, ...OTHERS].find((each) => each.toLowerCase() === value.trim().toLowerCase());
  const [inPerson, setInPerson] = useState(known === undefined && value.trim() !== '');
  const choice = inPerson ? IN_PERSON : (known ?? '');
  const pick = (picked: string) => {
    setInPerson(picked === IN_PERSON);
    onChange(picked === IN_PERSON ? '' : picked);
  };
  if (readOnly)
    return <Field label="Assignee">{(control) => <Input {...control} readOnly value={personOf(value).name} />}</Field>;
  return (
    <div className="stack">
      <Field label="Assignee">
        {(control) => (
          <Select {...control} value={choice} onChange={({ target }) => pick(target.value)}>
            {choice === '' && <option value="">Choose…</option>}
            {ROLES.map((role) => (
              <option key={role}>{role}</option>
            ))}
            {OTHERS.map((word) => (
              <option key={word}>{word}</option>
            ))}
            <option value={IN_PERSON}>A person, by email…</option>
          </Select>
        )}
      </Field>
      {inPerson && (
        <Field
          label="Assignee’s email"
          labelHidden
          error={problem}
          hint={personOf(value).address && personOf(value).name}
        >
          {(control) => (
            <>
              <Input
                {...control}
                list={list}
                maxLength={254}
                placeholder="name@company.com"
                autoComplete="off"
                spellCheck={false}
                value={value}
                onChange={({ target }) => onChange(target.value)}
              />
              <datalist id={list}>
                {people.map((email) => (
                  <option key={email} value={email}>
                    {personOf(email).name}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </Field>
      )}
    </div>
  );
}
