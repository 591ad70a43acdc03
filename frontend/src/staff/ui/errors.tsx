/** What is shown when a screen throws, or its file cannot be loaded. */
import { words } from '../words';
import { Button } from './Button';

/** Beside the navigation. */
export function ScreenError() {
  return (
    <div className="card empty" role="alert">
      <h1>{words.errors.title}</h1>
      <p className="muted">{words.errors.text}</p>
      <Button tone="primary" onClick={() => location.reload()}>
        {words.errors.reload}
      </Button>
    </div>
  );
}

/** Instead of everything, where the frame itself throws. */
export const PageError = () => (
  <main className="outside">
    <ScreenError />
  </main>
);
