export { runShortId } from '@stet/domain/defaults';
