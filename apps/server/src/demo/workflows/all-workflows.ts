import type { DemoWorkflow } from '../draft-script.ts';
import { contractRenewal } from './contract-renewal.ts';
import { customerRefund } from './customer-refund.ts';
import { employeeOffboarding } from './employee-offboarding.ts';
import { expenseApproval } from './expense-approval.ts';
import { gdprDataRequest } from './gdpr-data-request.ts';
import { incidentResponse } from './incident-response.ts';
import { laptopProvisioning } from './laptop-provisioning.ts';
import { purchaseOrderChange } from './purchase-order-change.ts';
import { quarterlyAccessReview } from './quarterly-access-review.ts';
import { vendorOnboarding } from './vendor-onboarding.ts';

/** The workflows of the demo, in any order. */
export const WORKFLOWS: readonly DemoWorkflow[] = [
  purchaseOrderChange,
  laptopProvisioning,
  gdprDataRequest,
  contractRenewal,
  employeeOffboarding,
  quarterlyAccessReview,
  customerRefund,
  incidentResponse,
  expenseApproval,
  vendorOnboarding,
];
