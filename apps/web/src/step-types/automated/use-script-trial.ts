import type { OkOf } from '@stet/contract';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import type { Sample } from '../settings/sample.ts';

export type Trial = OkOf<'POST /api/workflows/script-trial'>;
type Asked = { script: string; timeout: number; sample: Sample; step: { id: string; title: string } };

/** Runs a script once on the server, in the same sandbox as in runs. Nothing is saved. */
export const useScriptTrial = () =>
  useMutation({
    mutationFn: ({ script, timeout, sample, step }: Asked): Promise<Trial> =>
      api('POST /api/workflows/script-trial', { body: { script, timeout, ...sample, step } }),
  });
