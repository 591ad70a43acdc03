/** Icons, drawn as lines of the text's colour. Text beside them names what they mean. */
import type { ReactNode } from 'react';

const icon = (drawing: ReactNode) => (
  <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    {drawing}
  </svg>
);

export const icons = {
  search: icon(<path d="M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12Zm4.5-1.5L17 17" />),
  menu: icon(<path d="M3 5.5h14M3 10h14M3 14.5h14" />),
  handle: icon(<path d="M4 7h12M4 10h12M4 13h12" />),
  close: icon(<path d="m5 5 10 10M15 5 5 15" />),
  start: icon(<path d="M3 9.5 10 3l7 6.5V17h-4.5v-4.5h-5V17H3Z" />),
  content: icon(<path d="M3 4h14v12H3Zm5 3.5v5l4.5-2.5Z" />),
  drafts: icon(<path d="M4 16h3l9-9-3-3-9 9Zm7.5-10.5 3 3" />),
  uploads: icon(<path d="M10 13V3.5m-4 4 4-4 4 4M3.5 12.5V17h13v-4.5" />),
  support: icon(
    <path d="M3.5 12V10a6.5 6.5 0 0 1 13 0v2m-13 0h2.5v4H4.5a1 1 0 0 1-1-1Zm13 0H14v4h1.5a1 1 0 0 0 1-1Z" />,
  ),
  approvals: icon(<path d="m4 10.5 4 4 8-9" />),
  books: icon(<path d="M4 3.5h10.5a1.5 1.5 0 0 1 1.5 1.5V16.5H5.5A1.5 1.5 0 0 1 4 15Zm3 0v13m3-9h3.5" />),
  terms: icon(<path d="M5 15 15 5M6.5 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm7 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z" />),
  differences: icon(<path d="M4 7h12M4 13h12M13 3.5 7 16.5" />),
  charges: icon(<path d="M3 5h14v10H3ZM8.5 8v4M11.5 8v4" />),
  publishers: icon(<path d="M3 8.5v3h2.5L13 16V4L5.5 8.5Zm3 3 1 5h2l-.8-3.8M15.5 7.5a3.5 3.5 0 0 1 0 5" />),
  staff: icon(
    <path d="M7.5 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 17c0-3 2.2-5 5.5-5s5.5 2 5.5 5m-.5-12.7a3 3 0 0 1 0 5.4M15 12.5c1.9.700 3 2.3 3 4.5" />,
  ),
  audit: icon(<path d="M5 3h7l3.5 3.5V17H5Zm2.5 6h5m-5 3.5h5" />),
  sessions: icon(<path d="M3 4h14v9H3Zm4 13h6m-3-4v4" />),
  key: icon(
    <path d="M12.5 10.5a3.5 3.5 0 1 0-3.3-2.3L3 14.4V17h2.6v-2h2v-2h1.6l1.3-2.7a3.5 3.5 0 0 0 2 .2Z" />,
  ),
};
