/** What opens above a page, such as a menu: a navigation closes it. */
import { useCallback, useState } from 'react';

export function useOpenAt(address: string): [open: boolean, setOpen: (open: boolean) => void] {
  const [openAt, setOpenAt] = useState('');
  // Otherwise it would be open again on the way back.
  if (openAt !== '' && openAt !== address) setOpenAt('');
  return [openAt === address, useCallback((open: boolean) => setOpenAt(open ? address : ''), [address])];
}
