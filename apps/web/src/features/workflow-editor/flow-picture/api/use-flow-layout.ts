import type { FlowLayout } from '@stet/presentation/flow';
import type { Step } from '@stet/domain/steps';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flowStructure, stepsOfStructure } from '../model/flow-structure.ts';

type Placed = { structure: string; layout: FlowLayout };

/**
 * The steps' positions. Null until they are first computed; later, the previous positions stay until the new ones are
 * ready. They are computed in a worker if the browser supports it.
 */
export function useFlowLayout(steps: readonly Step[]): FlowLayout | null {
  const structure = useMemo(() => flowStructure(steps), [steps]);
  const [placed, setPlaced] = useState<Placed | null>(null);
  const worker = useRef<Worker | null>(null);
  const wanted = useRef(structure);

  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = null;
    },
    [],
  );

  useEffect(() => {
    wanted.current = structure;
    const take = (made: Placed): void => {
      if (made.structure === wanted.current) setPlaced(made);
    };
    if (typeof Worker === 'undefined') {
      void import('@stet/presentation/flow').then(({ layOutFlow }) =>
        take({ structure, layout: layOutFlow(stepsOfStructure(structure)) }),
      );
      return;
    }
    worker.current ??= new Worker(new URL('flow-layout.worker.ts', import.meta.url), { type: 'module' });
    worker.current.onmessage = ({ data }: MessageEvent<Placed>) => take(data);
    worker.current.postMessage(structure);
  }, [structure]);

  return placed?.layout ?? null;
}
