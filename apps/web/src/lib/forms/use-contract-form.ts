import type { BodySchema } from '@stet/contract';
import { fieldProblems } from '@stet/contract/problem-words';
import { useForm } from '@mantine/form';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FocusEvent, FormEvent } from 'react';
import { errorSentence } from '../api/api-error.ts';
import { placeProblems, refusedFields } from './problems.ts';
import type { Places, Problems } from './problems.ts';

/** Loads the schema of a route's body when the form appears, because zod isn't part of the first load. */
export type SchemaLoader<Body> = () => Promise<BodySchema<Body>>;

type ContractFormOptions<Values, Body> = {
  schema: SchemaLoader<Body>;
  /** The saved values. Fields without unsaved changes take their value from here. */
  initial: Values;
  body: (values: Values) => Body;
  /** Rules that the contract can't express, such as a repeated password. They take precedence over the contract's. */
  rules?: (values: Values) => Problems<Values>;
  places?: Places<Values>;
  /** The message if sending fails and the server sends none. */
  failed: string;
  /** Rejects with `ApiError` if the server refuses. */
  send: (body: Body, values: Values) => Promise<unknown>;
};

/** The props that connect a control to its field. The optional ones are only set inside a form. */
export type FieldProps<Value> = {
  name?: string;
  value: Value;
  error?: string | undefined;
  onChange: (value: Value) => void;
  onBlur?: (event: FocusEvent) => void;
};

/**
 * A form that is validated with the contract. A field shows its error after it was changed and lost focus, except to a
 * button or link, or after the form was submitted. The server's refusals are shown next to their fields, too. Only one
 * request is sent at a time.
 */
export function useContractForm<Values extends Record<string, unknown>, Body>(
  options: ContractFormOptions<Values, Body>,
) {
  const { schema: load, initial, body, rules, places, failed, send } = options;
  type Name = keyof Values & string;
  const form = useForm<Values>({ initialValues: initial, clearInputErrorOnChange: false });
  const schema = useRef<BodySchema<Body> | null>(null);
  const changed = useRef(new Set<Name>());
  const isBusy = useRef(false);
  const [isSending, setSending] = useState(false);
  /** The form that was refused. Its first invalid field receives the focus once the errors are rendered. */
  const [refused, setRefused] = useState<{ element: HTMLFormElement } | null>(null);
  const [failure, setFailure] = useState<{ error: unknown; sentence: string } | null>(null);

  useEffect(() => refused?.element.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [refused]);

  const loadSchema = async () => {
    // Without the schema, only the server checks the contract.
    schema.current ??= await load().catch(() => null);
  };
  const onMount = useEffectEvent(loadSchema);
  useEffect(() => void onMount(), []);

  const follow = useEffectEvent(() => {
    const edited = Object.entries(form.getValues()).filter(([name]) => form.isDirty(name));
    form.setValues({ ...initial, ...(Object.fromEntries(edited) as Partial<Values>) });
    form.resetDirty(initial);
  });
  const saved = JSON.stringify(initial);
  const followed = useRef(saved);
  useEffect(() => {
    if (followed.current !== saved) follow();
    followed.current = saved;
  }, [saved]);

  const check = (values: Values) => {
    const found = schema.current ? fieldProblems(schema.current, body(values)) : [];
    const { problems, elsewhere } = placeProblems(found, values, places);
    return { problems: { ...problems, ...rules?.(values) }, elsewhere };
  };

  const change = (part: Partial<Values>) => {
    const before = check(form.getValues()).problems;
    form.setValues(part);
    for (const name of Object.keys(part)) {
      changed.current.add(name);
      form.clearFieldError(name);
    }
    // Changing a field can also make another one valid, for example the repeated password.
    const after = check(form.getValues()).problems;
    for (const [name, error] of Object.entries(form.errors))
      if (error === before[name as Name] && after[name as Name] === undefined) form.clearFieldError(name);
    setFailure(null);
  };

  const leave = (name: Name, { relatedTarget }: FocusEvent) => {
    // An error that appears while a button is being pressed would move the button away from the pointer.
    const isAct = relatedTarget instanceof Element && relatedTarget.closest('a, button') !== null;
    const problem = changed.current.has(name) && !isAct && check(form.getValues()).problems[name];
    if (problem) form.setFieldError(name, problem);
  };

  const reset = () => {
    changed.current.clear();
    form.reset();
  };

  const submit = async (element: HTMLFormElement) => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      if (schema.current === null) await loadSchema();
      const values = form.getValues();
      const { problems, elsewhere } = check(values);
      const sentences = Object.fromEntries(Object.entries(problems).filter(([, sentence]) => sentence));
      form.setErrors(sentences);
      const [stray] = elsewhere;
      setFailure(stray ? { error: null, sentence: stray.problem } : null);
      if (stray) return;
      if (Object.keys(sentences).length > 0) return setRefused({ element });
      setSending(true);
      await send(body(values), values);
    } catch (error) {
      const { problems, isWhole } = refusedFields(error, form.getValues(), places);
      form.setErrors(problems);
      if (isWhole) setFailure({ error, sentence: errorSentence(error, failed) });
      else setRefused({ element });
    } finally {
      isBusy.current = false;
      setSending(false);
    }
  };

  return {
    values: form.values,
    change,
    field: <N extends Name>(name: N): FieldProps<Values[N]> => ({
      name,
      value: form.values[name],
      error: form.errors[name] as string | undefined,
      onChange: (value) => change({ [name]: value } as unknown as Partial<Values>),
      onBlur: (event) => leave(name, event),
    }),
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      void submit(event.currentTarget);
    },
    /** For a multi-page form: shows the errors of the given fields. Returns true if there are none. */
    checkFields: (names: readonly Name[]): boolean => {
      const { problems } = check(form.getValues());
      const bad = names.filter((name) => problems[name]);
      for (const name of bad) form.setFieldError(name, problems[name]);
      return bad.length === 0;
    },
    /** Submits the form from a button that isn't its submit button. */
    submitFrom: (element: HTMLFormElement) => void submit(element),
    isSending,
    /** Whether there are unsaved changes. */
    isDirty: form.isDirty(),
    /** The reason why the last attempt failed, unless the error is shown next to a field. */
    problem: failure?.sentence ?? null,
    error: failure?.error ?? null,
    reset,
  };
}
