/** What is shown when a screen throws. */
import { Component, type ReactNode } from 'react';
import { words } from '../words';

export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="outside">
        <div className="card empty" role="alert">
          <h1>{words.errors.title}</h1>
          <p className="muted">{words.errors.text}</p>
          <button type="button" className="button primary" onClick={() => location.reload()}>
            {words.errors.reload}
          </button>
        </div>
      </main>
    );
  }
}
