/** The staff member who is signed in, and the number that is looked up. */
import { createContext, use } from 'react';
import type { Person } from '../shared/contract/staff';

export const StaffContext = createContext<Person | null>(null);

/** Only below a screen that needs a session. */
export function useStaff(): Person {
  const staff = use(StaffContext);
  if (!staff) throw new Error('There is no session around this screen.');
  return staff;
}

type Lookup = { number: string; setNumber: (number: string) => void };

/** The number is kept in memory alone: not in the address, the history or the browser's storage. */
export const LookupContext = createContext<Lookup>({ number: '', setNumber: () => undefined });
export const useLookup = (): Lookup => use(LookupContext);
