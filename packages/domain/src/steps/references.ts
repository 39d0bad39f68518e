import type { Setting } from './kind.ts';
import { type Step, STEP_KINDS, STEP_TYPES, type StepType } from './step.ts';

/** A setting that names another step: a next one, which is also in `next`, or an earlier one. */
export type StepReference = { setting: string; target: string; names: 'next' | 'earlier' };

type SettingOf = [name: string, setting: Setting];

const SETTINGS = Object.fromEntries(
  STEP_TYPES.map((type) => [type, Object.entries<Setting>(STEP_KINDS[type].settings)]),
) as Record<StepType, SettingOf[]>;

/** Returns a step type's settings in the order of its definition. */
export const settingsOf = (type: StepType): readonly SettingOf[] => SETTINGS[type];

const ALL = new Map(STEP_TYPES.flatMap((type) => SETTINGS[type]));

/**
 * Returns a setting by its name; undefined if no type has it. Settings with the same name have the same definition in
 * all types.
 */
export const settingNamed = (name: string): Setting | undefined => ALL.get(name);

const NAMING = Object.fromEntries(
  STEP_TYPES.map((type) => [type, SETTINGS[type].flatMap(([name, { names }]) => (names ? [{ name, names }] : []))]),
) as Record<StepType, { name: string; names: StepReference['names'] }[]>;

/** Returns a step's references to other steps, one for each setting that isn't blank. */
export function refersTo({ type, config }: Pick<Step, 'type' | 'config'>): StepReference[] {
  const named = NAMING[type];
  if (named.length === 0) return [];
  const values: Readonly<Record<string, unknown>> = config;
  return named.flatMap(({ name, names }) => {
    const target = values[name];
    return typeof target === 'string' && target !== '' ? [{ setting: name, target, names }] : [];
  });
}

/** Returns the references in a step's settings that name a next step. */
export const refersToNext = (step: Pick<Step, 'type' | 'config'>): StepReference[] =>
  refersTo(step).filter(({ names }) => names === 'next');

/** Returns the steps that a step's settings can choose as the next step; used if `next` is missing. */
export const chosenNext = (step: Pick<Step, 'type' | 'config'>): string[] => [
  ...new Set(refersToNext(step).map(({ target }) => target)),
];

/**
 * Returns the answers of a step type that lead to different steps, in the order of its settings; empty for most types.
 */
export const answersOf = (type: StepType): string[] =>
  SETTINGS[type].flatMap(([, { answer }]) => (answer === undefined ? [] : [answer]));

/** True if steps of the type have settings that choose the next step. */
export const choosesNext = (type: StepType): boolean => NAMING[type].some(({ names }) => names === 'next');

/**
 * Returns the step with new targets in its reference settings, or the same object if nothing changes. Also calls
 * `targetOf` for blank settings. If it returns undefined, the setting is removed.
 */
export function withReferences(step: Step, targetOf: (reference: StepReference) => string | undefined): Step {
  const values: Readonly<Record<string, unknown>> = step.config;
  let config: Record<string, unknown> | undefined;
  for (const { name, names } of NAMING[step.type]) {
    const written = values[name];
    if (typeof written !== 'string') continue;
    const target = targetOf({ setting: name, target: written, names });
    if (target === written) continue;
    config ??= { ...step.config };
    if (target === undefined) delete config[name];
    else config[name] = target;
  }
  return config === undefined ? step : { ...step, config };
}

/** Returns the step without texts, times and people: only the properties that decide its place in a diagram. */
export function outlineOf(step: Step): Step {
  const config = Object.fromEntries(refersTo(step).map(({ setting, target }) => [setting, target]));
  return { ...step, title: '', description: '', assignee: '', sla: '', config };
}

/** True if two steps have the same type and identical reference settings. */
export function hasSameReferences(one: Step, other: Step): boolean {
  const written = ({ type, config }: Step): string =>
    JSON.stringify(NAMING[type].map(({ name }) => (config as Record<string, unknown>)[name] ?? null));
  return one.type === other.type && written(one) === written(other);
}
