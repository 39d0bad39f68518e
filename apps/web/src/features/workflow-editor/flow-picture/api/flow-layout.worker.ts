import { layOutFlow } from '@stet/presentation/flow';
import { stepsOfStructure } from '../model/flow-structure.ts';

// Placing hundreds of boxes takes longer than a frame, so it is done in a worker.
addEventListener('message', ({ data }: MessageEvent<string>) => {
  postMessage({ structure: data, layout: layOutFlow(stepsOfStructure(data)) });
});
