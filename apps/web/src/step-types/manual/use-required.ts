import type { isFieldRequired } from '@stet/domain/expressions';
import type { InputField } from '@stet/domain/steps';
import { useEffect, useState } from 'react';

export type RequiredCheck = typeof isFieldRequired;

/**
 * Loads the expression library if a form has a field that is required under a condition. Until it is loaded, and if
 * that fails, only the server checks whether such a field needs a value.
 */
export function useRequired(fields: readonly InputField[]): RequiredCheck | undefined {
  const [check, setCheck] = useState<RequiredCheck>();
  const isNeeded = fields.some(({ requiredIf }) => requiredIf !== undefined);
  useEffect(() => {
    if (!isNeeded) return;
    let isOver = false;
    import('@stet/domain/expressions').then(
      (loaded) => !isOver && setCheck(() => loaded.isFieldRequired),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [isNeeded]);
  return check;
}
