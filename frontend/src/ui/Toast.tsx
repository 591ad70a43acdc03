/** The only module that imports react-toastify. It renders into a root of its own, so pages need no container for it. */
import { createRoot } from 'react-dom/client';
import { ToastContainer, toast } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';

const box = document.body.appendChild(document.createElement('div'));
createRoot(box).render(
  <ToastContainer
    position="top-right"
    autoClose={5000}
    draggable
    draggablePercent={80}
    newestOnTop
    theme="colored"
  />,
);

export function showToast(message: string, kind: 'failed' | 'done'): void {
  // The same message is shown once.
  toast[kind === 'done' ? 'success' : 'error'](message, { toastId: message });
}
