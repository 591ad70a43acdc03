/** The screens of support, which are one file. */
export { ApprovalsScreen } from './ApprovalsScreen';
export { SupportScreen } from './SupportScreen';
