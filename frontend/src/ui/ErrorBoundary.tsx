/** Replaces a page that failed to render, usually because a new release removed its file while the tab was open. */

import { Component, type ReactNode } from 'react';
import { t } from '../messages';
import { Frame } from './Frame';

export class ErrorBoundary extends Component<{ at: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  override componentDidMount() {
    window.addEventListener('online', this.loadAgain);
  }

  override componentWillUnmount() {
    window.removeEventListener('online', this.loadAgain);
  }

  override componentDidUpdate(before: { at: string }) {
    if (this.state.failed && before.at !== this.props.at) this.setState({ failed: false });
  }

  /** Reloads a page that failed offline when the connection is back. */
  loadAgain = () => {
    if (this.state.failed) window.location.reload();
  };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Frame title={t('failed-title')}>
        <div className="notice notice-page" role="alert">
          <h1>{t('failed-heading')}</h1>
          <p>{t('failed-why')}</p>
          <button type="button" className="button" onClick={() => window.location.reload()}>
            {t('load-again')}
          </button>
        </div>
      </Frame>
    );
  }
}
