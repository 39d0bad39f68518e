export { dropDelivery, endPause, reviveDelivery } from './deliveries.sql.ts';
export { deliveryJob } from './delivery-job.ts';
