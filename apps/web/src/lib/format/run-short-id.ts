export { runShortId } from '@stet/presentation/constants';
