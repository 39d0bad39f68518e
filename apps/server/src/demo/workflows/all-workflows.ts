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

/** Sorted by the latest work on their drafts. The draft of the last one was edited most recently. */
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
