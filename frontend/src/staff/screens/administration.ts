/** The screens of administrators, which are one file. */
export { AuditScreen } from './AuditScreen';
export { StaffScreen } from './StaffScreen';
