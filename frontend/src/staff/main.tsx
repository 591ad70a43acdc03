/** Starts the back office. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { QueryClientProvider } from '../shared/http/queries';
import { labelToasts } from '../shared/ui/notify';
import { client } from './api';
import { routes } from './app';
import './backoffice.css';
import './ui/controls.css';
import './screens/outside.css';
import './shell.css';
import './ui/table.css';
import './ui/rows.css';
import './screens/support.css';
import './ui/dialog.css';
import './ui/toast.css';
import './finance/finance.css';
import './content/content.css';
import { watchPresence } from './presence';
import { words } from './words';

watchPresence();
labelToasts(() => ({ region: words.common.notifications, close: words.common.close }));

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={createBrowserRouter(routes)} />
      </QueryClientProvider>
    </StrictMode>,
  );
