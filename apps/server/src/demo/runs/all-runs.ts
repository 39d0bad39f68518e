import type { RunScript } from '../run-script.ts';
import { renewalRuns } from './contract-renewal.ts';
import { offboardingRuns } from './employee-offboarding.ts';
import { expenseRuns } from './expense-approval.ts';
import { dataRequestRuns } from './gdpr-data-request.ts';
import { incidentRuns } from './incident-response.ts';
import { laptopRuns } from './laptop-provisioning.ts';
import { orderChangeRuns } from './purchase-order-change.ts';
import { vendorRuns } from './vendor-onboarding.ts';

export const RUNS: readonly RunScript[] = [
  ...vendorRuns,
  ...expenseRuns,
  ...incidentRuns,
  ...offboardingRuns,
  ...dataRequestRuns,
  ...laptopRuns,
  ...renewalRuns,
  ...orderChangeRuns,
];
