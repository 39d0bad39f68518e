import type { Confirmation } from '@stet/contract';
import { members } from './people.ts';

const SAM = members()[1];
const PROPOSER = {
  id: '0199aaaa-0000-7000-8000-000000000004',
  name: 'Jonas Weber',
  email: 'jonas.weber@haldenworks.example',
};

/** Jonas proposed to make Sam a reviewer. The signed-in person can confirm or refuse it. */
export function aConfirmation(
  change: Partial<Confirmation> = {},
  abilities: Partial<Confirmation['abilities']> = {},
): Confirmation {
  return {
    id: '0199aaaa-0000-7000-8000-0000000000d1',
    kind: 'member',
    subjectId: SAM?.id ?? '',
    sentence: 'Sam Okafor may review',
    payload: {},
    proposedBy: PROPOSER,
    proposedAt: '2026-11-20T12:36:08.000Z',
    status: 'waiting',
    decidedBy: null,
    decidedAt: null,
    reason: null,
    because: null,
    from: null,
    abilities: { confirm: true, refuse: true, withdraw: false, ...abilities },
    ...change,
  };
}
