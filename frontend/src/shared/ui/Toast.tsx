/** The only module that imports react-toastify. It renders into a root of its own, so pages need no container for it. */
import { createRoot } from 'react-dom/client';
import { ToastContainer, toast } from 'react-toastify/unstyled';
import { CrossIcon } from './CrossIcon';
import type { ToastLabels } from './notify';
import 'react-toastify/ReactToastify.css';
import './toast.css';

let hasContainer = false;

/** With labels of the page's language: the library's own are in English, as is that of its progress bar. */
function addContainer({ region, close }: ToastLabels): void {
  const box = document.body.appendChild(document.createElement('div'));
  createRoot(box).render(
    <ToastContainer
      position="top-right"
      autoClose={5000}
      draggable
      draggablePercent={80}
      newestOnTop
      theme="colored"
      hideProgressBar
      aria-label={region}
      closeButton={({ closeToast }) => (
        <button
          type="button"
          className="Toastify__close-button Toastify__close-button--colored"
          aria-label={close}
          onClick={event => {
            event.stopPropagation();
            closeToast(true);
          }}
        >
          <CrossIcon />
        </button>
      )}
    />,
  );
}

export function showToast(message: string, kind: 'failed' | 'done', labels: ToastLabels): void {
  if (!hasContainer) addContainer(labels);
  hasContainer = true;
  // The same message is shown once.
  toast[kind === 'done' ? 'success' : 'error'](message, { toastId: message });
}
