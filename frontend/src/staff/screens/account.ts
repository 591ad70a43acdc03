/** The screens of a person's own account, which are one file. */
export { InvitationScreen } from './InvitationScreen';
export { SessionsScreen } from './SessionsScreen';
