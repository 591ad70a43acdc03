/** The staff member who is signed in. */
import { createContext, use } from 'react';
import type { Staff } from './types';

export const StaffContext = createContext<Staff | null>(null);

/** Only below a screen that needs a session. */
export function useStaff(): Staff {
  const staff = use(StaffContext);
  if (!staff) throw new Error('There is no session around this screen.');
  return staff;
}
